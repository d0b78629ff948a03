package turn

import (
	"context"
	"errors"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
)

// MariaDB adds and drops columns at once by writing down what rows lack, or have too much, and
// goes on counting a column that was dropped as a part of the longest row until the table has been made
// anew (MDEV-15562). A table whose columns come and go is too wide at some time, and lets not even a
// column go. It is made anew then, in place and beside clients.

// AnewIfTooWide runs a statement that adds or drops stored columns at once, by something that runs
// statements. Where the server cannot make the table anew beside clients, as with a FULLTEXT key
// of MariaDB, it is the error of the statement.
func AnewIfTooWide(ctx context.Context, t *catalog.Table, statement string, run func(ctx context.Context, statement string) error) error {
	err := run(ctx, statement)
	if !service.Said(err, service.RowTooWide) {
		return err
	}
	switch anew := run(ctx, "ALTER TABLE "+t.QuotedName()+" FORCE"+InPlace); {
	case service.CannotInPlace(anew): // what the client may hear of is what it has asked for
		return err
	case anew != nil:
		return errors.Join(anew, err)
	}
	return run(ctx, statement)
}

// BriefAnewIfTooWide is AnewIfTooWide by Brief.
func (u *Turns) BriefAnewIfTooWide(ctx context.Context, t *catalog.Table, statement string, wait time.Duration) error {
	return AnewIfTooWide(ctx, t, statement, func(ctx context.Context, statement string) error { return u.Brief(ctx, statement, wait) })
}
