package ddl

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
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
func (w *work) copied(ctx context.Context, c *change, next *catalog.Table, statement string) error {
	err := w.client.Exec(ctx, statement)
	said, ok := errors.AsType[*sqlerr.Error](err)
	if !ok || said.Number != wrongValue || !c.copiesDates(next, said.Message) {
		return err
	}
	rows, asked := w.client.Query(ctx, "SELECT @@SESSION.sql_mode")
	if asked != nil || len(rows) != 1 || rows[0][0] == nil {
		return err
	}
	mode := *rows[0][0]
	if failed := w.client.Exec(ctx, "SET SESSION sql_mode = "+showcreate.QuoteString(withoutZeroDates(mode))); failed != nil {
		return failed
	}
	err = w.client.Exec(ctx, statement)
	return errors.Join(err, w.client.Exec(context.WithoutCancel(ctx), "SET SESSION sql_mode = "+showcreate.QuoteString(mode)))
}

// withoutZeroDates is a sql_mode that allows all dates.
func withoutZeroDates(mode string) string {
	all := strings.Split(mode, ",")
	return strings.Join(slices.DeleteFunc(all, func(m string) bool {
		return m == "NO_ZERO_DATE" || m == "NO_ZERO_IN_DATE" || m == "TRADITIONAL"
	}), ",")
}

// copiesDates reports whether what a server has said is of a plain date that goes on as it
// is, and that a plain server would not have looked at. Columns that come with zero dates
// of their own, or that are computed, it does look at.
func (c *change) copiesDates(next *catalog.Table, message string) bool {
	if !c.rowless || strings.Contains(strings.ToUpper(c.old.Definition), " AS (") {
		return false
	}
	for i := range next.Columns {
		now := &next.Columns[i]
		if c.before(now.Name) == nil && !now.Protected() && now.Type.NotNull && isDate(now.Type.Kind) {
			return false
		}
	}
	for i := range c.old.Columns {
		column := &c.old.Columns[i]
		if column.Protected() || !isDate(column.Type.Kind) {
			continue
		}
		for _, quote := range [...]string{"'", "`"} {
			if strings.Contains(message, quote+column.Name+quote+" at row ") {
				return true
			}
		}
	}
	return false
}

func isDate(k value.Kind) bool {
	return k == value.Date || k == value.DateTime || k == value.Timestamp
}
