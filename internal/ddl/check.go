package ddl

import (
	"cmp"
	"slices"
	"strings"

	"tunic/internal/catalog"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// A CHECK over a protected column is nothing that the server can check. One that every
// value of the column fulfils needs nobody: frameworks write such CHECKs beside types
// that say the same. It is in the logical definition alone.

// holds reports whether a CHECK is fulfilled by every value of the protected column that
// it is over, and by NULL: an UNSIGNED number that is not below zero, a JSON document
// that is valid.
func (d *definition) holds(e ast.Expr) bool {
	switch n := e.(type) {
	case *ast.ComparisonExpr:
		zero, ok := n.Right.(*ast.Literal)
		c := d.columnOf(n.Left)
		return ok && c != nil && n.Operator == ast.GreaterEqualOp && zero.Type == ast.IntVal && zero.Val == "0" && unsigned(c.Type)
	case *ast.JSONAttributesExpr:
		c := d.columnOf(n.JSONDoc)
		return c != nil && n.Type == ast.ValidAttributeType && strings.EqualFold(c.Type.Type, "json")
	}
	return false
}

// columnOf is the column that an expression is the name of, nil if it is none.
func (d *definition) columnOf(e ast.Expr) *column {
	name, ok := e.(*ast.ColName)
	if !ok {
		return nil
	}
	return d.column(name.Name.String())
}

func unsigned(t *ast.ColumnType) bool {
	switch strings.ToLower(t.Type) {
	case "tinyint", "smallint", "mediumint", "int", "integer", "bigint", "decimal", "numeric", "float", "double", "real":
		return t.Unsigned || t.Zerofill
	}
	return false
}

// inColumns moves the CHECKs that MariaDB has in the definition of a column, and the
// parser behind those of all columns, to where they were: of CREATE TABLE, or of ALTER
// TABLE.
func inColumns(text string) string {
	all := tokens(text)
	from, end, create := 0, len(all), len(all) > 0 && all[0].is(text, "CREATE")
	if create {
		for from < len(all) && !all[from].is(text, "(") {
			from++
		}
		end = group(text, all, from) - 1
		from++
	}
	var moved []edit
	behind := map[string]int{} // where the definition of a column ends, by folded name
	for _, i := range itemsOf(text, all, from, end) {
		words := all[i.from:i.to]
		if at := slices.IndexFunc(words, func(t token) bool { return t.is(text, "CONSTRAINT") }); at >= 0 && at+1 < len(words) {
			column, ok := tsql.ColumnOfCheck(unquoteName(words[at+1].of(text)))
			if end, known := behind[foldName(column)]; ok && known {
				check := " " + text[words[at+2].from:words[len(words)-1].to]
				moved = append(moved, edit{span: span{from: end, to: end}, text: check}, edit{span: span{from: all[i.from-1].from, to: words[len(words)-1].to}})
			}
		}
		if name := definedIn(text, words, create); name != "" {
			behind[foldName(name)] = words[len(words)-1].to
		}
	}
	slices.SortStableFunc(moved, func(a, b edit) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	return edited(text, moved...)
}

// itemsOf are the parts between commas that are in no parentheses, as spans of tokens.
func itemsOf(text string, all []token, from, end int) (items []span) {
	at := from
	for i := from; i < end; i++ {
		switch {
		case all[i].is(text, "("):
			i = group(text, all, i) - 1
		case all[i].is(text, ","):
			items = append(items, span{from: at, to: i})
			at = i + 1
		}
	}
	if at < end {
		items = append(items, span{from: at, to: end})
	}
	return items
}

// definedIn is the column that an item of CREATE TABLE or ALTER TABLE defines, "" if it
// defines none.
func definedIn(text string, words []token, create bool) string {
	at := 0
	if !create {
		at = slices.IndexFunc(words, func(t token) bool { return t.is(text, "COLUMN") }) + 1
		if at == 0 {
			return ""
		}
		if words[at-1] != words[0] && words[at-2].is(text, "CHANGE") {
			at++
		}
	}
	if at >= len(words) || words[at].kind != tokenName {
		return ""
	}
	return unquoteName(words[at].of(text))
}

// notEnforced is behind a CHECK that MySQL does not look at.
const notEnforced = "/*!80016 NOT ENFORCED */"

// overProtected reports whether a text has the name of a protected column in it.
func overProtected(t *catalog.Table, text string) bool {
	return slices.ContainsFunc(tokens(text), func(word token) bool {
		at := -1
		if word.kind == tokenName {
			at = t.Column(unquoteName(word.of(text)))
		}
		return at >= 0 && t.Columns[at].Protected()
	})
}

// followChecks lets CHECKs go with their columns, as servers do. Where one is over other columns too
// the server says so, unless it is of the logical definition alone: that, and another name of its
// column, which MySQL refuses, is refused.
func (c *change) followChecks(flavor value.Flavor) error {
	left := map[string]bool{} // the columns that were there and are to be
	for _, old := range c.names {
		left[foldName(old)] = true
	}
	for i := range c.shown.Checks {
		k := &c.shown.Checks[i]
		if c.gone[foldName(k.Name)] {
			continue
		}
		stay, gone, renamed := c.columnsOf(k, left)
		switch ownOnly := overProtected(c.old, k.Text); {
		case gone == 0 && (renamed == 0 || !ownOnly):
		case ownOnly && (flavor == value.MariaDB || renamed > 0 || stay > 0):
			return sqlerr.DefinitionForm(c.old.Name, "dropping a column with a CHECK, or giving it another name")
		case stay == 0 && renamed == 0:
			c.gone[foldName(k.Name)] = true
		}
	}
	return nil
}

// columnsOf counts the columns that a CHECK names: those that stay under their names, that go, and
// that get other names.
func (c *change) columnsOf(k *shownCheck, left map[string]bool) (stay, gone, renamed int) {
	for _, word := range tokens(k.Text) {
		name := foldName(unquoteName(word.of(k.Text)))
		switch {
		case word.kind != tokenName || c.old.Column(name) < 0:
		case foldName(c.names[name]) == name:
			stay++
		case left[name]:
			renamed++
		default:
			gone++
		}
	}
	return stay, gone, renamed
}

// Check is a CHECK of a protected table's logical definition that its stored table has
// not.
type Check struct {
	Name string
	// Column is a protected column that it is over.
	Column string
	// InColumn says that MariaDB has it in the definition of the column.
	InColumn bool
	// Clause is what has to hold, as servers show it.
	Clause string
	// lax says that MySQL does not enforce it.
	lax bool
}

// checksOf are the CHECKs over protected columns, but for those that MariaDB makes of
// the type JSON.
func checksOf(t *catalog.Table, account *shown) (all []Check) {
	for i := range account.Columns {
		c, text := &t.Columns[i], account.Columns[i].Text
		if at := readColumn(text).check; !at.empty() && !c.ValidJSON && overProtected(t, text[at.from:at.to]) {
			all = append(all, Check{Name: c.Name, Column: c.Name, InColumn: true, Clause: clauseOf(text[at.from:at.to])})
		}
	}
	for i := range account.Checks {
		k := &account.Checks[i]
		for j := range t.Columns {
			if c := &t.Columns[j]; c.Protected() && overProtected(t, k.Text) && strings.Contains(k.Text, catalog.Quoted(c.Name)) {
				all = append(all, Check{Name: k.Name, Column: c.Name, Clause: clauseOf(k.Text), lax: strings.Contains(k.Text, notEnforced)})
				break
			}
		}
	}
	return all
}

// clauseOf is what stands in the parentheses of CHECK (…).
func clauseOf(check string) string {
	all := tokens(check)
	end := group(check, all, 1)
	return check[all[1].to:all[end-1].from]
}
