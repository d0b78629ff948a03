package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
)

// outlast waits until nobody defines the tables of steps any more: a definition whose
// connection has broken may go on at the server, and be done after it was looked for.
// An ALTER TABLE that alters nothing waits for it, and for no transaction (MySQL manual,
// "Metadata Locking"). It runs on a connection of its own: one that is given up may wait
// on at the server, and is not to hold the ledger meanwhile.
func (l *Ledger) outlast(ctx context.Context, steps []Step) error {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(l.o.patience, patient))
	defer cancel()
	for _, s := range steps {
		for _, t := range []*catalog.Table{s.Old, s.New} {
			if t == nil {
				continue
			}
			// What the server refuses, as where there is no such table, has had its turn.
			_, err := l.o.DB.ExecContext(ctx, await(t))
			switch {
			case ctx.Err() == nil && Denied(err):
				return blind(t, err)
			case ctx.Err() != nil || !hadTurn(err):
				return fmt.Errorf("%w: a definition may still be under way at the server: %w", ErrLost, err)
			}
		}
	}
	return nil
}

// await is a statement that waits for whoever defines a table or view, and for no
// transaction.
func await(t *catalog.Table) string {
	if t.View != nil {
		return "SELECT 1 FROM " + quoted(t) + " LIMIT 0"
	}
	return "ALTER TABLE " + quoted(t)
}

// hadTurn reports whether a statement has come to its table, whatever the server has found there.
func hadTurn(err error) bool {
	refusal, answered := errors.AsType[*mysql.MySQLError](err)
	return err == nil || answered && !slices.Contains(turnless, refusal.Number)
}

// turnless are errors that say nothing of a table, as a statement may have them before it comes
// to it (MySQL Error Message Reference; MariaDB Error Codes): those that pass, and those of who may
// do what and of a server that takes no writes.
var turnless = slices.Concat(passing, []uint16{
	1044, 1045, 1142, 1143, 1227, 1370, 1698, 1820, 1862, 3118, 4151,
	1290, 1792, 1836, 3100,
})
