package predicate

import (
	"bytes"
	"cmp"
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// comparisonOps are the operators that a comparator answers.
var comparisonOps = map[ast.ComparisonExprOperator]func(int) bool{
	ast.EqualOp:        Equal,
	ast.NotEqualOp:     func(d int) bool { return d != 0 },
	ast.LessThanOp:     func(d int) bool { return d < 0 },
	ast.LessEqualOp:    func(d int) bool { return d <= 0 },
	ast.GreaterThanOp:  func(d int) bool { return d > 0 },
	ast.GreaterEqualOp: func(d int) bool { return d >= 0 },
}

// Equal is what = makes of a comparison.
func Equal(d int) bool { return d == 0 }

// Comparison compiles = < > <= >= <> <=>, IN and LIKE.
func Comparison(c *compilation.Compilation, e *ast.ComparisonExpr) (*program.Node, error) {
	if e.Modifier != ast.Missing {
		return nil, refusal.Of("ANY and ALL")
	}
	switch e.Operator {
	case ast.InOp, ast.NotInOp:
		return inList(c, e)
	case ast.LikeOp, ast.NotLikeOp:
		return like(c, e)
	default:
	}
	args, err := c.All([]ast.Expr{e.Left, e.Right})
	if err != nil {
		return nil, err
	}
	k, err := ComparisonOf(c, "=", args[0], args[1])
	if err != nil {
		return nil, err
	}
	if e.Operator == ast.EqualOp || e.Operator == ast.NullSafeEqualOp {
		refuseFiner(c, &k, args[0], args[1])
	}
	RoundSides(c, &k, args[0], args[1])
	Tolerant(c, &k, args[0], args[1])
	weighOnce(c, &k, args[0], args[1])
	if k.By == class.Bytes {
		c.TakeBytes(args)
	}
	if e.Operator == ast.NullSafeEqualOp {
		return program.NotNullable(program.Derive(class.BoolShape, k.NullSafe(), args...)), nil
	}
	op, ok := comparisonOps[e.Operator]
	if !ok {
		return nil, refusal.Of("this operator")
	}
	return program.Derive(class.BoolShape, k.Evaluator(op), args...), nil
}

// ComparisonOf finds how two nodes are compared, and refuses what is not known
// to come out as on the server.
func ComparisonOf(c *compilation.Compilation, operation string, a, b *program.Node) (comparison.Comparison, error) {
	if err := c.Allow(operation, a, b); err != nil {
		return comparison.Comparison{}, err
	}
	if (a.Defaulted || b.Defaulted) && a.Class != b.Class {
		return comparison.Comparison{}, refusal.Of("DEFAULT() compared with another type")
	}
	if a.Class == class.JSON || b.Class == class.JSON {
		return compareJSON(c, operation, a, b)
	}
	k := comparison.Comparison{A: c.Once(a, a.Ev), B: c.Once(b, b.Ev)}
	k.By = class.ComparedAs(&a.Shape, &b.Shape, a.Constant, b.Constant)
	switch k.By {
	case class.Null:
		k.Compare = func(*program.Run, *program.Datum, *program.Datum) int { return 0 }
	case class.Int:
		k.Compare = comparison.Integers(a.Class.IsUnsigned(), b.Class.IsUnsigned())
		k.Alike = a.Class.IsUnsigned() == b.Class.IsUnsigned()
		k.A = c.Once(a, yearGuard(c, a, b, coercion.Integer(c, a, operation), operation))
		k.B = c.Once(b, yearGuard(c, b, a, coercion.Integer(c, b, operation), operation))
	case class.Decimal:
		k.A, k.B = c.Once(a, coercion.Decimal(c, a, operation)), c.Once(b, coercion.Decimal(c, b, operation))
		k.Compare = comparison.Decimals
	case class.Double:
		if operation == "=" && (comparesWhole(a, b) || comparesWhole(b, a)) {
			return compareWhole(c, operation, a, b), nil
		}
		k.A = c.Once(a, wholeGuard(c, a, b, coercion.Real(c, a, operation), operation))
		k.B = c.Once(b, wholeGuard(c, b, a, coercion.Real(c, b, operation), operation))
		k.Compare = comparison.Doubles
	case class.DateTime, class.Time:
		k.A = c.Once(a, momentGuard(c, a, b, clockGuard(c, a, b, coercion.Temporal(c, a, k.By, operation), operation)))
		k.B = c.Once(b, momentGuard(c, b, a, clockGuard(c, b, a, coercion.Temporal(c, b, k.By, operation), operation)))
		k.Compare = func(_ *program.Run, x, y *program.Datum) int { return cmp.Compare(int64(x.N), int64(y.N)) }
		if k.By == class.Time && !c.Session.IsMariaDB() {
			k.GuardFiner(a, b)
		}
	case class.Text, class.Bytes:
		return CompareStrings(c, operation, a, b, k)
	default:
		return k, refusal.Of(operation)
	}
	return k, nil
}

// yearGuard refuses constants of two digits where they are compared with a column
// of years: servers may read them as a year of this century or the last.
func yearGuard(c *compilation.Compilation, n, other *program.Node, ev program.Evaluator, operation string) program.Evaluator {
	const digits2 = 100
	if other.Class != class.Year || other.Column == nil || !n.Constant || n.Class == class.Year {
		return ev
	}
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if !d.Null && d.N > 0 && d.N < digits2 {
			return r.Refuse(operation)
		}
		return d
	}
}

