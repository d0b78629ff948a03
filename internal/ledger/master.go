package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/keys"
	"tunic/internal/scheme"
)

// Master keys come, are wrapped by another key file, and go, each in one transaction that
// replaces the root: a kill at any moment leaves the ledger as it was or as it is to be.
// Members read master keys together with the catalog, so none has a column of an epoch whose
// key it has not; one that cannot open a new key serves no protected table any more.

// ErrNeeded says that an old master key cannot go: something is still sealed under it.
var ErrNeeded = errors.New("still needed")

// Rewrap has another key file's key wrap all master keys. From then on the one that the ledger
// was opened with opens none of them. Nothing else is written. Processes that have the master
// keys go on; they need the new key file the next time they start.
func (l *Ledger) Rewrap(ctx context.Context, to *keys.KEK) error {
	return l.rekey(ctx, func(ctx context.Context, tx *sql.Tx, rows map[row]digest, _ uint64) error {
		for _, version := range l.wrapped(rows) {
			wrapped, err := to.Wrap(l.tree.Master(version))
			if err != nil {
				return err
			}
			done, err := tx.ExecContext(ctx, "UPDATE "+master+" SET wrapped = ? WHERE version = ?", wrapped, version)
			if err != nil {
				return err
			}
			if n, err := done.RowsAffected(); err != nil || n != 1 {
				return errors.Join(errOvertaken, err)
			}
			rows[row{placeMaster, number(uint64(version))}] = digestOf(0, wrapped)
		}
		return nil
	}, func() error { return nil })
}

// AddMaster makes a master key of a version above every epoch that there has been, seals the
// ledger's own rows under it, and waits until every member has read it. Whoever makes
// something new from then on makes it under the new epoch, which is returned.
func (l *Ledger) AddMaster(ctx context.Context) (epoch uint16, err error) {
	var made *keys.Master
	var at uint64
	err = l.rekey(ctx, func(ctx context.Context, tx *sql.Tx, rows map[row]digest, version uint64) error {
		at = version
		if epoch, err = nextEpoch(l.tree, l.written()); err != nil {
			return err
		}
		var wrapped []byte
		if made, wrapped, err = l.o.KEK.NewMaster(l.tree.Project(), epoch); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO "+master+" (version, wrapped) VALUES (?, ?)", epoch, wrapped); err != nil {
			return err
		}
		rows[row{placeMaster, number(uint64(epoch))}] = digestOf(0, wrapped)
		if l.sealer, err = l.sealerWith(l.tree.Project(), []*keys.Master{made}); err != nil {
			return err
		}
		return l.resealRows(ctx, tx, rows)
	}, func() error { return l.plant([]*keys.Master{made}) })
	if err != nil {
		return 0, err
	}
	return epoch, l.awaitMembers(ctx, at)
}

// errEpochs says that the two bytes of an epoch are used up.
var errEpochs = errors.New("there is no epoch left")

// nextEpoch is the lowest one above every epoch of the catalog and of the master keys.
func nextEpoch(tree *keys.Tree, c *catalog.Catalog) (uint16, error) {
	highest := tree.Newest()
	for t := range c.Tables() {
		highest = max(highest, t.HighestEpoch())
	}
	if highest == ^uint16(0) {
		return 0, errEpochs
	}
	return highest + 1, nil
}

