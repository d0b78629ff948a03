package eval

import (
	"bytes"
	"cmp"
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/comparison"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// comparisonOps are the operators that a comparator answers.
var comparisonOps = map[ast.ComparisonExprOperator]func(int) bool{
	ast.EqualOp:        func(d int) bool { return d == 0 },
	ast.NotEqualOp:     func(d int) bool { return d != 0 },
	ast.LessThanOp:     func(d int) bool { return d < 0 },
	ast.LessEqualOp:    func(d int) bool { return d <= 0 },
	ast.GreaterThanOp:  func(d int) bool { return d > 0 },
	ast.GreaterEqualOp: func(d int) bool { return d >= 0 },
}

// comparison compiles = < > <= >= <> <=>, IN and LIKE.
func (c *compiler) comparison(e *ast.ComparisonExpr) (*program.Node, error) {
	if e.Modifier != ast.Missing {
		return nil, refuse("ANY and ALL")
	}
	switch e.Operator {
	case ast.InOp, ast.NotInOp:
		return c.in(e)
	case ast.LikeOp, ast.NotLikeOp:
		return c.like(e)
	case ast.RegexpOp, ast.NotRegexpOp:
		return c.regexp(e)
	default:
	}
	args, err := c.all([]ast.Expr{e.Left, e.Right})
	if err != nil {
		return nil, err
	}
	k, err := c.comparisonOf("=", args[0], args[1])
	if err != nil {
		return nil, err
	}
	if e.Operator == ast.EqualOp || e.Operator == ast.NullSafeEqualOp {
		c.refuseFiner(&k, args[0], args[1])
	}
	c.roundSides(&k, args[0], args[1])
	c.tolerant(&k, args[0], args[1])
	c.weighOnce(&k, args[0], args[1])
	if k.By == class.Bytes {
		c.takeBytes(args)
	}
	if e.Operator == ast.NullSafeEqualOp {
		return program.NotNullable(program.Derive(class.BoolShape, k.NullSafe(), args...)), nil
	}
	op, ok := comparisonOps[e.Operator]
	if !ok {
		return nil, refuse("this operator")
	}
	return program.Derive(class.BoolShape, k.Evaluator(op), args...), nil
}

// takeBytes has literals that are compared as bytes be any bytes, and not only such as
// their character set has: what drivers send for a BLOB that they write as text.
func (c *compiler) takeBytes(args []*program.Node) {
	for _, n := range args {
		if n.Fixed > 0 {
			c.consts[n.Fixed-1].Shape.Collation = nil
		}
	}
}

// comparisonOf finds how two nodes are compared, and refuses what is not known
// to come out as on the server.
func (c *compiler) comparisonOf(operation string, a, b *program.Node) (comparison.Comparison, error) {
	if err := c.allow(operation, a, b); err != nil {
		return comparison.Comparison{}, err
	}
	if (a.Defaulted || b.Defaulted) && a.Class != b.Class {
		return comparison.Comparison{}, refuse("DEFAULT() compared with another type")
	}
	if a.Class == class.JSON || b.Class == class.JSON {
		return c.compareJSON(operation, a, b)
	}
	k := comparison.Comparison{A: c.once(a, a.Ev), B: c.once(b, b.Ev)}
	k.By = class.ComparedAs(&a.Shape, &b.Shape, a.Constant, b.Constant)
	switch k.By {
	case class.Null:
		k.Compare = func(*program.Run, *program.Datum, *program.Datum) int { return 0 }
	case class.Int:
		k.Compare = comparison.Integers(a.Class.IsUnsigned(), b.Class.IsUnsigned())
		k.Alike = a.Class.IsUnsigned() == b.Class.IsUnsigned()
		k.A = c.once(a, c.yearGuard(a, b, c.integer(a, operation), operation))
		k.B = c.once(b, c.yearGuard(b, a, c.integer(b, operation), operation))
	case class.Decimal:
		k.A, k.B = c.once(a, c.decimal(a, operation)), c.once(b, c.decimal(b, operation))
		k.Compare = comparison.Decimals
	case class.Double:
		if operation == "=" && (comparesWhole(a, b) || comparesWhole(b, a)) {
			return c.compareWhole(operation, a, b), nil
		}
		k.A = c.once(a, c.wholeGuard(a, b, c.real(a, operation), operation))
		k.B = c.once(b, c.wholeGuard(b, a, c.real(b, operation), operation))
		k.Compare = comparison.Doubles
	case class.DateTime, class.Time:
		k.A = c.once(a, c.momentGuard(a, b, c.clockGuard(a, b, c.temporal(a, k.By, operation), operation)))
		k.B = c.once(b, c.momentGuard(b, a, c.clockGuard(b, a, c.temporal(b, k.By, operation), operation)))
		k.Compare = func(_ *program.Run, x, y *program.Datum) int { return cmp.Compare(int64(x.N), int64(y.N)) }
		if k.By == class.Time && !c.session.IsMariaDB() {
			k.GuardFiner(a, b)
		}
	case class.Text, class.Bytes:
		return c.compareStrings(operation, a, b, k)
	default:
		return k, refuse(operation)
	}
	return k, nil
}

// yearGuard refuses constants of two digits where they are compared with a column
// of years: servers may read them as a year of this century or the last.
func (c *compiler) yearGuard(n, other *program.Node, ev program.Evaluator, operation string) program.Evaluator {
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
func (c *compiler) clockGuard(n, other *program.Node, ev program.Evaluator, operation string) program.Evaluator {
	if operation != "IN" || other.Class != class.Date || !n.IsTextConstant() || c.session.IsMariaDB() {
		return ev
	}
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if !d.Null && d.N&(1<<dayShift-1) != 0 {
			return r.Refuse(operation)
		}
		return d
	}
}

// momentGuard refuses TIMESTAMPs of an hour that is there twice where two of them are compared:
// MariaDB compares moments, and here is what clocks show.
func (c *compiler) momentGuard(n, other *program.Node, ev program.Evaluator) program.Evaluator {
	if other.Class != class.Timestamp {
		return ev
	}
	return c.momentOnce(n, ev, comparedMoment)
}

// comparedMoment ends what the refusal of a TIMESTAMP says that is compared with another one.
const comparedMoment = "compared with another one,"

// momentOnce refuses TIMESTAMPs of an hour that is there twice in a place where MariaDB goes by moments.
func (c *compiler) momentOnce(n *program.Node, ev program.Evaluator, where string) program.Evaluator {
	if n.Class != class.Timestamp || !c.session.IsMariaDB() {
		return ev
	}
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if r.ShowsTwice(d) {
			return r.Refuse(program.HourTwice + where)
		}
		return d
	}
}

