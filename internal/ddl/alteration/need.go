package alteration

import (
	"maps"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/identifier"
	"tunic/internal/value"
)

// Need is what a change has to do to the stored values of a column.
type Need uint8

const (
	NeedsNothing Need = iota // nothing: what is stored is right
	NeedsToken               // a layer is not there yet
	NeedsValue               // the column is new, and rows from before get a value
	NeedsForms               // all forms have to be made anew
)

// Needs are the columns of the table to come that need something, by folded name.
func (c *Change) Needs(next *catalog.Table) map[string]Need {
	all := map[string]Need{}
	for i := range next.Columns {
		column := &next.Columns[i]
		name := catalog.Folded(column.Name)
		at := c.Old.Column(c.Names[name])
		switch {
		case c.Names[name] != "" && at >= 0:
			all[name] = c.needOf(c.was(column.Name), column)
		case column.Protected() && column.Family == "" && c.filledFor(column.Name) == nil && column.Default.Kind != catalog.DefaultNull:
			all[name] = NeedsValue // in a family it has one in rows of the layouts before
		}
	}
	return all
}

// needOf is what a column needs that goes on.
func (c *Change) needOf(old, next *catalog.Column) Need {
	switch {
	case !old.Protected() && !next.Protected():
		return NeedsNothing
	case old.Protected() != next.Protected(), old.Family != next.Family, !value.Widens(&old.Type, &next.Type), next.ValidJSON && !old.ValidJSON:
		return NeedsForms
	}
	out := NeedsNothing
	for i := range next.Layers {
		l := &next.Layers[i]
		if form.TokenBytes(l, &old.Type) != form.TokenBytes(l, &next.Type) || collationName(&old.Type) != collationName(&next.Type) {
			return NeedsForms
		}
		before := old.Layer(l.Capability)
		switch {
		case before == nil, before.State == catalog.Backfilling && before.Job == 0 && !c.Backfilled:
			out = NeedsToken
		case before.Scheme != l.Scheme || before.Epoch != l.Epoch || old.Domain != next.Domain:
			return NeedsForms
		case before.State == catalog.Backfilling && l.State == catalog.Ready && !c.Backfilled:
			out = NeedsToken // a job's
		}
	}
	return out
}

// Rewritten are the columns whose stored values have to be made anew.
func Rewritten(needs map[string]Need) map[string]bool {
	all := map[string]bool{}
	for name, n := range needs {
		all[name] = n == NeedsForms
	}
	return all
}

func collationName(t *value.Type) string {
	if t.Collation == nil {
		return ""
	}
	return t.Collation.Name
}

// MostNeeded is a column that needs most, the first by its name.
func MostNeeded(needs map[string]Need) (column string, most Need) {
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		if needs[name] > most {
			column, most = name, needs[name]
		}
	}
	return column, most
}

// Wanting says that rows lack something that can be backfilled beside clients.
func Wanting(needs map[string]Need) bool {
	for _, n := range needs {
		if n == NeedsToken || n == NeedsValue {
			return true
		}
	}
	return false
}

// OnlyWithValues is the condition of rows that a change has to do something with: those
// with a value in a column whose forms are made anew, if that is all there is to do and the server sees which they are. A
// new column is NULL in all rows.
func (c *Change) OnlyWithValues(next *catalog.Table, needs map[string]Need) string {
	var terms []string
	for _, name := range c.MayBeNull(next, needs) {
		column := c.Before(name)
		if column.Family != "" {
			return ""
		}
		terms = append(terms, identifier.Quoted(column.Stored())+" IS NOT NULL")
	}
	if len(terms) == 0 {
		return ""
	}
	slices.Sort(terms)
	return " WHERE " + strings.Join(terms, " OR ")
}

// MayBeNull are the columns whose forms are made anew and that may be NULL, if there is nothing else to do.
func (c *Change) MayBeNull(next *catalog.Table, needs map[string]Need) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(needs)) {
		switch column := next.Columns[next.Column(name)]; {
		case needs[name] == NeedsNothing:
		case needs[name] != NeedsForms || column.Type.NotNull:
			return nil
		default:
			names = append(names, column.Name)
		}
	}
	return names
}

// Tightened are the protected columns that take no NULL any more.
func (c *Change) Tightened(next *catalog.Table) (names []string) {
	for i := range next.Columns {
		column := &next.Columns[i]
		old := c.Before(column.Name)
		if column.Protected() && column.Type.NotNull && old != nil && !old.Type.NotNull {
			names = append(names, column.Name)
		}
	}
	return names
}

// Narrowed are all columns that take no NULL any more.
func (c *Change) Narrowed(next *catalog.Table) (names []string) {
	for i := range next.Columns {
		if column, old := &next.Columns[i], c.Before(next.Columns[i].Name); column.Type.NotNull && old != nil && !old.Type.NotNull {
			names = append(names, column.Name)
		}
	}
	return names
}

// Unseen are those that are Tightened in which the server does not see NULLs: they are in a family, and have no layer that is made NOT NULL
// with them.
func (c *Change) Unseen(next *catalog.Table, needs map[string]Need) (names []string) {
	for _, name := range c.Tightened(next) {
		column := &next.Columns[next.Column(name)]
		old := c.was(name)
		seen := slices.ContainsFunc(column.Layers, func(l catalog.Layer) bool {
			before := old.Layer(l.Capability)
			return before != nil && (before.State == catalog.Ready || c.Backfilled) && !form.TakesNull(&l)
		})
		if column.Family != "" && !seen {
			names = append(names, column.Name)
		}
	}
	return names
}

// ShowsNull is a stored column that is NULL where a column of the table to come is, while both are there; "" if there is none.
func (c *Change) ShowsNull(name string) string {
	old := c.was(name)
	if resealed := c.Resealed[catalog.Folded(name)]; resealed != "" {
		return resealed
	}
	if old.Family == "" {
		return old.Stored()
	}
	at := slices.IndexFunc(old.Layers, func(l catalog.Layer) bool { return l.State == catalog.Ready || c.Backfilled })
	if at < 0 {
		return ""
	}
	return old.Layers[at].Stored
}
