package show

import (
	"strings"

	"tunic/internal/plan"
	"tunic/internal/sql/ast"
)

// only are the tables that a statement can be told of, by the relation it reads:
// where it asks for tables by their names, as most do, the facts of all others are
// left out of the text. A relation without an entry is asked for all.
type only map[string][]string

// onlyOf finds, for each relation, the names that every reading of it is held to.
func onlyOf(root ast.Node) only {
	found, all := only{}, map[string]bool{}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.Select:
			held := heldTo(n)
			for alias, relation := range readBy(n) {
				if names, ok := held[alias]; ok {
					found[relation] = append(found[relation], names...)
				} else {
					all[relation] = true
				}
			}
		case *ast.Update, *ast.Delete:
			clear(found)
			all["columns"], all["statistics"], all["tables"] = true, true, true
		}
		return true, nil
	}, root)
	for relation := range all {
		delete(found, relation)
	}
	return found
}

// readBy are the tables in the FROM of a query, by the names of their columns'
// qualifiers, in lower case. Two of a name are one.
func readBy(q *ast.Select) map[string]string {
	read := map[string]string{}
	for _, from := range q.From {
		_ = ast.Walk(func(n ast.Node) (bool, error) {
			t, ok := n.(*ast.AliasedTableExpr)
			if !ok {
				return true, nil
			}
			if table, ok := t.Expr.(ast.TableName); ok {
				relation := strings.ToLower(table.Name.String())
				alias := relation
				if !t.As.IsEmpty() {
					alias = strings.ToLower(t.As.String())
				}
				read[alias] = relation
			}
			return false, nil // what is in a derived table is a query of its own
		}, from)
	}
	return read
}

// heldTo are the names that a query's condition holds TABLE_NAME to, by qualifier.
func heldTo(q *ast.Select) map[string][]string {
	held := map[string][]string{}
	if q.Where == nil {
		return held
	}
	read := readBy(q)
	var visit func(ast.Expr)
	visit = func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.AndExpr:
			visit(e.Left)
			visit(e.Right)
		case *ast.ComparisonExpr:
			c, ok := e.Left.(*ast.ColName)
			if !ok || c.Name.Lowered() != "table_name" {
				return
			}
			alias := strings.ToLower(c.Qualifier.Name.String())
			if alias == "" && len(read) == 1 {
				for alias = range read {
				}
			}
			if names := literals(e); names != nil && alias != "" {
				held[alias] = names
			}
		}
	}
	visit(q.Where.Expr)
	return held
}

// literals are the strings of = 'a' and IN ('a', 'b'), nil of anything else.
func literals(e *ast.ComparisonExpr) (names []string) {
	var list []ast.Expr
	switch right := e.Right.(type) {
	case *ast.Literal:
		if e.Operator == ast.EqualOp {
			list = []ast.Expr{right}
		}
	case ast.ValTuple:
		if e.Operator == ast.InOp {
			list = right
		}
	}
	for _, item := range list {
		l, ok := item.(*ast.Literal)
		if !ok || l.Type != ast.StrVal {
			return nil
		}
		names = append(names, l.Val)
	}
	return names
}

// names are those of all tables that a statement can be told of; nil if that can be
// any.
func (o only) names(edits []plan.Edit) (all []string) {
	for i := range edits {
		if r := edits[i].Relation; r != "" && len(relations[r].joins) > 0 || relations[r].constraint != "" {
			names, ok := o[r]
			if !ok {
				return nil
			}
			all = append(all, names...)
		}
	}
	return all
}

// has reports whether a table may be one of those that are asked for. Names in ASCII
// are equal but for case and spaces at the end; of others nothing is assumed.
func (o only) has(relation, table string) bool {
	names, ok := o[relation]
	if !ok || !ascii(table) {
		return true
	}
	for _, n := range names {
		if !ascii(n) || strings.EqualFold(strings.TrimRight(n, " "), strings.TrimRight(table, " ")) {
			return true
		}
	}
	return false
}

func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}
