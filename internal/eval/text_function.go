package eval

import "tunic/internal/sql/ast"

// textFunction compiles functions of text with a grammar of their own.
func (c *compiler) textFunction(_ ast.Expr) (*node, error) {
	return nil, refuse("this expression")
}
