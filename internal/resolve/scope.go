package resolve

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Beyond is the error for a statement that is read, and that tunic does not follow
// on protected data. What names the part of it in the words of the manual, and
// nothing of its text.
type Beyond struct{ What string }

func (b *Beyond) Error() string { return b.What + " on protected data" }

// Scope is what names can mean in a statement over one table.
type Scope struct {
	Table *catalog.Table
	alias string // the name by which columns are qualified; the table's own without an alias
	named bool   // there is an alias: the table's own name means nothing
	folds bool
	// Windows says that the statement's window functions are followed.
	Windows bool
	// uses are those of conditions that consist of others.
	uses map[ast.Expr]Use
}

// Name is that of a table in a statement, with the schema that it is looked for in.
type Name struct{ Schema, Table string }

// Tables are the tables that a tree names anywhere, in its order.
func Tables(root ast.Node) []ast.TableName {
	var found []ast.TableName
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if t, ok := n.(*ast.AliasedTableExpr); ok {
			if name, ok := t.Expr.(ast.TableName); ok {
				found = append(found, name)
			}
		}
		return true, nil
	}, root)
	return found
}

// One is the scope of a statement whose tables are these: one of the catalog's, and
// no other. schema is the session's default.
func One(tables []ast.TableExpr, c *catalog.Catalog, schema string) (*Scope, error) {
	if len(tables) != 1 {
		return nil, &Beyond{"more than one table"}
	}
	t, ok := tables[0].(*ast.AliasedTableExpr)
	if !ok {
		return nil, &Beyond{"a join"}
	}
	name, ok := t.Expr.(ast.TableName)
	switch {
	case !ok:
		return nil, &Beyond{"a derived table"}
	case len(t.Partitions) > 0:
		return nil, &Beyond{"PARTITION"}
	case len(t.Columns) > 0:
		return nil, &Beyond{"a list of columns after an alias"}
	}
	if s := name.Qualifier.String(); s != "" {
		schema = s
	}
	table := c.Table(schema, name.Name.String())
	if table == nil {
		return nil, &Beyond{"a name of a protected table, for something else,"}
	}
	s := &Scope{Table: table, alias: name.Name.String(), folds: c.Folds()}
	if !t.As.IsEmpty() {
		s.alias, s.named = t.As.String(), true
	}
	return s, nil
}

// Named is the scope of a query over one table under another name.
func Named(t *catalog.Table, alias string) *Scope {
	return &Scope{Table: t, alias: alias, named: true}
}

// Column is the column that a name means; false if it means none.
func (s *Scope) Column(n *ast.ColName) (int, bool) {
	if !s.qualifies(n.Qualifier) {
		return 0, false
	}
	i := s.Table.Column(n.Name.String())
	return i, i >= 0
}

// qualifies reports whether what stands before a column's name is this table.
func (s *Scope) qualifies(q ast.TableName) bool {
	if q.Name.IsEmpty() {
		return true
	}
	if schema := q.Qualifier.String(); schema != "" && (s.named || !s.same(schema, s.Table.Schema)) {
		return false
	}
	return s.same(q.Name.String(), s.alias)
}

// Star reports whether t.* in a list of columns is this table's.
func (s *Scope) Star(n *ast.StarExpr) bool { return s.qualifies(n.TableName) }

func (s *Scope) same(a, b string) bool {
	if s.folds {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// Use is what an expression has to do with the table.
type Use uint8

// The uses, from the least to the most.
const (
	Constant  Use = iota // no column: the same for every row
	PlainOnly            // plain columns and no other
	Protected            // a protected column, or a name that is not known
)

// UseOf is what an expression has to do with the table. A part of it that is not
// followed, a subquery above all, is an error.
func (s *Scope) UseOf(e ast.Expr) (Use, error) {
	switch n := e.(type) {
	case *ast.AndExpr:
		return s.useOfParts(e, n.Left, n.Right)
	case *ast.OrExpr:
		return s.useOfParts(e, n.Left, n.Right)
	case *ast.NotExpr:
		if s.deniesZeroDate(n.Expr) {
			return Protected, zeroDate
		}
		return s.useOfParts(e, n.Expr)
	}
	use := Constant
	err := ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			return false, &Beyond{"a subquery"}
		case ast.WindowFunc:
			if n.GetOverClause() != nil && !s.Windows {
				return false, &Beyond{"a window function"}
			}
		case *ast.Default:
			if i := s.Table.Column(n.ColName); n.ColName != "" && (i < 0 || s.Table.Columns[i].Protected()) {
				use = Protected // the server does not know its default
			}
		case *ast.IsExpr:
			if s.isZeroDate(n, ast.IsNullOp) {
				return false, zeroDate
			}
		case *ast.ColName:
			i, ok := s.Column(n)
			if !ok || s.Table.Columns[i].Protected() {
				use = Protected
			} else if use == Constant {
				use = PlainOnly
			}
		}
		return true, nil
	}, e)
	if use == PlainOnly && Ciphers(e) {
		use = Protected // the server is not to have the key
	}
	return use, err
}

// useOfParts is UseOf for a condition that consists of others. It is remembered: who
// divides a condition asks for each of its parts, and they may be many.
func (s *Scope) useOfParts(whole ast.Expr, parts ...ast.Expr) (Use, error) {
	if known, ok := s.uses[whole]; ok {
		return known, nil
	}
	use := Constant
	for _, p := range parts {
		of, err := s.UseOf(p)
		if err != nil {
			return use, err
		}
		use = max(use, of)
	}
	if s.uses == nil {
		s.uses = map[ast.Expr]Use{}
	}
	s.uses[whole] = use
	return use, nil
}

// zeroDate is what isZeroDate has refused.
var zeroDate = &Beyond{"IS NULL on a NOT NULL DATE or DATETIME"}

// isZeroDate reports whether a condition is IS NULL on a protected DATE or DATETIME
// that is NOT NULL: servers take it for a comparison with the zero date, at some
// places in a statement (MySQL manual, "Comparison Functions and Operators").
func (s *Scope) isZeroDate(n *ast.IsExpr, op ast.IsExprOperator) bool {
	name, ok := n.Left.(*ast.ColName)
	if !ok || n.Right != op {
		return false
	}
	i, ok := s.Column(name)
	if !ok {
		return false
	}
	c := &s.Table.Columns[i]
	return c.Protected() && c.Type.NotNull && (c.Type.Kind == value.Date || c.Type.Kind == value.DateTime)
}

// deniesZeroDate is isZeroDate of what servers make of NOT (e): IS NULL of IS NOT NULL, also
// behind AND, OR and another NOT.
func (s *Scope) deniesZeroDate(e ast.Expr) bool {
	switch n := e.(type) {
	case *ast.AndExpr:
		return s.deniesZeroDate(n.Left) || s.deniesZeroDate(n.Right)
	case *ast.OrExpr:
		return s.deniesZeroDate(n.Left) || s.deniesZeroDate(n.Right)
	case *ast.NotExpr:
		return s.deniesZeroDate(n.Expr)
	case *ast.IsExpr:
		return s.isZeroDate(n, ast.IsNotNullOp)
	}
	return false
}
