package arithmetic

import (
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/number"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
)

// operators are the names of the binary operators.
var operators = map[ast.BinaryExprOperator]string{
	ast.PlusOp: "+", ast.MinusOp: "-", ast.MultOp: "*", ast.DivOp: "/", ast.IntDivOp: "DIV", ast.ModOp: "MOD",
	ast.BitAndOp: "&", ast.BitOrOp: "|", ast.BitXorOp: "^", ast.ShiftLeftOp: "<<", ast.ShiftRightOp: ">>",
}

// Binary compiles an operator of two operands.
func Binary(c *compilation.Compilation, e *ast.BinaryExpr) (*program.Node, error) {
	args, err := c.All([]ast.Expr{e.Left, e.Right})
	if err != nil {
		return nil, err
	}
	name, ok := operators[e.Operator]
	if !ok {
		return nil, refusal.Of("this operator")
	}
	made, err := arithmeticOf(c, name, args[0], args[1])
	if err == nil {
		made.Guessed = made.Class == class.Decimal && (args[0].Guessed || args[1].Guessed)
	}
	return made, err
}

// arithmeticOf compiles an operator of two numbers. / is that of exact numbers
// unless one is a double; DIV and MOD are those of integers if both are.
func arithmeticOf(c *compilation.Compilation, name string, a, b *program.Node) (*program.Node, error) {
	if err := c.Allow(name, a, b); err != nil {
		return nil, err
	}
	if name == "MOD" && (a.Class == class.Decimal || b.Class == class.Decimal) {
		if err := coercion.TextParams(c, name, a, b); err != nil {
			return nil, err
		}
	}
	x, y := c.NumberClass(a), c.NumberClass(b)
	if x == class.Null || y == class.Null {
		return arithmeticOfNull(c, name, a, b, x, y), nil
	}
	switch {
	case fillsWord(a), fillsWord(b):
		return nil, refusal.Of(name + " of a SET of 64 labels")
	case a.IsComputedDate(), b.IsComputedDate():
		return nil, refusal.Of(name + " of computed dates")
	case a.Class.IsTemporal() && b.Class.IsUnsigned(), a.Class.IsUnsigned() && b.Class.IsTemporal():
		return nil, refusal.Of(name + " of dates and UNSIGNED")
	case a.Class == class.Hex || b.Class == class.Hex:
		return nil, refusal.Of(name + " of hexadecimal literals")
	case a.Class.IsTemporal() && y == class.Decimal && b.Scale == 0, b.Class.IsTemporal() && x == class.Decimal && a.Scale == 0:
		return nil, refusal.Of(name + " of dates and whole DECIMAL")
	case isBitOperator(name):
		if !hasBits(a) || !hasBits(b) {
			return nil, refusal.Of(name + " of other than integers")
		}
		return bitOperation(c, name, a, b), nil
	case x == class.Double || y == class.Double:
		return arithmeticOfDoubles(c, name, a, b), nil
	case x == class.Decimal || y == class.Decimal || name == "/":
		return arithmeticOfDecimals(c, name, a, b), nil
	default:
		return arithmeticOfIntegers(c, name, a, b, x, y), nil
	}
}

// hasBits reports whether a node is an integer, or a label that stands for one.
func hasBits(n *program.Node) bool { return n.Class.IsInteger() || class.IsLabel(n.Class) }

// fillsWord reports whether a node is of a SET of 64 labels, whose last one is the sign
// of a number to some servers.
func fillsWord(n *program.Node) bool { return n.Class == class.Set && len(n.Column.Labels) >= wordBits }

const wordBits = 64

func arithmeticOfDoubles(c *compilation.Compilation, name string, a, b *program.Node) *program.Node {
	if name == "DIV" {
		return integerDivision(c, a, b)
	}
	s := class.Shape{Class: class.Double, Scale: c.Rules().DoubleScale(name, &a.Shape, &b.Shape), Coercible: class.CoercibleNumber}
	left, right, slot := coercion.Real(c, a, name), coercion.Real(c, b, name), c.Slot()
	n := program.Derive(s, func(r *program.Run) *program.Datum {
		p, q := left(r), right(r) // both, whatever the first is: the second may warn
		if p.Null || q.Null {
			return program.NullDatum
		}
		x, y := p.Double(), q.Double()
		if y == 0 && (name == "/" || name == "MOD") {
			return r.DivisionByZero()
		}
		f := number.DoubleOperators[name](x, y)
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return r.Overflow("DOUBLE")
		}
		return r.Slots[slot].SetDouble(f)
	}, a, b)
	n.Nullable = n.Nullable || name == "/" || name == "MOD"
	return n
}
