package show

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
)

// A client that reaches plain tables only is told nothing of protected ones, as a server tells who
// has no privilege on a table nothing of it: their rows are left out.

// untold are the tables and views whose rows are left out, of those that the client may know of.
type untold []*catalog.Table

// untoldOf finds them by schemas and names.
func untoldOf(c *catalog.Catalog, visible [][2]string) (all untold) {
	for _, name := range visible {
		of := c.Table(name[0], name[1])
		if of == nil {
			of = c.View(name[0], name[1])
		}
		if of != nil {
			all = append(all, of)
		}
	}
	return all
}

// condition hides the rows that are about them, of a table of information_schema with these columns, of which
// schema is the one with the schema's name; "" if there are none.
func (u untold) condition(relation, schema string, columns []string, folds bool) string {
	named := func(c string) bool { return strings.EqualFold(c, "TABLE_NAME") }
	switch {
	case len(u) == 0:
		return ""
	case slices.ContainsFunc(columns, named):
		return "NOT (" + u.are([]string{schema, "TABLE_NAME"}, "r.", folds) + ")"
	case relation == "check_constraints": // MySQL's says of no table
		return "(r.CONSTRAINT_SCHEMA, r.CONSTRAINT_NAME) NOT IN (SELECT o.CONSTRAINT_SCHEMA, o.CONSTRAINT_NAME FROM information_schema.TABLE_CONSTRAINTS AS o WHERE " +
			u.are([]string{"TABLE_SCHEMA", "TABLE_NAME"}, "o.", folds) + ")"
	}
	return ""
}

// are is the condition that keys name one of them.
func (u untold) are(keys []string, of string, folds bool) string {
	all := make([]string, len(u))
	for i, t := range u {
		all[i] = keysAre(keys, of, []string{inUTF8(literal(t.Schema)), inUTF8(literal(t.Name))}, folds)
	}
	return strings.Join(all, " OR ")
}
