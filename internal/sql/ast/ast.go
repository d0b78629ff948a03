// Package ast names the nodes of a [tunic/internal/sql.Tree] for the rooms that
// walk and rewrite trees. They are the parser library's (vitess); only internal/sql and
// this folder of it import that.
//
// All nodes are aliases, so that a type switch works as on the library's own.
// The library has more of them than MySQL has statements, and a new version may
// have more again. Therefore:
//
//   - a type switch over nodes has a default, and the default refuses;
//   - a field of a node that is not looked at is one whose meaning is not known;
//     who copies a node field by field loses those.
package ast

import "vitess.io/vitess/go/vt/sqlparser"

// What every tree is made of.

type (
	// Node is any node.
	Node = sqlparser.SQLNode
	// Statement is the root of a tree.
	Statement = sqlparser.Statement
	// Expr is an expression.
	Expr = sqlparser.Expr
	// Cursor is where Rewrite is in a tree.
	Cursor = sqlparser.Cursor
)

// Walk calls visit for each of the nodes and, where it returns true, for what is
// in it. The first error ends it and is returned.
func Walk(visit func(Node) (into bool, err error), nodes ...Node) error {
	for _, n := range nodes {
		if err := sqlparser.Walk(visit, n); err != nil {
			return err
		}
	}
	return nil
}

// Rewrite calls before and after for every node, where they are not nil: before
// and after what is in it. They may replace the node. Where before returns
// false what is in the node is passed over; where after does, Rewrite ends.
func Rewrite(root Node, before, after func(*Cursor) bool) Node {
	return sqlparser.Rewrite(root, before, after)
}

// Clone copies a tree, all of it.
func Clone[T Node](node T) T {
	own, _ := sqlparser.Rewrite(CloneButNames(node), nil, func(c *Cursor) bool {
		if n, ok := c.Node().(*ColName); ok {
			name := *n
			c.Replace(&name)
		}
		return true
	}).(T)
	return own
}

// CloneButNames copies a tree but for the names of columns, which are those of the tree itself: who
// knows them by their addresses finds them in the copy, and nobody may change them there.
func CloneButNames[T Node](node T) T { return sqlparser.Clone(node) }

// Equal says whether two trees say the same.
func Equal(a, b Node) bool { return sqlparser.Equals.SQLNode(a, b) }

// Identifier makes a name whose case does not matter: of a column, an alias of
// one, an index.
func Identifier(name string) IdentifierCI { return sqlparser.NewIdentifierCI(name) }

// Name makes a name whose case may matter: of a schema, a table, an alias of
// one.
func Name(name string) IdentifierCS { return sqlparser.NewIdentifierCS(name) }

// Conjuncts adds the conditions that an expression has at its ANDs.
func Conjuncts(e Expr, all []Expr) []Expr {
	if and, ok := e.(*AndExpr); ok {
		return Conjuncts(and.Right, Conjuncts(and.Left, all))
	}
	return append(all, e)
}