// exactDoubles is the limit up to which a double tells whole numbers apart.
const exactDoubles = 1 << 53

// wholeGuard refuses constants beyond what doubles hold exactly where a server may make of them
// what they are compared with, instead of comparing doubles: an integer of 64 bits of a number or
// of text, on MariaDB also the text of a whole number. Shorter integers come out the same either way.
func (c *compiler) wholeGuard(n, other *program.Node, ev program.Evaluator, operation string) program.Evaluator {
	short := other.Column != nil && value.OrderBits(other.Column) < 53
	switch {
	case !n.Constant:
		return ev
	case n.Class == class.Text && other.Class.IsInteger():
	case n.Class.IsReal() && other.Class.IsInteger() && !short:
	case n.Class.IsExact() && other.Class == class.Text && c.session.IsMariaDB():
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

// compareStrings compares characters in the collation that both agree on, or
// bytes.
func (c *compiler) compareStrings(operation string, a, b *program.Node, k comparison.Comparison) (comparison.Comparison, error) {
	if k.By == class.Bytes {
		k.Compare = func(_ *program.Run, x, y *program.Datum) int { return bytes.Compare(x.B, y.B) }
		return k, nil
	}
	collation, err := c.collationOf(operation, a, b)
	if err != nil {
		return k, err
	}
	if exact, _ := collation.Exact(); !exact {
		return k, refuse(operation + " in " + collation.Name)
	}
	k.Collation, k.Alike = collation, true
	if k.A, err = c.inCharset(a, collation.Charset, operation); err != nil {
		return k, err
	}
	if k.B, err = c.inCharset(b, collation.Charset, operation); err != nil {
		return k, err
	}
	k.A, k.B = c.once(a, k.A), c.once(b, k.B)
	k.Compare = func(_ *program.Run, x, y *program.Datum) int { return collation.Compare(x.B, y.B) }
	return k, nil
}

// collationOf finds the collation that counts where strings meet. Where the
// server has one that is not one of theirs, or none, it is refused.
func (c *compiler) collationOf(operation string, nodes ...*program.Node) (*charset.Collation, error) {
	var best *program.Node
	var collation *charset.Collation
	for _, n := range nodes {
		if n.Class == class.Null {
			continue
		}
		if n.Class == class.Bytes || n.Class == class.Hex {
			return nil, refuse(operation + " of text and bytes")
		}
		switch {
		case best == nil || n.Coercible < best.Coercible:
			best, collation = n, c.textCollation(n)
		case n.Coercible == best.Coercible && c.textCollation(n) != collation:
			if collation = class.CollationOfTwo(n.Coercible, collation, c.textCollation(n)); collation == nil {
				return nil, refuse(operation + " of text in two collations")
			}
		}
	}
	if best == nil {
		return c.session.Collation, nil
	}
	return collation, nil
}

// textCollation is the collation of a node as text: numbers have that of the
// connection.
func (c *compiler) textCollation(n *program.Node) *charset.Collation {
	if n.Collation != nil {
		return n.Collation
	}
	return c.session.Collation
}

// inCharset evaluates text in a character set. Text that is not constant is
// never converted: a character that the other set has not would be lost.
func (c *compiler) inCharset(n *program.Node, to *charset.Charset, operation string) (program.Evaluator, error) {
	ev, err := c.text(n, operation)
	if err != nil {
		return nil, err
	}
	from := c.textCollation(n).Charset
	if from == to || n.Class == class.Null || class.Widens(to, from) {
		return ev, nil
	}
	if ok, _ := to.Convertible(); !ok || !n.Constant {
		return nil, refuse(operation + " of text in two character sets")
	}
	return c.convert(&program.Node{Ev: ev}, func(r *program.Run, in, out *program.Datum) *program.Datum {
		start := len(r.Arena)
		var bad int
		if r.Arena, bad = charset.Convert(r.Arena, to, from, in.B); bad >= 0 {
			return r.Refuse(operation)
		}
		return out.SetBytes(r.Arena[start:])
	}), nil
}

// between compiles a BETWEEN b AND c.
func (c *compiler) between(e *ast.BetweenExpr) (*program.Node, error) {
	args, err := c.all([]ast.Expr{e.Left, e.From, e.To})
	if err != nil {
		return nil, err
	}
	for _, bound := range args[1:] {
		if args[0].Class == class.Text && bound.Constant && !bound.Literal && bound.Class.IsExact() && c.session.IsMariaDB() {
			return nil, refuse("BETWEEN of text and computed constants") // compared as decimals
		}
	}
	args[0].Ev = c.perRow(args[0], args[0].Ev)
	low, err := c.comparisonOf("BETWEEN", args[0], args[1])
	if err != nil {
		return nil, err
	}
	high, err := c.comparisonOf("BETWEEN", args[0], args[2])
	if err != nil {
		return nil, err
	}
	if !c.session.IsMariaDB() {
		c.tolerant(&low, args[0], args[1])
		c.tolerant(&high, args[0], args[2])
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
