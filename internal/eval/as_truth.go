package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// asTruth evaluates as a condition.
func asTruth(c *compiler, n *program.Node) (program.Evaluator, error) {
	if err := c.allow("truth", n); err != nil {
		return nil, err
	}
	switch {
	case n.Truth != nil:
		return n.Truth, nil
	case n.Class == class.Null, n.Class.IsInteger(), n.Class == class.Enum, n.Class == class.Set:
		return n.Ev, nil
	case n.Class == class.Decimal:
		return c.convert(n, func(_ *program.Run, in, _ *program.Datum) *program.Datum { return program.BoolDatum(!in.D.IsZero()) }), nil
	case n.Class == class.Other:
		return nil, refusal.Of("a condition of this type")
	default:
		ev := Real(c, n, "a condition")
		return c.convert(&program.Node{Ev: ev}, func(_ *program.Run, in, _ *program.Datum) *program.Datum { return program.BoolDatum(in.Double() != 0) }), nil
	}
}

// Finish makes an expression of its root.
func Finish(c *compiler, root *program.Node) (x *program.Expression, err error) {
	if err := c.refused(); err != nil {
		return nil, err
	}
	x = &program.Expression{Root: root, Session: c.session, At: -1}
	if root.Column != nil {
		x.At = root.Index
		x.Result = *root.Column
	} else if x.Result, err = c.resultType(root); err != nil {
		return nil, err
	}
	x.Eager = c.eagerly() // without what only a condition computes: text is a value, and no number
	if x.Truth, x.Refusal = asTruth(c, root); c.refused() != nil {
		x.Truth, x.Refusal = nil, c.refused()
	}
	c.write(x)
	return x, nil
}

func expressionOf(c *compiler, e ast.Expr) (*program.Expression, error) {
	root, err := c.compile(e)
	if err != nil {
		return nil, err
	}
	return Finish(c, root)
}
