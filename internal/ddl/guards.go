package ddl

import (
	"context"
	"errors"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/eval"
	"tunic/internal/guard"
	"tunic/internal/layers"
	"tunic/internal/sqlerr"
)

// lookAt looks whether the rows of a locked table fulfil new CHECKs. Columns have to be
// protected, as they were before; one that is new is NULL in all rows.
func (w *work) lookAt(ctx context.Context, c *alteration.Change, guards *guard.Set, checks []*guard.Guard) error {
	next := guards.Table
	for _, k := range checks {
		for _, i := range k.Reads {
			old, column := c.Before(next.Columns[i].Name), &next.Columns[i]
			if !column.Protected() || old != nil && !old.Protected() || old == nil && column.Default.Kind != catalog.DefaultNull {
				return sqlerr.CheckRows(c.Old.Name)
			}
		}
	}
	now, err := w.plainServer().now(ctx)
	if err != nil {
		return err
	}
	job := layers.Judge{
		Query: w.client.Query, Ring: w.ring(), Table: c.Old, Guards: guards, Checks: checks,
		Old:     func(i int) *catalog.Column { return c.Before(next.Columns[i].Name) },
		Session: definition.SessionOf(w.surroundings()), In: eval.Inputs{Env: &w.session.Env, Now: now, ZoneUnknown: w.session.Env.Location == nil},
	}
	var bad *guard.Guard
	err = w.plainServer().atUTC(ctx, func() (err error) {
		bad, err = job.Look(ctx)
		return err
	})
	w.result.Rows = uint64(job.Rows())
	switch {
	case bad != nil:
		return bad.Violation(next, w.o.Flavor)
	case errors.Is(err, layers.ErrConversion):
		return sqlerr.CheckRows(c.Old.Name)
	case errors.Is(err, layers.ErrNoKey), errors.Is(err, layers.ErrForeign):
		return backfillError(w.o.Log, c.Old, err)
	}
	return err
}