// clockGuard refuses constants of text that have a time and are items of IN for a
// DATE: MySQL makes dates of them first, and warns.
func clockGuard(c *compilation.Compilation, n, other *program.Node, ev program.Evaluator, operation string) program.Evaluator {
	if operation != "IN" || other.Class != class.Date || !n.IsTextConstant() || c.Session.IsMariaDB() {
		return ev
	}
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if !d.Null && d.N&(1<<value.DayShift-1) != 0 {
			return r.Refuse(operation)
		}
		return d
	}
}

// momentGuard refuses TIMESTAMPs of an hour that is there twice where two of them are compared:
// MariaDB compares moments, and here is what clocks show.
func momentGuard(c *compilation.Compilation, n, other *program.Node, ev program.Evaluator) program.Evaluator {
	if other.Class != class.Timestamp {
		return ev
	}
	return coercion.MomentOnce(c, n, ev, coercion.ComparedMoment)
}

// exactDoubles is the limit up to which a double tells whole numbers apart.
const exactDoubles = 1 << 53

// wholeGuard refuses constants beyond what doubles hold exactly where a server may make of them
// what they are compared with, instead of comparing doubles: an integer of 64 bits of a number or
// of text, on MariaDB also the text of a whole number. Shorter integers come out the same either way.
func wholeGuard(c *compilation.Compilation, n, other *program.Node, ev program.Evaluator, operation string) program.Evaluator {
	short := other.Column != nil && value.OrderBits(other.Column) < 53
	switch {
	case !n.Constant:
		return ev
	case n.Class == class.Text && other.Class.IsInteger():
	case n.Class.IsReal() && other.Class.IsInteger() && !short:
	case n.Class.IsExact() && other.Class == class.Text && c.Session.IsMariaDB():
	default:
		return ev
	}
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if !d.Null && math.Abs(d.Double()) >= exactDoubles {
			return r.Refuse(operation)
		}
		return d
	}
}

// CompareStrings compares characters in the collation that both agree on, or
// bytes.
func CompareStrings(c *compilation.Compilation, operation string, a, b *program.Node, k comparison.Comparison) (comparison.Comparison, error) {
	if k.By == class.Bytes {
		k.Compare = func(_ *program.Run, x, y *program.Datum) int { return bytes.Compare(x.B, y.B) }
		return k, nil
	}
	collation, err := coercion.CollationOf(c, operation, a, b)
	if err != nil {
		return k, err
	}
	if exact, _ := collation.Exact(); !exact {
		return k, refusal.Of(operation + " in " + collation.Name)
	}
	k.Collation, k.Alike = collation, true
	if k.A, err = coercion.InCharset(c, a, collation.Charset, operation); err != nil {
		return k, err
	}
	if k.B, err = coercion.InCharset(c, b, collation.Charset, operation); err != nil {
		return k, err
	}
	k.A, k.B = c.Once(a, k.A), c.Once(b, k.B)
	k.Compare = func(_ *program.Run, x, y *program.Datum) int { return collation.Compare(x.B, y.B) }
	return k, nil
}

// Between compiles a BETWEEN b AND c.
func Between(c *compilation.Compilation, e *ast.BetweenExpr) (*program.Node, error) {
	args, err := c.All([]ast.Expr{e.Left, e.From, e.To})
	if err != nil {
		return nil, err
	}
	for _, bound := range args[1:] {
		if args[0].Class == class.Text && bound.Constant && !bound.Literal && bound.Class.IsExact() && c.Session.IsMariaDB() {
			return nil, refusal.Of("BETWEEN of text and computed constants") // compared as decimals
		}
	}
	args[0].Ev = c.PerRow(args[0], args[0].Ev)
	low, err := ComparisonOf(c, "BETWEEN", args[0], args[1])
	if err != nil {
		return nil, err
	}
	high, err := ComparisonOf(c, "BETWEEN", args[0], args[2])
	if err != nil {
		return nil, err
	}
	if !c.Session.IsMariaDB() {
		Tolerant(c, &low, args[0], args[1])
		Tolerant(c, &high, args[0], args[2])
	}
	if low.By != high.By && low.By != class.Null && high.By != class.Null || low.Collation != high.Collation {
		return nil, sqlerr.ExpressionRefused("BETWEEN", "bounds of two types")
	}
	above := low.Evaluator(comparisonOps[ast.GreaterEqualOp])
	below := high.Evaluator(comparisonOps[ast.LessEqualOp])
	ev := comparison.And(above, below)
	if !e.IsBetween {
		inner := ev
		ev = func(r *program.Run) *program.Datum {
			x := inner(r)
			if x.Null {
				return program.NullDatum
			}
			return program.BoolDatum(x.N == 0)
		}
	}
	return program.Derive(class.BoolShape, ev, args...), nil
}
