package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/keys"
)

// Inspection is a ledger as it was at one moment.
type Inspection struct {
	// Catalog is what is written down, without what is coming.
	Catalog *catalog.Catalog
	Tree    *keys.Tree
	// Underway are the steps of changes that were under way, or that a kill has left.
	Underway []Step
	// Oldest is the oldest epoch that a row of the ledger itself is sealed under.
	Oldest uint16

	root []byte // as it was written: each change of the ledger writes another one
}

// Inspect reads the ledger of a database, which another tunic may hold and change
// meanwhile, and changes nothing. Errors are those of [Open]; ErrNone says that there is no
// ledger, or none that the account sees.
func Inspect(ctx context.Context, o Options) (*Inspection, error) {
	conn, err := o.DB.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLost, err)
	}
	l := &Ledger{o: o, conn: conn}
	defer func() {
		_ = conn.Raw(func(any) error { return errDiscard }) // ends the transaction, too
		_ = conn.Close()
	}()
	for _, begin := range []string{"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"} {
		if _, err := conn.ExecContext(ctx, begin); err != nil {
			return nil, err
		}
	}
	if err := l.load(ctx); err != nil {
		if isMissing(err) {
			return nil, ErrNone
		}
		return nil, err
	}
	oldest, err := l.ownEpoch(ctx, conn)
	if err != nil && !isMissing(err) { // a ledger of before there were jobs has no place for them
		return nil, err
	}
	return &Inspection{Catalog: l.written(), Tree: l.tree, Underway: l.unsettled(), Oldest: oldest, root: l.root}, nil
}

// Again is the ledger as it is now: this Inspection if nothing was written since, which takes one query,
// however large the ledger is. Errors are those of Inspect.
func (i *Inspection) Again(ctx context.Context, o Options) (*Inspection, error) {
	var root []byte
	err := o.DB.QueryRowContext(ctx, "SELECT root FROM "+project+" WHERE one = 1").Scan(&root)
	if err == nil && bytes.Equal(root, i.root) {
		return i, nil
	}
	return Inspect(ctx, o) // which also says what is wrong
}

// Still is a ledger that nobody holds or changes: it has the Catalog and the Tree of the moment, and
// nothing else may be asked of it. It is not to be closed.
func (i *Inspection) Still() *Ledger {
	l := &Ledger{tree: i.Tree}
	l.current.Store(i.Catalog)
	return l
}

// isMissing reports whether the server has no such table, or shows none to the account.
func isMissing(err error) bool {
	const noTable, noSchema, denied = 1146, 1049, 1142
	said, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && (said.Number == noTable || said.Number == noSchema || said.Number == denied)
}

// lacksColumn reports whether a table of the server's does not have a column, as one that an older tunic has made.
func lacksColumn(err error) bool {
	const noColumn = 1054
	said, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && said.Number == noColumn
}
