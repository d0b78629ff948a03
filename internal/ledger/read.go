package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tunic/internal/catalog"
	"tunic/internal/keys"
)

// read reads the whole ledger, as it is at one moment. The caller holds mu.
func (l *Ledger) read(ctx context.Context) (err error) {
	for _, s := range [...]string{"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", "START TRANSACTION WITH CONSISTENT SNAPSHOT"} {
		if _, err := l.conn.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	defer func() {
		_, ended := l.conn.ExecContext(context.WithoutCancel(ctx), "COMMIT")
		err = cmp.Or(err, ended)
	}()
	return l.load(ctx)
}

// load is read within a transaction.
func (l *Ledger) load(ctx context.Context) (err error) {
	var (
		written int
		id      []byte
		sealed  []byte
	)
	err = l.conn.QueryRowContext(ctx, "SELECT form, id, root FROM "+project+" WHERE one = 1").Scan(&written, &id, &sealed)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNone
	case err != nil:
		return err
	case written != form && written != formBefore:
		return ErrForm
	case len(id) != len(keys.Project{}):
		return fmt.Errorf("%w: its project", ErrDamaged)
	}
	if !l.o.Project.Admits(keys.Project(id)) {
		return ErrOtherProject
	}
	rows := map[row]digest{}
	fresh, err := l.readMasters(ctx, keys.Project(id), rows)
	if err != nil {
		return err
	}
	if !l.o.KEK.Project().Admits(keys.Project(id)) { // which its key file has to be known for first
		return ErrOtherProject
	}
	before := l.sealer
	if l.sealer, err = l.sealerWith(keys.Project(id), fresh); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			l.sealer = before
		}
	}()
	plain, err := l.sealer.open(placeRoot, [16]byte{}, 0, sealed)
	root, ok := decodeRoot(plain)
	if err != nil || !ok {
		return fmt.Errorf("%w: its root", ErrDamaged)
	}
	if c := l.written(); c != nil && root.version < c.Version {
		return fmt.Errorf("%w: it is older than it was", ErrDamaged)
	}
	if l.o.Seen.newer(keys.Project(id), root.version) {
		return ErrOlder
	}
	c, err := l.readContent(ctx, written, rows)
	if err != nil {
		return err
	}
	if rootOf(root.version, rows) != root {
		return fmt.Errorf("%w: its rows do not fit its root", ErrDamaged)
	}
	if err := l.plant(fresh); err != nil {
		return err
	}
	return l.adopt(ctx, root.version, sealed, rows, c)
}

// content is what the rows of a ledger say, but for its keys.
type content struct {
	tables []*catalog.Table
	left   []*entry // of the journal
	jobs   []*catalog.Job
}

// readContent reads the rows of a ledger of a form, and keeps them in rows.
func (l *Ledger) readContent(ctx context.Context, written int, rows map[row]digest) (c content, err error) {
	if c.tables, err = l.readObjects(ctx, rows); err != nil {
		return c, err
	}
	if c.left, err = l.readJournal(ctx, rows); err != nil || written == formBefore {
		return c, err
	}
	c.jobs, err = l.readJobs(ctx, rows)
	return c, err
}

// adopt makes what was read the current state, all of it or nothing: while the catalog is that of
// before, so is what is left in the journal. Without that, who is refused a statement by a server
// that is killed amid a reading would find that its table is not being changed, and is told so.
func (l *Ledger) adopt(ctx context.Context, version uint64, root []byte, rows map[row]digest, c content) error {
	folds, err := l.foldsNames(ctx)
	if err != nil {
		return err
	}
	l.rows, l.root, l.left = rows, root, c.left
	l.saw(version)
	l.show(catalog.New(folds).Next(version, nil, c.tables).WithJobs(version, c.jobs), l.unsettled())
	return nil
}

// foldsNames asks how the server compares names of schemas and tables.
func (l *Ledger) foldsNames(ctx context.Context) (bool, error) {
	var mode int
	err := l.conn.QueryRowContext(ctx, "SELECT @@lower_case_table_names").Scan(&mode)
	return mode != 0, err
}

// readMasters opens the master keys that the process has not. What another key file wraps
// ends it here, unless the process has the key already ([Ledger.Rewrap]): the row is that
// key's if it fits the root, which is looked at behind.
func (l *Ledger) readMasters(ctx context.Context, p keys.Project, rows map[row]digest) (fresh []*keys.Master, err error) {
	found, err := l.conn.QueryContext(ctx, "SELECT version, wrapped FROM "+master)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	n := 0
	for ; found.Next(); n++ {
		var version uint16
		var wrapped []byte
		if err := found.Scan(&version, &wrapped); err != nil {
			return nil, err
		}
		rows[row{placeMaster, number(uint64(version))}] = digestOf(0, wrapped)
		if known := l.master(version); known != nil && known.IsIn(wrapped) {
			continue
		}
		m, err := l.o.KEK.Unwrap(p, version, wrapped)
		if err != nil {
			return nil, err
		}
		fresh = append(fresh, m)
	}
	if err := found.Err(); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, fmt.Errorf("%w: it has no master key", ErrDamaged)
	}
	return fresh, nil
}

// master is a master key that the process has, or nil.
func (l *Ledger) master(version uint16) *keys.Master {
	if l.tree == nil {
		return nil
	}
	return l.tree.Master(version)
}

// sealerWith is the sealer of the keys that the process has and of fresh ones.
func (l *Ledger) sealerWith(p keys.Project, fresh []*keys.Master) (_ *sealer, err error) {
	tree := l.tree
	switch {
	case tree == nil:
		tree, err = keys.NewTree(p, fresh...)
	case tree.Project() != p:
		err = errors.New("it is another project's")
	case len(fresh) > 0:
		tree, err = tree.With(fresh...)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return newSealer(tree)
}

// plant has the process keep fresh keys. The tree that it has grows by them, since ciphers
// that are in use were made of it; a key that is destroyed it keeps.
func (l *Ledger) plant(fresh []*keys.Master) error {
	if l.tree == nil {
		l.tree = l.sealer.tree
		return nil
	}
	return l.tree.Grow(fresh...)
}

func (l *Ledger) readObjects(ctx context.Context, rows map[row]digest) ([]*catalog.Table, error) {
	found, err := l.conn.QueryContext(ctx, "SELECT id, version, sealed FROM "+object)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }()
	var tables []*catalog.Table
	for found.Next() {
		var (
			id, sealed []byte
			version    uint64
		)
		if err := found.Scan(&id, &version, &sealed); err != nil {
			return nil, err
		}
		t, err := l.openObject(id, version, sealed)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
		rows[row{placeObject, t.ID}] = digestOf(version, sealed)
	}
	return tables, found.Err()
}

func (l *Ledger) openObject(id []byte, version uint64, sealed []byte) (*catalog.Table, error) {
	if len(id) != len(catalog.ID{}) {
		return nil, fmt.Errorf("%w: the id of a table", ErrDamaged)
	}
	plain, err := l.sealer.open(placeObject, [16]byte(id), version, sealed)
	if err != nil {
		return nil, fmt.Errorf("%w: the row of a table", ErrDamaged)
	}
	t, err := catalog.Decode(plain, l.o.Types)
	if err != nil {
		return nil, err
	}
	if t.ID != catalog.ID(id) {
		return nil, fmt.Errorf("%w: the row of another table", ErrDamaged)
	}
	return t, nil
}