// DropMasters destroys the master keys that serve no epoch from this one on and none that a
// definition names, and returns their versions. ErrNeeded says that older ones are left; they
// are those from the oldest that is needed on. It is for the caller to know that no row of a
// table has an older form; rows of the ledger are looked at here. A process that runs keeps the
// keys in memory until it ends.
func (l *Ledger) DropMasters(ctx context.Context, from uint16) (gone []uint16, err error) {
	var kept error
	err = l.rekey(ctx, func(ctx context.Context, tx *sql.Tx, rows map[row]digest, _ uint64) (err error) {
		var serving uint16
		if serving, kept, err = l.oldest(from); err != nil {
			return err
		}
		all := l.wrapped(rows)
		if kept != nil && all[len(all)-1] >= serving {
			return kept
		}
		if err := l.sealedBefore(ctx, tx, serving); err != nil {
			return err
		}
		for _, version := range all {
			if version >= serving {
				continue
			}
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+master+" WHERE version = ?", version); err != nil {
				return err
			}
			delete(rows, row{placeMaster, number(uint64(version))})
			gone = append(gone, version)
		}
		return nil
	}, func() error { return nil })
	if err != nil {
		return nil, err
	}
	return gone, kept
}

// oldest is the oldest master key that serves an epoch from this one on, or one that a
// definition names; kept says whose it is if it is one of the latter.
func (l *Ledger) oldest(from uint16) (version uint16, kept, err error) {
	if version, err = l.tree.MasterVersion(from); err != nil {
		return 0, nil, err
	}
	for t := range l.written().Tables() {
		lowest := t.LowestEpoch()
		if lowest >= version {
			continue
		}
		if version, err = l.tree.MasterVersion(lowest); err != nil {
			return 0, nil, err
		}
		kept = fmt.Errorf("%w: master key %d, by table %s.%s", ErrNeeded, version, t.Schema, t.Name)
	}
	return version, kept, nil
}

// serves reports whether there are master keys for all epochs that a table names: what was
// planned before its key was destroyed is not to be done.
func (l *Ledger) serves(t *catalog.Table) bool {
	written := l.wrapped(l.rows)
	return len(written) > 0 && t.LowestEpoch() >= written[len(written)-1]
}

// wrapped are the versions of the master keys that are written down, the newest first.
func (l *Ledger) wrapped(rows map[row]digest) (all []uint16) {
	for _, version := range l.tree.Versions() {
		if _, there := rows[row{placeMaster, number(uint64(version))}]; there {
			all = append(all, version)
		}
	}
	return all
}

