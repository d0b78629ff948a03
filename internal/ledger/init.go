package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"tunic/internal/keys"
)

// Init makes the ledger of a database if there is none, and no table that one had, of the project that the key file names or
// a new one, and returns it. made is false of one that is there already. One that
// [Options.Project] names has to be there. Errors are those of [Open].
func Init(ctx context.Context, o Options) (of keys.Project, made bool, err error) {
	l := newLedger(o)
	if l.conn, err = o.DB.Conn(ctx); err != nil {
		return of, false, fmt.Errorf("%w: %w", ErrLost, err)
	}
	defer l.drop()
	if err := define(ctx, l.conn); err != nil {
		return of, false, err
	}
	if made, err = l.readOrFound(ctx); err != nil {
		return of, false, err
	}
	return l.tree.Project(), made, nil
}

// readOrFound reads the ledger, and makes a new one if there is none.
func (l *Ledger) readOrFound(ctx context.Context) (made bool, err error) {
	if err = l.read(ctx); l.o.Project != (keys.Project{}) { // what was there is gone
		return false, err
	}
	for end := time.Now().Add(l.o.Wait); errors.Is(err, ErrNone); {
		got, failed := l.tryLock(ctx)
		if failed != nil {
			return false, failed
		}
		if got {
			defer l.unlock(ctx)
			if err = l.read(ctx); errors.Is(err, ErrNone) {
				made, err = true, l.found(ctx)
			}
			return made, err
		}
		if time.Now().After(end) {
			return false, ErrHeld
		}
		if err := pause(ctx.Done()); err != nil {
			return false, cmp.Or(ctx.Err(), err)
		}
		err = l.read(ctx)
	}
	return false, err
}

// present makes sure that there is a ledger, and reports what there is of one if not.
func (l *Ledger) present(ctx context.Context) error {
	var one int
	err := l.conn.QueryRowContext(ctx, "SELECT one FROM "+project+" WHERE one = 1").Scan(&one)
	switch {
	case err == nil:
		return nil
	case !isMissing(err) && !errors.Is(err, sql.ErrNoRows):
		return err
	case l.current.Load() != nil:
		return fmt.Errorf("%w: it is gone", ErrDamaged)
	case l.o.Seen.any():
		return fmt.Errorf("%w, though there was one", ErrNone)
	}
	return ErrNone
}

// withoutStored is ErrStored if the account sees stored tables. Without the ledger that has them nobody can
// open what is in them, and a new one would take them for plain.
func (l *Ledger) withoutStored(ctx context.Context) error {
	stored, err := MarkedTables(ctx, l.conn)
	if err != nil || len(stored) == 0 {
		return err
	}
	var names []string
	for _, t := range stored {
		names = append(names, t.Schema+"."+t.Name)
	}
	const most = 5
	more := ""
	if n := len(names) - most; n > 0 {
		names, more = names[:most], fmt.Sprintf(", and %d more", n)
	}
	return fmt.Errorf("%w: %s%s", ErrStored, strings.Join(names, ", "), more)
}

// found makes a ledger where there is none. The other tables must be empty:
// without its project they cannot be read, and are not to be written over.
func (l *Ledger) found(ctx context.Context) error {
	for _, table := range []string{master, object, journal, job} {
		var n int
		if err := l.conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			return fmt.Errorf("%w: its project is gone", ErrDamaged)
		}
	}
	if err := l.withoutStored(ctx); err != nil {
		return err
	}
	p := l.o.KEK.Project()
	if p == (keys.Project{}) {
		p = keys.NewProject()
	}
	key, wrapped, err := l.o.KEK.NewMaster(p, 0)
	if err != nil {
		return err
	}
	if l.sealer, err = l.sealerWith(p, []*keys.Master{key}); err != nil {
		return err
	}
	rows := map[row]digest{{placeMaster, number(0)}: digestOf(0, wrapped)}
	root := l.sealer.seal(placeRoot, [16]byte{}, 0, rootOf(0, rows).encode())
	tx, err := l.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err = tx.ExecContext(ctx, "INSERT INTO "+master+" (version, wrapped) VALUES (0, ?)", wrapped); err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO "+project+" (one, form, id, root) VALUES (1, ?, ?, ?)", form, p[:], root)
	}
	if err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if err := l.plant(nil); err != nil {
		return err
	}
	return l.adopt(ctx, 0, root, rows, content{})
}
