package plan

import (
	"cmp"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// Grant gives or takes privileges on columns of a protected table: the server is
// sent the client's text, with the stored columns of each column behind its name. So a
// privilege on a column is one on all of its forms.
//
// The form of a family has the values of all its members. Who may use it may use none of them by that: in a table
// with families no fence is given, so that what such a client's statements use of a family names the members
// (build/member.go), and the server decides about each.
type Grant struct {
	Table *catalog.Table
	gives bool
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
	if name := ofTunic(cmp.Or(t, v), slices.Concat(g.Lists...)); name != "" {
		p.refuse(unknownColumn(name, g.Table.Name))
		return true
	}
	if t == nil || len(g.Lists) == 0 {
		return true
	}
	if len(t.Families) > 0 && !t.Fenced { // nothing would have its members named
		p.refuse(sqlerr.StatementRefused("GRANT of columns of a table that has families and no fence"))
		return true
	}
	made := &Grant{Table: t, gives: read[0].Kind == sql.Grant}
	for _, list := range g.Lists {
		made.list(list)
	}
	p.Action = made
	return true
}

// list adds what is stored of the columns behind one privilege.
func (g *Grant) list(columns []sql.Span) {
	var listed []int
	for _, c := range columns {
		listed = append(listed, g.Table.Column(c.Name))
	}
	for at, i := range listed {
		if i >= 0 {
			g.add(columns[at].To, i, listed)
		}
	}
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

// unknownColumn is what servers say of a column that a table does not have (MySQL's error
// reference, ER_BAD_FIELD_ERROR).
func unknownColumn(column, table string) *sqlerr.Error {
	return &sqlerr.Error{Number: 1054, State: "42S22", Message: "Unknown column '" + column + "' in '" + table + "'"}
}

// add puts what is stored of a column behind its name: its layers, the form of its family, and the fence, where it is
// given. There may be several lists, and a column twice in one is as good as once.
func (g *Grant) add(at, column int, listed []int) {
	t := g.Table
	var stored []string
	for _, l := range t.Columns[column].Layers {
		stored = append(stored, l.Stored)
	}
	if f := t.FamilyOf(column); f != nil && (g.gives || containsAll(listed, t.Members(f))) {
		stored = append(stored, f.Stored)
	}
	if fence := t.Fence(); fence != "" && g.gives && len(t.Families) == 0 { // who may do something with one column has to name it
		stored = append(stored, fence)
	}
	if len(stored) == 0 {
		return
	}
	var names strings.Builder
	for _, name := range stored {
		names.WriteString(", " + identifier.Quoted(name))
	}
	g.edits = append(g.edits, grantEdit{at, names.String()})
}

// containsAll reports whether columns are all among others. Where a REVOKE does not name all of a family, the account may
// have the same privilege on the others.
func containsAll(all, columns []int) bool {
	return !slices.ContainsFunc(columns, func(i int) bool { return !slices.Contains(all, i) })
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
