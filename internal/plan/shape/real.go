package shape

import (
	"maps"
	"strings"

	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
)

// Sight is how a server finds common table expressions.
type Sight struct {
	// Mutual says that those of a WITH RECURSIVE see each other, as MariaDB has it; else each sees itself and those before it.
	Mutual bool
	// Folds says that their names are the same in upper and lower case: MySQL has them as it has those of tables.
	Folds bool
}

// RealTables are the tables that trees name anywhere, in their order, without the names of common table expressions where
// those are to be seen.
func RealTables(by Sight, roots ...ast.Node) []ast.TableName {
	r := realTables{by: by}
	for _, root := range roots {
		r.within(root, nil)
	}
	return r.found
}

type realTables struct {
	by    Sight
	found []ast.TableName
}

// within looks at a node that may have a WITH; hidden are the common table expressions to be seen there.
func (r *realTables) within(n ast.Node, hidden map[string]bool) {
	if table := onlyTarget(n); table != nil {
		r.note(table, nil)
	}
	if with := withOf(n); with != nil {
		hidden = r.with(with, hidden)
	}
	_ = ast.Walk(func(at ast.Node) (bool, error) {
		switch at := at.(type) {
		case *ast.With:
			if at == withOf(n) {
				return false, nil // its queries have been looked at
			}
			hidden = nil // it is of a node that is not known: every name counts
		case *ast.AliasedTableExpr:
			r.note(at, hidden)
		}
		if at != n && withOf(at) != nil {
			r.within(at, hidden)
			return false, nil
		}
		return true, nil
	}, n)
}

// with looks at the queries of a WITH, and returns what is hidden behind it.
func (r *realTables) with(with *ast.With, hidden map[string]bool) map[string]bool {
	hidden = maps.Clone(hidden)
	if hidden == nil {
		hidden = map[string]bool{}
	}
	for _, c := range with.CTEs {
		if with.Recursive && r.by.Mutual {
			hidden[r.name(c.ID)] = true
		}
	}
	for _, c := range with.CTEs {
		name := r.name(c.ID)
		if with.Recursive {
			hidden[name] = true
		}
		r.within(c.Subquery, hidden)
		hidden[name] = true
	}
	return hidden
}

// note notes a table, unless its name is that of a common table expression.
func (r *realTables) note(t *ast.AliasedTableExpr, hidden map[string]bool) {
	name, ok := t.Expr.(ast.TableName)
	if ok && (!name.Qualifier.IsEmpty() || !hidden[r.name(name.Name)]) {
		r.found = append(r.found, name)
	}
}

// name is a name as it is compared. What is not ASCII servers fold each in its own way.
func (r *realTables) name(id ast.IdentifierCS) string {
	name := id.String()
	if r.by.Folds && charset.IsASCII([]byte(name)) {
		name = strings.ToLower(name)
	}
	return name
}

// withOf is the WITH of a node; nil if it has none.
func withOf(n ast.Node) *ast.With {
	switch n := n.(type) {
	case *ast.Select:
		return n.With
	case *ast.Union:
		return n.With
	case *ast.Update:
		return n.With
	case *ast.Delete:
		return n.With
	case *ast.ValuesStatement:
		return n.With
	}
	return nil
}

// onlyTarget is the one table that a statement with a WITH changes, which no common table expression can be; nil if there are
// several in it, or none.
func onlyTarget(n ast.Node) *ast.AliasedTableExpr {
	var from []ast.TableExpr
	switch n := n.(type) {
	case *ast.Update:
		from = n.TableExprs
	case *ast.Delete:
		from = n.TableExprs
	}
	if len(from) != 1 || withOf(n) == nil {
		return nil
	}
	t, _ := from[0].(*ast.AliasedTableExpr)
	return t
}