// rekey writes to the ledger what concerns its keys, in one transaction, and shows it. taken is called if it was committed, before anybody else reads or writes the ledger.
func (l *Ledger) rekey(ctx context.Context, f func(ctx context.Context, tx *sql.Tx, rows map[row]digest, version uint64) error, taken func() error) error {
	if err := l.Usable(); err != nil {
		return err
	}
	end, err := l.begin(ctx, ctx.Done())
	if err != nil {
		return err
	}
	defer end()
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := uncut(ctx)
	defer cancel()
	version, asked, before := l.written().Version+1, error(nil), l.sealer
	err = l.transact(ctx, version, func(tx *sql.Tx, rows map[row]digest) error {
		asked = f(ctx, tx, rows, version)
		crash.Point("ledger.rekey.written")
		return asked
	})
	crash.Point("ledger.rekey.committed")
	if err == nil {
		err = taken()
	}
	if err != nil {
		l.sealer = before
	}
	switch {
	case asked != nil: // nothing was written
		return err
	case err != nil:
		l.become(ErrLost)
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	l.show(l.written().Next(version, nil, nil), l.unsettled())
	return nil
}

// sealedTable is a table of the ledger whose rows are sealed.
type sealedTable struct {
	place       place
	read, write string // the statements that read all rows, and write one
	numbers     bool   // the id is a number
}

var sealedTables = []sealedTable{
	{placeObject, "SELECT id, version, sealed FROM " + object + " FOR UPDATE", "UPDATE " + object + " SET sealed = ? WHERE id = ?", false},
	{placeJournal, "SELECT id, 0, sealed FROM " + journal + " FOR UPDATE", "UPDATE " + journal + " SET sealed = ? WHERE id = ?", true},
	{placeJob, "SELECT id, version, sealed FROM " + job + " FOR UPDATE", "UPDATE " + job + " SET sealed = ? WHERE id = ?", true},
}

// sealedRow is a row of one of them.
type sealedRow struct {
	of      *sealedTable
	id      [16]byte
	key     any // id as the column has it
	version uint64
	sealed  []byte
}

// resealRows seals every row of the ledger anew under the newest epoch.
func (l *Ledger) resealRows(ctx context.Context, tx *sql.Tx, rows map[row]digest) error {
	for i := range sealedTables {
		of := &sealedTables[i]
		all, err := of.rows(ctx, tx)
		if err != nil {
			return err
		}
		for _, r := range all {
			plain, err := l.sealer.open(of.place, r.id, r.version, r.sealed)
			if err != nil {
				return fmt.Errorf("%w: a row cannot be opened", ErrDamaged)
			}
			sealed := l.sealer.seal(of.place, r.id, r.version, plain)
			if _, err := tx.ExecContext(ctx, of.write, sealed, r.key); err != nil {
				return err
			}
			rows[row{of.place, r.id}] = digestOf(r.version, sealed)
		}
	}
	return nil
}

// sealedBefore is ErrNeeded if the ledger itself has something that is sealed under an older
// epoch.
func (l *Ledger) sealedBefore(ctx context.Context, tx *sql.Tx, epoch uint16) error {
	oldest, err := l.ownEpoch(ctx, tx)
	if err == nil && oldest < epoch {
		err = fmt.Errorf("%w: by the ledger, or by a job that is under way", ErrNeeded)
	}
	return err
}

// ownEpoch is the oldest epoch that a row of the ledger is sealed under; that of the newest
// master key if there is no row. Where a job is to go on is written by the job itself, and is
// under no root; that of one that has ended nobody reads any more.
func (l *Ledger) ownEpoch(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
},
) (epoch uint16, err error) {
	const of = "SELECT HEX(SUBSTR(%s, %d, 2)) AS e FROM %s WHERE %s"
	live := []string{"0"} // which is no job
	for _, j := range l.written().Jobs() {
		if j.Live() {
			live = append(live, strconv.FormatUint(j.ID, 10))
		}
	}
	var each []string
	for _, table := range [...]string{object, journal, job} {
		each = append(each, fmt.Sprintf(of, "sealed", 1+scheme.EpochOffset, table, "TRUE"))
	}
	each = append(each, fmt.Sprintf(of, "place", 1+scheme.EpochOffset, progress, "place <> '' AND job IN ("+strings.Join(live, ", ")+")"))
	var oldest sql.NullString
	err = db.QueryRowContext(ctx, "SELECT MIN(e) FROM ("+strings.Join(each, " UNION ALL ")+") AS all_rows").Scan(&oldest)
	if err != nil || !oldest.Valid {
		return l.tree.Newest(), err
	}
	n, err := strconv.ParseUint(oldest.String, 16, 16)
	if err != nil {
		return 0, fmt.Errorf("%w: a row without an epoch", ErrDamaged)
	}
	return uint16(n), nil
}

// rows reads all rows, locking them.
func (t *sealedTable) rows(ctx context.Context, tx *sql.Tx) (all []sealedRow, err error) {
	found, err := tx.QueryContext(ctx, t.read)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		r := sealedRow{of: t}
		if t.numbers {
			var id uint64
			err = found.Scan(&id, &r.version, &r.sealed)
			r.id, r.key = number(id), id
		} else {
			var id []byte
			err = found.Scan(&id, &r.version, &r.sealed)
			copy(r.id[:], id)
			r.key = id
		}
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, found.Err()
}

// Holders are the ids of the key files' keys of the other processes that read the ledger; zero
// of one that does not tell. One that is gone is among them until its lease is over.
func (l *Ledger) Holders(ctx context.Context) (all []keys.ID, err error) {
	others, err := l.membersThat(ctx, func(sighting) bool { return true })
	for _, other := range others {
		all = append(all, other.kek)
	}
	return all, err
}
