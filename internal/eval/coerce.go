package eval

import (
	"bytes"
	"encoding/binary"
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/program"
	"tunic/internal/value"
)

// A coercion turns a node into an evaluator of another representation. The
// operation is the one that wants it, for a refusal.

// convert makes an evaluator that converts what is not NULL.
func (c *compiler) convert(n *program.Node, to func(r *program.Run, in, out *program.Datum) *program.Datum) program.Evaluator {
	slot, ev := c.slot(), n.Ev
	return func(r *program.Run) *program.Datum {
		in := ev(r)
		if in.Null {
			return program.NullDatum
		}
		out := &r.Slots[slot]
		out.Null = false
		return to(r, in, out)
	}
}

// once makes an evaluator of a constant compute once a run, when it starts: the
// servers, too, read the constants of a comparison first, and may fail for them.
func (c *compiler) once(n *program.Node, ev program.Evaluator) program.Evaluator {
	if !n.Constant || n.Varies {
		return ev
	}
	slot := c.slot()
	cached := func(r *program.Run) *program.Datum {
		if !r.Cached[slot] {
			before := len(r.Conds)
			d := *ev(r)
			if len(r.Conds) > before {
				return r.Refuse("a constant that warns")
			}
			if len(d.B) > 0 {
				start := len(r.Store)
				r.Store = append(r.Store, d.B...)
				d.B = r.Store[start:]
			}
			r.Slots[slot], r.Cached[slot] = d, r.Err == nil
		}
		return &r.Slots[slot]
	}
	c.atStart(cached)
	return cached
}

// perRow makes an evaluator that is asked more than once for a row compute once:
// what warns does so once.
func (c *compiler) perRow(n *program.Node, ev program.Evaluator) program.Evaluator {
	if n.Column != nil || n.Constant {
		return ev
	}
	state := c.state()
	return func(r *program.Run) *program.Datum {
		memo, _ := r.States[state].(*rowMemo)
		if memo == nil {
			memo = &rowMemo{row: -1}
			r.States[state] = memo
		}
		if memo.row != r.Number {
			memo.row, memo.d = r.Number, ev(r)
		}
		return memo.d
	}
}

// rowMemo is what was computed for the row of that number.
type rowMemo struct {
	row int
	d   *program.Datum
}

// Real evaluates as a double.
func Real(c *compiler, n *program.Node, operation string) program.Evaluator {
	switch n.Class {
	case class.Null:
		return n.Ev
	case class.Text, class.Bytes:
		if n.TextOnly {
			return c.refuseNumber(operation)
		}
		return realOfText(c, n, operation)
	case class.Float, class.Double:
		return n.Ev
	case class.Int:
		return c.convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			return out.SetDouble(float64(int64(in.N)))
		})
	case class.Uint, class.Year, class.Bit, class.Enum, class.Set:
		return c.convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum { return out.SetDouble(float64(in.N)) })
	case class.Decimal:
		return c.convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum { return out.SetDouble(in.D.Double()) })
	case class.Hex:
		return c.convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
			u, ok := hexNumber(in.B)
			if !ok {
				return r.Refuse(operation)
			}
			return out.SetDouble(float64(u))
		})
	default:
		d := Decimal(c, n, operation)
		return c.convert(&program.Node{Ev: d}, func(_ *program.Run, in, out *program.Datum) *program.Datum { return out.SetDouble(in.D.Double()) })
	}
}

// hexNumber is what a hexadecimal literal is as a number.
func hexNumber(b []byte) (uint64, bool) {
	var u uint64
	for _, x := range b {
		u = u<<8 | uint64(x)
	}
	return u, len(b) <= 8
}

var doubleType = &value.Type{Kind: value.Double}

// realOfText reads text as a number, which it has to be from end to end: of other
// text the servers make what they can, with a warning each time they read it, and
// how often that is depends on what is around it.
func realOfText(c *compiler, n *program.Node, operation string) program.Evaluator {
	source := value.Source{Form: value.FormString, Collation: n.Collation}
	if source.Collation == nil {
		source.Collation = c.session.Collation
	}
	warnsOfEmpty := c.session.IsMariaDB() || n.Constant
	return c.once(n, readReal(c, n, source, warnsOfEmpty, operation))
}

func readReal(c *compiler, n *program.Node, source value.Source, warnsOfEmpty bool, operation string) program.Evaluator {
	return c.convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
		if len(in.B) == 0 && !warnsOfEmpty {
			return out.SetDouble(0)
		}
		s := source
		s.Bytes = in.B
		var room [8]byte
		b, o := value.Assign(room[:0], doubleType, &s, &r.Lax)
		if len(o.Conditions()) > 0 {
			return r.Refuse(operation)
		}
		out.N = binary.BigEndian.Uint64(b)
		return out
	})
}

// comparesOnly are the operations to which it does not matter how many digits
// after the point a number of several types has.
var comparesOnly = map[string]bool{"=": true, "IN": true, "BETWEEN": true, "NULLIF": true}

