package eval

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/number"
	"tunic/internal/sql/ast"
)

// operators are the names of the binary operators.
var operators = map[ast.BinaryExprOperator]string{
	ast.PlusOp: "+", ast.MinusOp: "-", ast.MultOp: "*", ast.DivOp: "/", ast.IntDivOp: "DIV", ast.ModOp: "MOD",
	ast.BitAndOp: "&", ast.BitOrOp: "|", ast.BitXorOp: "^", ast.ShiftLeftOp: "<<", ast.ShiftRightOp: ">>",
}

func (c *compiler) binary(e *ast.BinaryExpr) (*node, error) {
	args, err := c.all([]ast.Expr{e.Left, e.Right})
	if err != nil {
		return nil, err
	}
	name, ok := operators[e.Operator]
	if !ok {
		return nil, refuse("this operator")
	}
	made, err := c.arithmetic(name, args[0], args[1])
	if err == nil {
		made.guessed = made.Class == class.Decimal && (args[0].guessed || args[1].guessed)
	}
	return made, err
}

// arithmetic compiles an operator of two numbers. / is that of exact numbers
// unless one is a double; DIV and MOD are those of integers if both are.
func (c *compiler) arithmetic(name string, a, b *node) (*node, error) {
	if err := c.allow(name, a, b); err != nil {
		return nil, err
	}
	if name == "MOD" && (a.Class == class.Decimal || b.Class == class.Decimal) {
		if err := c.textParams(name, a, b); err != nil {
			return nil, err
		}
	}
	x, y := c.numberClass(a), c.numberClass(b)
	if x == class.Null || y == class.Null {
		return c.arithmeticOfNull(name, a, b, x, y), nil
	}
	switch {
	case fillsWord(a), fillsWord(b):
		return nil, refuse(name + " of a SET of 64 labels")
	case a.isComputedDate(), b.isComputedDate():
		return nil, refuse(name + " of computed dates")
	case a.Class.IsTemporal() && b.Class.IsUnsigned(), a.Class.IsUnsigned() && b.Class.IsTemporal():
		return nil, refuse(name + " of dates and UNSIGNED")
	case a.Class == class.Hex || b.Class == class.Hex:
		return nil, refuse(name + " of hexadecimal literals")
	case a.Class.IsTemporal() && y == class.Decimal && b.Scale == 0, b.Class.IsTemporal() && x == class.Decimal && a.Scale == 0:
		return nil, refuse(name + " of dates and whole DECIMAL")
	case isBitOperator(name):
		if !hasBits(a) || !hasBits(b) {
			return nil, refuse(name + " of other than integers")
		}
		return c.bitOperation(name, a, b), nil
	case x == class.Double || y == class.Double:
		return c.arithmeticOfDoubles(name, a, b), nil
	case x == class.Decimal || y == class.Decimal || name == "/":
		return c.arithmeticOfDecimals(name, a, b), nil
	default:
		return c.arithmeticOfIntegers(name, a, b, x, y), nil
	}
}

// hasBits reports whether a node is an integer, or a label that stands for one.
func hasBits(n *node) bool { return n.Class.IsInteger() || class.IsLabel(n.Class) }

// fillsWord reports whether a node is of a SET of 64 labels, whose last one is the sign
// of a number to some servers.
func fillsWord(n *node) bool { return n.Class == class.Set && len(n.column.Labels) >= wordBits }

const wordBits = 64

// arithmeticOfNull has the type of the other operand, and is NULL.
func (c *compiler) arithmeticOfNull(name string, a, b *node, x, y class.Class) *node {
	s := class.Shape{Class: class.Int, Digits: 20, Nullable: true, Coercible: class.CoercibleNumber}
	switch {
	case isBitOperator(name):
		s.Class = class.Uint
	case name == "DIV":
	case x == class.Double || y == class.Double:
		s.Class, s.Scale = class.Double, class.ScaleFree
	case x == class.Decimal || y == class.Decimal || name == "/":
		s = c.rules().DecimalShape(name, &a.Shape, &b.Shape)
		s.Nullable = true
	}
	left, right := a.ev, b.ev
	return derive(s, func(r *Run) *datum {
		left(r) // for what it may refuse
		right(r)
		return nullDatum
	}, a, b)
}

func (c *compiler) arithmeticOfDoubles(name string, a, b *node) *node {
	if name == "DIV" {
		return c.integerDivision(a, b)
	}
	s := class.Shape{Class: class.Double, Scale: c.rules().DoubleScale(name, &a.Shape, &b.Shape), Coercible: class.CoercibleNumber}
	left, right, slot := c.real(a, name), c.real(b, name), c.slot()
	n := derive(s, func(r *Run) *datum {
		p, q := left(r), right(r) // both, whatever the first is: the second may warn
		if p.null || q.null {
			return nullDatum
		}
		x, y := p.double(), q.double()
		if y == 0 && (name == "/" || name == "MOD") {
			return r.divisionByZero()
		}
		f := number.DoubleOperators[name](x, y)
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return r.overflow("DOUBLE")
		}
		return r.slots[slot].setDouble(f)
	}, a, b)
	n.Nullable = n.Nullable || name == "/" || name == "MOD"
	return n
}
