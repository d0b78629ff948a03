package definition

import (
	"cmp"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// A CHECK over a protected column is nothing that the server can check. One that every
// value of the column fulfils needs nobody: frameworks write such CHECKs beside types
// that say the same. It is in the logical definition alone.

// holds reports whether a CHECK is fulfilled by every value of the protected column that
// it is over, and by NULL: an UNSIGNED number that is not below zero, a JSON document
// that is valid.
func (d *Definition) holds(e ast.Expr) bool {
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
func (d *Definition) columnOf(e ast.Expr) *Column {
	name, ok := e.(*ast.ColName)
	if !ok {
		return nil
	}
	return d.Column(name.Name.String())
}

func unsigned(t *ast.ColumnType) bool {
	switch strings.ToLower(t.Type) {
	case "tinyint", "smallint", "mediumint", "int", "integer", "bigint", "decimal", "numeric", "float", "double", "real":
		return t.Unsigned || t.Zerofill
	}
	return false
}

// InColumns moves the CHECKs that MariaDB has in the definition of a column, and the
// parser behind those of all columns, to where they were: of CREATE TABLE, or of ALTER
// TABLE.
func InColumns(text string) string {
	all := showcreate.Tokens(text)
	from, end, create := 0, len(all), len(all) > 0 && all[0].Is(text, "CREATE")
	if create {
		for from < len(all) && !all[from].Is(text, "(") {
			from++
		}
		end = showcreate.GroupEnd(text, all, from) - 1
		from++
	}
	var moved []showcreate.Edit
	behind := map[string]int{} // where the definition of a column ends, by folded name
	for _, i := range showcreate.ItemsOf(text, all, from, end) {
		words := all[i.From:i.To]
		if at := slices.IndexFunc(words, func(t showcreate.Token) bool { return t.Is(text, "CONSTRAINT") }); at >= 0 && at+1 < len(words) {
			column, ok := tsql.ColumnOfCheck(identifier.Unquoted(words[at+1].Of(text)))
			if end, known := behind[catalog.Folded(column)]; ok && known {
				check := " " + text[words[at+2].From:words[len(words)-1].To]
				moved = append(moved, showcreate.Edit{Span: showcreate.Span{From: end, To: end}, Text: check}, showcreate.Edit{Span: showcreate.Span{From: all[i.From-1].From, To: words[len(words)-1].To}})
			}
		}
		if name := definedIn(text, words, create); name != "" {
			behind[catalog.Folded(name)] = words[len(words)-1].To
		}
	}
	slices.SortStableFunc(moved, func(a, b showcreate.Edit) int { return cmp.Or(a.From-b.From, a.To-b.To) })
	return showcreate.Edited(text, moved...)
}

// definedIn is the column that an item of CREATE TABLE or ALTER TABLE defines, "" if it
// defines none.
func definedIn(text string, words []showcreate.Token, create bool) string {
	at := 0
	if !create {
		at = slices.IndexFunc(words, func(t showcreate.Token) bool { return t.Is(text, "COLUMN") }) + 1
		if at == 0 {
			return ""
		}
		if words[at-1] != words[0] && words[at-2].Is(text, "CHANGE") {
			at++
		}
	}
	if at >= len(words) || words[at].Kind != showcreate.TokenName {
		return ""
	}
	return identifier.Unquoted(words[at].Of(text))
}