// Decimal evaluates as an exact number.
func Decimal(c *compiler, n *program.Node, operation string) program.Evaluator {
	switch n.Class {
	case class.Null, class.Decimal:
		return evenly(c, n, operation)
	case class.Int:
		return c.convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			out.D = decimal.OfInt(int64(in.N))
			return out
		})
	case class.Uint, class.Year, class.Bit, class.Enum, class.Set:
		return c.convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			out.D = decimal.OfUint(in.N)
			return out
		})
	case class.Date, class.DateTime, class.Timestamp, class.Time:
		return decimalOfTemporal(c, n)
	case class.Text, class.Bytes, class.Float, class.Double:
		if n.TextOnly {
			return c.refuseNumber(operation)
		}
		return decimalByAssign(c, n, operation)
	case class.JSON:
		return decimalByAssign(c, jsonNumber(c, n, operation), operation)
	default:
		return func(r *program.Run) *program.Datum { return r.Refuse(operation) }
	}
}

// wordScale is the scale up to which a quotient of MySQL's has the same digits whether or
// not its operands have zeros at their end: it divides words of 9 digits.
const wordScale = 5

// evenly evaluates a decimal that may be one of several types. MariaDB computes with the
// digits that each of them has; MySQL shows its results with those of their type, but
// divides as MariaDB does.
func evenly(c *compiler, n *program.Node, operation string) program.Evaluator {
	switch {
	case c.session.IsMariaDB(), !n.NumberOnly && !n.Uneven, comparesOnly[operation]:
		return n.Ev
	case operation == "/" && n.Scale > wordScale:
		return c.refuseNumber(operation)
	case !n.NumberOnly:
		return n.Ev
	}
	return Extend(c, n, operation)
}

// Extend gives all decimals of a node as many digits as its type has.
func Extend(c *compiler, n *program.Node, operation string) program.Evaluator {
	scale := n.Scale
	return c.convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
		if out.D = in.D; !out.D.Extend(scale) {
			return r.Refuse(operation)
		}
		return out
	})
}

// decimalByAssign reads text and doubles as the widest DECIMAL column would.
func decimalByAssign(c *compiler, n *program.Node, operation string) program.Evaluator {
	t := &value.Type{Kind: value.Decimal, Length: decimal.DigitsMax, Decimals: decimal.ScaleMaxMySQL}
	source := value.Source{Form: value.FormString, Collation: n.Collation}
	if source.Collation == nil {
		source.Collation = c.session.Collation
	}
	if n.Class.IsReal() {
		source = value.Source{Form: value.FormDouble}
	}
	return c.convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
		s := source
		s.Bytes, s.Number = in.B, in.N
		var room [32]byte
		b, o := value.Assign(room[:0], t, &s, &r.Lax)
		if len(o.Conditions()) > 0 {
			return r.Refuse(operation)
		}
		out.D.SetCanonical(b, t.Decimals)
		return out
	})
}

// Integer evaluates as a 64-bit integer, signed or as n's class has it.
func Integer(c *compiler, n *program.Node, operation string) program.Evaluator {
	switch {
	case n.Class == class.Null, n.Class.IsInteger(), n.Class == class.Enum, n.Class == class.Set:
		return n.Ev
	case n.Class == class.Decimal:
		return c.convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
			i, ok := in.D.Int64()
			if !ok {
				return r.Refuse(operation)
			}
			return out.SetInt(i)
		})
	case n.Class.IsReal():
		return c.convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
			f := math.RoundToEven(in.Double())
			if math.Abs(f) >= math.MaxInt64 {
				return r.Refuse(operation)
			}
			return out.SetInt(int64(f))
		})
	case n.Class == class.Hex:
		return c.convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
			u, ok := hexNumber(in.B)
			if !ok {
				return r.Refuse(operation)
			}
			return out.SetUint(u)
		})
	case n.Class == class.JSON:
		return integerOfText(c, jsonNumber(c, n, operation), operation)
	case n.Class.IsTemporal():
		d := decimalOfTemporal(c, n)
		return Integer(c, &program.Node{Ev: d, Shape: class.Shape{Class: class.Decimal}}, operation)
	case n.TextOnly:
		return c.refuseNumber(operation)
	default:
		return integerOfText(c, n, operation)
	}
}

// refuseNumber is text as a number where that is another one to the servers. The
// whole expression is refused for it.
func (c *compiler) refuseNumber(operation string) program.Evaluator {
	c.refusal = refuse(operation)
	return func(r *program.Run) *program.Datum { return r.Refuse(operation) }
}

// integerOfText takes text that is an integer from end to end.
func integerOfText(c *compiler, n *program.Node, operation string) program.Evaluator {
	return c.once(n, c.convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
		if !out.D.SetText(in.B) || bytes.IndexByte(in.B, '.') >= 0 {
			return r.Refuse(operation)
		}
		i, ok := out.D.Int64()
		if !ok {
			return r.Refuse(operation)
		}
		return out.SetInt(i)
	}))
}

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
		return nil, refuse("a condition of this type")
	default:
		ev := Real(c, n, "a condition")
		return c.convert(&program.Node{Ev: ev}, func(_ *program.Run, in, _ *program.Datum) *program.Datum { return program.BoolDatum(in.Double() != 0) }), nil
	}
}
