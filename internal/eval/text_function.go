package eval

import (
	//nolint:gosec // its size alone
	//nolint:gosec // its size alone

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
)

// textFunction compiles functions of text with a grammar of their own.
func textFunction(c *compiler, e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.LocateExpr:
		return Locate(c, e)
	case *ast.InsertExpr:
		return Insert(c, e)
	case *ast.CharExpr:
		return Char(c, e)
	}
	return regexpFunction(c, e)
}

// TextOf evaluates one node as text, or as bytes, for an operation that the list
// has.
func TextOf(c *compiler, name string, n *program.Node) (program.Evaluator, class.Shape, error) {
	if err := c.allow(name, n); err != nil {
		return nil, class.Shape{}, err
	}
	evs, s, err := Texts(c, name, n)
	if err != nil {
		return nil, s, err
	}
	return evs[0], s, nil
}

// ASCIIShape is the type of what functions write in letters and digits: text of
// the connection, which yields to that of columns.
func ASCIIShape(c *compiler, name string, chars int) (class.Shape, error) {
	s := class.Shape{Class: class.Text, Chars: chars, Collation: c.session.Collation, Coercible: class.CoercibleLiteral}
	if set := s.Collation.Charset; set.BytesMin > 1 || set.Name == "binary" {
		return s, refuse(name + " in " + set.Name)
	}
	return s, nil
}
