package arithmetic

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
)

// arithmeticOfNull has the type of the other operand, and is NULL.
func arithmeticOfNull(c *compilation.Compilation, name string, a, b *program.Node, x, y class.Class) *program.Node {
	s := class.Shape{Class: class.Int, Digits: 20, Nullable: true, Coercible: class.CoercibleNumber}
	switch {
	case isBitOperator(name):
		s.Class = class.Uint
	case name == "DIV":
	case x == class.Double || y == class.Double:
		s.Class, s.Scale = class.Double, class.ScaleFree
	case x == class.Decimal || y == class.Decimal || name == "/":
		s = c.Rules().DecimalShape(name, &a.Shape, &b.Shape)
		s.Nullable = true
	}
	left, right := a.Ev, b.Ev
	return program.Derive(s, func(r *program.Run) *program.Datum {
		left(r) // for what it may refuse
		right(r)
		return program.NullDatum
	}, a, b)
}

func isBitOperator(name string) bool {
	switch name {
	case "&", "|", "^", "<<", ">>":
		return true
	}
	return false
}
