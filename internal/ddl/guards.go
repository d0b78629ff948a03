package ddl

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/eval"
	"tunic/internal/guard"
	"tunic/internal/layers"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// holdTo finds the CHECKs that tunic has to hold rows to, in the order in which servers
// look at them: MariaDB begins with those in the definitions of columns.
func (l *logical) holdTo() {
	l.table.Checks = nil
	for _, k := range account.ChecksOf(l.table, l.shown) {
		if k.Lax || alwaysHolds(l.table, k.Clause) {
			continue
		}
		made := catalog.Check{Name: k.Name, Clause: k.Clause}
		if k.InColumn {
			made.Column = k.Name
		}
		l.table.Checks = append(l.table.Checks, made)
	}
}

// alwaysHolds reports whether every value of the protected column that a CHECK is over
// fulfils it, as servers show the CHECKs of holds.
func alwaysHolds(t *catalog.Table, clause string) bool {
	words := showcreate.Tokens(clause)
	at := slices.IndexFunc(words, func(w showcreate.Token) bool { return w.Kind == showcreate.TokenName })
	if at < 0 {
		return false
	}
	name := words[at].Of(clause)
	i := t.Column(showcreate.UnquoteName(name))
	if i < 0 {
		return false
	}
	c, bare := &t.Columns[i], strings.TrimSuffix(strings.TrimPrefix(clause, "("), ")")
	return c.Type.Unsigned && bare == name+" >= 0" || (c.ValidJSON || c.Type.Kind == value.JSON) && clause == "json_valid("+name+")"
}

// sessionOf is a session in which guards are tried: what is not known of the client's has
// its default.
func sessionOf(s *surroundings) eval.Session {
	return eval.Session{
		Flavor: s.env.Flavor, Version: s.env.Version, Mode: s.env.Mode, Collation: s.literals,
		ConcatMax: 1024, DivPrecision: 4, EnglishNames: true, BlockMode: "aes-128-ecb",
	}
}

// notComputed is why a guard is refused.
const notComputed = "tunic does not compute its expression as the server does"

// computable refuses guards that are not known to come out as the server's.
func computable(t *catalog.Table, s *surroundings) error {
	guards, err := guard.Of(t, s.env.Flavor)
	if err != nil {
		return sqlerr.DefinitionForm(t.Name, "an expression that tunic cannot read in the form in which the server shows it")
	}
	bad := guards.Incomputable(sessionOf(s), s.env)
	switch {
	case bad == nil:
		return nil
	case bad.Column >= 0 && t.Columns[bad.Column].Generated:
		return sqlerr.GeneratedColumn(t.Columns[bad.Column].Name, notComputed)
	case bad.Column >= 0:
		return sqlerr.DefaultExpression(t.Columns[bad.Column].Name, notComputed)
	case len(bad.Reads) > 0:
		return sqlerr.CheckOver(t.Columns[bad.Reads[0]].Name, notComputed)
	}
	return sqlerr.CheckOver("", notComputed)
}

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
		Session: sessionOf(w.surroundings()), In: eval.Inputs{Env: &w.session.Env, Now: now, ZoneUnknown: w.session.Env.Location == nil},
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
