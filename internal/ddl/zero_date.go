package ddl

import (
	"context"
	"errors"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/sqlerr"
)

// A plain server makes most changes of a definition without a look at the rows. The
// stored table can need a copy for them, for its CHECK, and a copy assigns every value
// anew: one that a session before has stored and that the present sql_mode does not allow
// in a plain column, a zero date, fails it.

// wrongValue is ER_TRUNCATED_WRONG_VALUE.
const wrongValue = 1292

// copied runs a statement of a change, once more without what forbids zero dates if
// that is what it has failed for, and a plain server had copied nothing. The session's
// sql_mode is as it was afterwards; only a connection that breaks meanwhile, and the session
// with it, has another.
func (p *plainServer) copied(ctx context.Context, c *alteration.Change, next *catalog.Table, statement string) error {
	err := p.client.Exec(ctx, statement)
	said, ok := errors.AsType[*sqlerr.Error](err)
	if !ok || said.Number != wrongValue || !c.CopiesDates(next, said.Message) {
		return err
	}
	rows, asked := p.client.Query(ctx, "SELECT @@SESSION.sql_mode")
	if asked != nil || len(rows) != 1 || rows[0][0] == nil {
		return err
	}
	mode := *rows[0][0]
	if failed := p.client.Exec(ctx, "SET SESSION sql_mode = "+showcreate.QuoteString(alteration.WithoutZeroDates(mode))); failed != nil {
		return failed
	}
	err = p.client.Exec(ctx, statement)
	return errors.Join(err, p.client.Exec(context.WithoutCancel(ctx), "SET SESSION sql_mode = "+showcreate.QuoteString(mode)))
}
