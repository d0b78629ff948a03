package ddl

import (
	"context"
	"errors"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/eval"
	"tunic/internal/guard"
	"tunic/internal/layers"
	"tunic/internal/sqlerr"
)

// judges finds what the rows that are there have to be looked at for: CHECKs that are
// new. more says that they would have to be computed for something else as well: for a
// generated column, or one with an expression as DEFAULT, that is new, or for what is computed from a column of another type
// than before.
func (c *change) judges(guards *guard.Set, next *catalog.Table, needs map[string]need) (checks []*guard.Guard, more bool) {
	if guards == nil {
		return nil, false
	}
	retyped := func(i int) bool {
		return needs[catalog.Folded(next.Columns[i].Name)] == anew || c.converts(&next.Columns[i])
	}
	for _, g := range guards.Checks {
		more = more || slices.ContainsFunc(g.Reads, retyped)
		if !c.hadCheck(g, next) {
			checks = append(checks, g)
		}
	}
	for _, g := range guards.Computed {
		column := &next.Columns[g.Column]
		if !column.Generated { // a DEFAULT: rows from before get one of their own each
			more = more || needs[catalog.Folded(column.Name)] == wantsValue
			continue
		}
		old := c.before(column.Name)
		had := old != nil && old.Generated && old.Default.Text == column.Default.Text && needs[catalog.Folded(column.Name)] != anew
		more = more || !had || slices.ContainsFunc(g.Reads, retyped)
	}
	return checks, more
}

// converts reports whether the server converts the values of a plain column, of which
// guards have been computed.
func (c *change) converts(column *catalog.Column) bool {
	old := c.before(column.Name)
	return old != nil && !column.Protected() &&
		(old.TypeText != column.TypeText || old.CollationName != column.CollationName || old.Type.NotNull != column.Type.NotNull)
}

// lookAt looks whether the rows of a locked table fulfil new CHECKs. Columns have to be
// protected, as they were before; one that is new is NULL in all rows.
func (w *work) lookAt(ctx context.Context, c *change, guards *guard.Set, checks []*guard.Guard) error {
	next := guards.Table
	for _, k := range checks {
		for _, i := range k.Reads {
			old, column := c.before(next.Columns[i].Name), &next.Columns[i]
			if !column.Protected() || old != nil && !old.Protected() || old == nil && column.Default.Kind != catalog.DefaultNull {
				return sqlerr.CheckRows(c.old.Name)
			}
		}
	}
	now, err := w.now(ctx)
	if err != nil {
		return err
	}
	job := layers.Judge{
		Query: w.client.Query, Ring: w.ring(), Table: c.old, Guards: guards, Checks: checks,
		Old:     func(i int) *catalog.Column { return c.before(next.Columns[i].Name) },
		Session: definition.SessionOf(w.surroundings()), In: eval.Inputs{Env: &w.session.Env, Now: now, ZoneUnknown: w.session.Env.Location == nil},
	}
	var bad *guard.Guard
	err = w.atUTC(ctx, func() (err error) {
		bad, err = job.Look(ctx)
		return err
	})
	w.result.Rows = uint64(job.Rows())
	switch {
	case bad != nil:
		return bad.Violation(next, w.o.Flavor)
	case errors.Is(err, layers.ErrConversion):
		return sqlerr.CheckRows(c.old.Name)
	case errors.Is(err, layers.ErrNoKey), errors.Is(err, layers.ErrForeign):
		return w.fillError(c.old, err)
	}
	return err
}

// hadCheck reports whether the table had a CHECK of the same clause before.
func (c *change) hadCheck(g *guard.Guard, next *catalog.Table) bool {
	at := slices.IndexFunc(next.Checks, func(k catalog.Check) bool { return k.Name == g.Name && (k.Column != "") == g.InColumn })
	return at >= 0 && slices.ContainsFunc(c.old.Checks, func(k catalog.Check) bool { return k.Clause == next.Checks[at].Clause })
}
