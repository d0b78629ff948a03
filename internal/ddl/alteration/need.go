package alteration

import (
	"maps"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
)

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
			terms = append(terms, identifier.Quoted(c.Before(name).Name)+" IS NOT NULL")
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
