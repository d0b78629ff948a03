package plan

import (
	"cmp"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// Grant gives or takes privileges on columns of a protected table: the server is
// sent the client's text, with the stored columns of each column behind its name. So a
// privilege on a column is one on all of its forms. Columns of families are not granted.
type Grant struct {
	Table *catalog.Table
	fence string // "" if it is not granted
	edits []grantEdit
}

// grantEdit puts names into a text, before text[at].
type grantEdit struct {
	at    int
	names string
}

// Text is what the server is sent.
func (g *Grant) Text(text []byte) []byte {
	var out []byte
	at := 0
	for _, e := range g.edits {
		out = append(append(out, text[at:e.at]...), e.names...)
		at = e.at
	}
	return append(out, text[at:]...)
}

// grants plans a text that gives or takes privileges on a table, and reports whether it
// has. Stored tables have the names of logical ones, and accounts are the server's.
func (k *knowledge) grants(p *Plan, read []sql.Statement) bool {
	if k.catalog == nil || len(read) != 1 || read[0].Kind != sql.Grant && read[0].Kind != sql.Revoke {
		return false
	}
	g, ok := read[0].Granted()
	if !ok {
		return false
	}
	schema := g.Table.Schema
	if schema == "" {
		schema, p.OfSchema = k.schema, true
	}
	if coversOwn(schema, g.Table.Name == "") {
		p.refuse(sqlerr.OwnSchema())
		return true
	}
	t, v := k.catalog.Table(schema, g.Table.Name), k.catalog.View(schema, g.Table.Name)
	if name := ofTunic(cmp.Or(t, v), g.Columns); name != "" {
		p.refuse(unknownColumn(name, g.Table.Name))
		return true
	}
	if t == nil || len(g.Columns) == 0 {
		return true
	}
	if name := member(t, g.Columns); name != "" && read[0].Kind == sql.Grant {
		p.refuse(sqlerr.GrantMember(name))
		return true
	}
	made := &Grant{Table: t}
	if read[0].Kind == sql.Grant { // who may do something with one column has to name the fence for it
		made.fence = t.Fence()
	}
	for _, c := range g.Columns {
		if i := t.Column(c.Name); i >= 0 {
			made.add(c.To, &t.Columns[i])
		}
	}
	p.Action = made
	return true
}

// ofTunic is the first of some columns that a table or view has at the server alone, ""
// if there is none: the column of a layer, or the mark of a view.
func ofTunic(t *catalog.Table, columns []sql.Span) string {
	for _, c := range columns {
		if t != nil && t.Column(c.Name) < 0 && (catalog.Reserved(c.Name) || t.StoredColumn(c.Name).Layer != nil || strings.HasPrefix(strings.ToLower(c.Name), "tunic$")) {
			return c.Name
		}
	}
	return ""
}

// member is the first of some columns that is in a family, "" if none is: the family's stored column has
// the values of all its members, so that none of them can be granted alone. What is taken can only be
// what was given around tunic, or before the column was in a family.
func member(t *catalog.Table, columns []sql.Span) string {
	for _, c := range columns {
		if i := t.Column(c.Name); i >= 0 && t.Columns[i].Family != "" {
			return t.Columns[i].Name
		}
	}
	return ""
}

// unknownColumn is what servers say of a column that a table does not have (MySQL's error
// reference, ER_BAD_FIELD_ERROR).
func unknownColumn(column, table string) *sqlerr.Error {
	return &sqlerr.Error{Number: 1054, State: "42S22", Message: "Unknown column '" + column + "' in '" + table + "'"}
}

// add puts the stored columns of a column's layers behind its name, and the fence: there
// may be several lists, and a column twice in one is as good as once.
func (g *Grant) add(at int, c *catalog.Column) {
	var names strings.Builder
	for _, l := range c.Layers {
		names.WriteString(", " + identifier.Quoted(l.Stored))
	}
	if g.fence != "" {
		names.WriteString(", " + identifier.Quoted(g.fence))
	}
	if names.Len() > 0 {
		g.edits = append(g.edits, grantEdit{at, names.String()})
	}
}

// coversOwn reports whether a schema is tunic's own, or, if it is a pattern, may be: _
// and % stand for any character and any number of them (MySQL manual, "GRANT Statement").
// One of every schema is let pass: tunic answers nothing about its own, whoever may.
func coversOwn(schema string, pattern bool) bool {
	if strings.EqualFold(schema, catalog.Schema) {
		return true
	}
	return pattern && strings.Trim(schema, "%") != "" && matchesOwn(strings.ToLower(schema), catalog.Schema)
}

// matchesOwn reports whether a pattern matches a name.
func matchesOwn(pattern, name string) bool {
	switch {
	case pattern == "":
		return name == ""
	case pattern[0] == '%':
		return matchesOwn(pattern[1:], name) || name != "" && matchesOwn(pattern, name[1:])
	case name == "":
		return false
	case pattern[0] == '\\' && len(pattern) > 1:
		return pattern[1] == name[0] && matchesOwn(pattern[2:], name[1:])
	}
	return (pattern[0] == '_' || pattern[0] == name[0]) && matchesOwn(pattern[1:], name[1:])
}
