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
	case old.Protected() != next.Protected(), !value.Widens(&old.Type, &next.Type), next.ValidJSON && !old.ValidJSON:
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
// with a value in a column whose forms are made anew, if that is all there is to do. A
// new column is NULL in all rows.
func (c *Change) OnlyWithValues(next *catalog.Table, needs map[string]Need) string {
	var terms []string
	for name, need := range needs {
		switch column := next.Columns[next.Column(name)]; {
		case need == NeedsNothing:
		case need != NeedsForms || column.Type.NotNull:
			return ""
		default:
			terms = append(terms, identifier.Quoted(c.Before(name).Stored())+" IS NOT NULL")
		}
	}
	slices.Sort(terms)
	return " WHERE " + strings.Join(terms, " OR ")
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
