package alteration

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/guard"
)

// Judges finds what the rows that are there have to be looked at for: CHECKs that are
// new. more says that they would have to be computed for something else as well: for a
// generated column, or one with an expression as DEFAULT, that is new, or for what is computed from a column of another type
// than before.
func (c *Change) Judges(guards *guard.Set, next *catalog.Table, needs map[string]Need) (checks []*guard.Guard, more bool) {
	if guards == nil {
		return nil, false
	}
	anew := func(column *catalog.Column) bool {
		return needs[catalog.Folded(column.Name)] == NeedsForms && !c.keepsValues(column)
	}
	retyped := func(i int) bool { return anew(&next.Columns[i]) || c.converts(&next.Columns[i]) }
	for _, g := range guards.Checks {
		more = more || slices.ContainsFunc(g.Reads, retyped)
		if !c.hadCheck(g, next) {
			checks = append(checks, g)
		}
	}
	for _, g := range guards.Computed {
		column := &next.Columns[g.Column]
		if !column.Generated { // a DEFAULT: rows from before get one of their own each
			more = more || needs[catalog.Folded(column.Name)] == NeedsValue
			continue
		}
		old := c.Before(column.Name)
		had := old != nil && old.Generated && old.Default.Text == column.Default.Text && !anew(column)
		more = more || !had || slices.ContainsFunc(g.Reads, retyped)
	}
	return checks, more
}

// keepsValues reports whether a column has the values that it had, in whatever forms: it leaves its family, or its tokens are of another
// domain.
func (c *Change) keepsValues(column *catalog.Column) bool {
	old := c.Before(column.Name)
	return old != nil && old.TypeText == column.TypeText && old.CollationName == column.CollationName && old.Protected() == column.Protected() &&
		old.ValidJSON == column.ValidJSON
}

// converts reports whether the server converts the values of a plain column, of which
// guards have been computed.
func (c *Change) converts(column *catalog.Column) bool {
	old := c.Before(column.Name)
	return old != nil && !column.Protected() &&
		(old.TypeText != column.TypeText || old.CollationName != column.CollationName || old.Type.NotNull != column.Type.NotNull)
}

// hadCheck reports whether the table had a CHECK of the same clause before.
func (c *Change) hadCheck(g *guard.Guard, next *catalog.Table) bool {
	at := slices.IndexFunc(next.Checks, func(k catalog.Check) bool { return k.Name == g.Name && (k.Column != "") == g.InColumn })
	return at >= 0 && slices.ContainsFunc(c.Old.Checks, func(k catalog.Check) bool { return k.Clause == next.Checks[at].Clause })
}
