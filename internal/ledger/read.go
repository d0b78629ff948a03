package ledger

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"

	"tunic/internal/catalog"
	"tunic/internal/keys"
)

// read reads the whole ledger, and makes a new one if there is none. The caller
// holds mu and the lock.
func (l *Ledger) read(ctx context.Context) error {
	err := l.load(ctx)
	if errors.Is(err, ErrNone) {
		return l.found(ctx)
	}
	return err
}

// load reads the whole ledger.
func (l *Ledger) load(ctx context.Context) error {
	var (
		written int
		id      []byte
		sealed  []byte
	)
	err := l.conn.QueryRowContext(ctx, "SELECT form, id, root FROM "+project+" WHERE one = 1").Scan(&written, &id, &sealed)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNone
	case err != nil:
		return err
	case written != form:
		return ErrForm
	case len(id) != len(keys.Project{}):
		return fmt.Errorf("%w: its project", ErrDamaged)
	}
	rows := map[row]digest{}
	if err := l.readMasters(ctx, keys.Project(id), rows); err != nil {
		return err
	}
	plain, err := l.sealer.open(placeRoot, [16]byte{}, 0, sealed)
	root, ok := decodeRoot(plain)
	if err != nil || !ok {
		return fmt.Errorf("%w: its root", ErrDamaged)
	}
	if c := l.written(); c != nil && root.version < c.Version {
		return fmt.Errorf("%w: it is older than it was", ErrDamaged)
	}
	tables, err := l.readObjects(ctx, rows)
	if err != nil {
		return err
	}
	if err := l.readJournal(ctx, rows); err != nil {
		return err
	}
	if rootOf(root.version, rows) != root {
		return fmt.Errorf("%w: its rows do not fit its root", ErrDamaged)
	}
	return l.adopt(ctx, root.version, rows, tables)
}

// adopt makes what was read the current state.
func (l *Ledger) adopt(ctx context.Context, version uint64, rows map[row]digest, tables []*catalog.Table) error {
	folds, err := l.foldsNames(ctx)
	if err != nil {
		return err
	}
	l.rows = rows
	l.show(catalog.New(folds).Next(version, nil, tables), l.unsettled())
	return nil
}

// foldsNames asks how the server compares names of schemas and tables.
func (l *Ledger) foldsNames(ctx context.Context) (bool, error) {
	var mode int
	err := l.conn.QueryRowContext(ctx, "SELECT @@lower_case_table_names").Scan(&mode)
	return mode != 0, err
}

// readMasters opens the master keys. What another key file wraps ends it here.
func (l *Ledger) readMasters(ctx context.Context, p keys.Project, rows map[row]digest) error {
	found, err := l.conn.QueryContext(ctx, "SELECT version, wrapped FROM "+master)
	if err != nil {
		return err
	}
	defer func() { _ = found.Close() }()
	var masters []*keys.Master
	for found.Next() {
		var version uint16
		var wrapped []byte
		if err := found.Scan(&version, &wrapped); err != nil {
			return err
		}
		m, err := l.o.KEK.Unwrap(p, version, wrapped)
		if err != nil {
			return err
		}
		masters = append(masters, m)
		rows[row{placeMaster, number(uint64(version))}] = digestOf(0, wrapped)
	}
	if err := found.Err(); err != nil {
		return err
	}
	if len(masters) == 0 {
		return fmt.Errorf("%w: it has no master key", ErrDamaged)
	}
	return l.plant(p, masters...)
}

// plant makes the tree and what is derived from it.
func (l *Ledger) plant(p keys.Project, masters ...*keys.Master) error {
	tree, err := keys.NewTree(p, masters...)
	if err != nil {
		return err
	}
	if l.tree != nil && l.tree.Project() != p {
		return fmt.Errorf("%w: it is another project's", ErrDamaged)
	}
	l.sealer, err = newSealer(tree)
	if l.tree == nil {
		l.tree = tree // ciphers that are in use were made of this one
	}
	return err
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

// found makes a ledger where there is none. The other tables must be empty:
// without its project they cannot be read, and are not to be written over.
func (l *Ledger) found(ctx context.Context) error {
	for _, table := range []string{master, object, journal} {
		var n int
		if err := l.conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			return fmt.Errorf("%w: its project is gone", ErrDamaged)
		}
	}
	if l.current.Load() != nil {
		return fmt.Errorf("%w: it is gone", ErrDamaged)
	}
	var p keys.Project
	_, _ = rand.Read(p[:]) // never fails: crypto/rand ends the program instead
	key, wrapped, err := l.o.KEK.NewMaster(p, 0)
	if err != nil {
		return err
	}
	if err := l.plant(p, key); err != nil {
		return err
	}
	l.rows = map[row]digest{}
	err = l.transact(ctx, func(tx *sql.Tx, rows map[row]digest) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO "+master+" (version, wrapped) VALUES (0, ?)", wrapped); err != nil {
			return err
		}
		rows[row{placeMaster, number(0)}] = digestOf(0, wrapped)
		sealed := l.sealer.seal(placeRoot, [16]byte{}, 0, rootOf(0, rows).encode())
		_, err := tx.ExecContext(ctx, "INSERT INTO "+project+" (one, form, id, root) VALUES (1, ?, ?, ?)", form, p[:], sealed)
		return err
	})
	if err != nil {
		return err
	}
	return l.adopt(ctx, 0, l.rows, nil)
}
