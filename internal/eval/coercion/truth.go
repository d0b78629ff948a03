package coercion

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// leastDecimal is what text is at least that MariaDB, which compares it with the integer 0 as a decimal, surely finds to be
// another number.
const leastDecimal = 1e-30

// Truth evaluates as a condition.
func Truth(c *compilation.Compilation, n *program.Node) (program.Evaluator, error) {
	if err := c.Allow("truth", n); err != nil {
		return nil, err
	}
	switch {
	case n.Truth != nil:
		return n.Truth, nil
	case n.Class == class.Null, n.Class.IsInteger(), n.Class == class.Enum, n.Class == class.Set:
		return n.Ev, nil
	case n.Class == class.Decimal:
		return c.Convert(n, func(_ *program.Run, in, _ *program.Datum) *program.Datum { return program.BoolDatum(!in.D.IsZero()) }), nil
	case n.Class == class.Other:
		return nil, refusal.Of("a condition of this type")
	default:
		ev := Real(c, n, "a condition")
		ofText := n.Class.IsString() && c.Session.IsMariaDB()
		return c.Convert(&program.Node{Ev: ev}, func(r *program.Run, in, _ *program.Datum) *program.Datum {
			if f := math.Abs(in.Double()); ofText && f > 0 && f < leastDecimal {
				return r.Refuse("a condition")
			}
			return program.BoolDatum(in.Double() != 0)
		}), nil
	}
}

// Finish makes an expression of its root.
func Finish(c *compilation.Compilation, root *program.Node) (x *program.Expression, err error) {
	if err := c.Refused(); err != nil {
		return nil, err
	}
	x = &program.Expression{Root: root, Session: c.Session, At: -1}
	if root.Column != nil {
		x.At = root.Index
		x.Result = *root.Column
	} else if x.Result, err = c.ResultType(root); err != nil {
		return nil, err
	}
	x.Eager = c.Eagerly() // without what only a condition computes: text is a value, and no number
	if x.Truth, x.Refusal = Truth(c, root); c.Refused() != nil {
		x.Truth, x.Refusal = nil, c.Refused()
	}
	c.Write(x)
	return x, nil
}

// Expression compiles an expression that is evaluated on its own.
func Expression(c *compilation.Compilation, e ast.Expr) (*program.Expression, error) {
	root, err := c.Compile(e)
	if err != nil {
		return nil, err
	}
	return Finish(c, root)
}
