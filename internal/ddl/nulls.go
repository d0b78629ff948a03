package ddl

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/layers"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// The server does not see which values of a family's columns are NULL. Where a change hangs on that, tunic looks at the rows
// while the table is locked.

// withoutNull makes a change of a locked table if no row is NULL in columns that take no NULL any more and whose NULLs the server
// does not see: else it is what a plain server says.
func (w *work) withoutNull(c *alteration.Change, columns []string, run func(context.Context) error) func(context.Context) error {
	if len(columns) == 0 {
		return run
	}
	return func(ctx context.Context) error {
		var failed error
		err := w.lookForNull(ctx, c, columns, func(column, row int, null bool) bool {
			if null {
				failed = w.plainServer().refusesNull(columns[column], row)
			}
			return !null
		})
		if err = errors.Join(err, failed); err != nil {
			return err
		}
		return run(ctx)
	}
}

// onlyNull reports whether all values of columns whose forms would have to be made anew are NULL, and stay so, where the server does not
// see it.
func (w *work) onlyNull(ctx context.Context, c *alteration.Change, l *definition.Logical, needs map[string]alteration.Need) (bool, error) {
	columns := c.MayBeNull(l.Table, needs)
	if !slices.ContainsFunc(columns, func(name string) bool { return c.Before(name).Family != "" }) {
		return false, nil
	}
	all := true
	err := w.lookForNull(ctx, c, columns, func(_, _ int, null bool) bool {
		all = null
		return all
	})
	return all, err
}

// lookForNull looks at the rows of a locked table. Columns are given by the names that they get.
func (w *work) lookForNull(ctx context.Context, c *alteration.Change, columns []string, hand func(column, row int, null bool) bool) error {
	job := layers.Nulls{Query: w.client.Query, Ring: w.ring(), Table: c.Old}
	for _, name := range columns {
		job.Columns = append(job.Columns, c.Before(name))
	}
	err := w.plainServer().atUTC(ctx, func() error { return job.Look(ctx, hand) })
	if errors.Is(err, layers.ErrForeign) {
		return backfillError(w.o.Log, c.Old, err)
	}
	return err
}

// refusesNull is what a server says of a NULL in a column that is to take none.
func (p *plainServer) refusesNull(column string, row int) error {
	if p.flavor == value.MariaDB {
		return &sqlerr.Error{Number: dataTruncated, State: p.stateOf(value.Truncated), Message: "Data truncated for column '" + column + "' at row " + strconv.Itoa(row)}
	}
	return &sqlerr.Error{Number: invalidNull, State: "22004", Message: "Invalid use of NULL value"}
}

// invalidNull is ER_INVALID_USE_OF_NULL.
const invalidNull = 1138

// locked does something while nobody else uses a table, and those that its foreign keys lead to. A session that has locked
// tables itself has to have this one among them, or the server says so.
func (w *work) locked(ctx context.Context, c *alteration.Change, t *catalog.Table, do func(context.Context) error) (err error) {
	if !c.Definition.Temporary && !w.session.Locked {
		if err := w.client.Exec(ctx, "LOCK TABLES "+lockList(c.Old.QuotedName(), t)); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, w.client.Exec(context.WithoutCancel(ctx), "UNLOCK TABLES")) }()
	}
	return do(ctx)
}
