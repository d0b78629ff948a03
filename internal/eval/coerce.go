package eval

import (
	"bytes"
	"encoding/binary"
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/value"
)

// A coercion turns a node into an evaluator of another representation. The
// operation is the one that wants it, for a refusal.

func wordOf(b []byte) uint64 { return binary.BigEndian.Uint64(b) }

// convert makes an evaluator that converts what is not NULL.
func (c *compiler) convert(n *node, to func(r *Run, in, out *datum) *datum) evaluator {
	slot, ev := c.slot(), n.ev
	return func(r *Run) *datum {
		in := ev(r)
		if in.null {
			return nullDatum
		}
		out := &r.slots[slot]
		out.null = false
		return to(r, in, out)
	}
}

// once makes an evaluator of a constant compute once a run, when it starts: the
// servers, too, read the constants of a comparison first, and may fail for them.
func (c *compiler) once(n *node, ev evaluator) evaluator {
	if !n.constant || n.varies {
		return ev
	}
	slot := c.slot()
	cached := func(r *Run) *datum {
		if !r.cached[slot] {
			before := len(r.conds)
			d := *ev(r)
			if len(r.conds) > before {
				return r.refuse("a constant that warns")
			}
			if len(d.b) > 0 {
				start := len(r.store)
				r.store = append(r.store, d.b...)
				d.b = r.store[start:]
			}
			r.slots[slot], r.cached[slot] = d, r.err == nil
		}
		return &r.slots[slot]
	}
	c.eager = append(c.eager, cached)
	return cached
}

// perRow makes an evaluator that is asked more than once for a row compute once:
// what warns does so once.
func (c *compiler) perRow(n *node, ev evaluator) evaluator {
	if n.column != nil || n.constant {
		return ev
	}
	state := c.states
	c.states++
	return func(r *Run) *datum {
		memo, _ := r.states[state].(*rowMemo)
		if memo == nil {
			memo = &rowMemo{row: -1}
			r.states[state] = memo
		}
		if memo.row != r.number {
			memo.row, memo.d = r.number, ev(r)
		}
		return memo.d
	}
}

// rowMemo is what was computed for the row of that number.
type rowMemo struct {
	row int
	d   *datum
}

// real evaluates as a double.
func (c *compiler) real(n *node, operation string) evaluator {
	switch n.Class {
	case class.Null:
		return n.ev
	case class.Text, class.Bytes:
		if n.TextOnly {
			return c.refuseNumber(operation)
		}
		return c.realOfText(n, operation)
	case class.Float, class.Double:
		return n.ev
	case class.Int:
		return c.convert(n, func(_ *Run, in, out *datum) *datum { return out.setDouble(float64(int64(in.n))) })
	case class.Uint, class.Year, class.Bit, class.Enum, class.Set:
		return c.convert(n, func(_ *Run, in, out *datum) *datum { return out.setDouble(float64(in.n)) })
	case class.Decimal:
		return c.convert(n, func(_ *Run, in, out *datum) *datum { return out.setDouble(in.d.Double()) })
	case class.Hex:
		return c.convert(n, func(r *Run, in, out *datum) *datum {
			u, ok := hexNumber(in.b)
			if !ok {
				return r.refuse(operation)
			}
			return out.setDouble(float64(u))
		})
	default:
		d := c.decimal(n, operation)
		return c.convert(&node{ev: d}, func(_ *Run, in, out *datum) *datum { return out.setDouble(in.d.Double()) })
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
func (c *compiler) realOfText(n *node, operation string) evaluator {
	source := value.Source{Form: value.FormString, Collation: n.Collation}
	if source.Collation == nil {
		source.Collation = c.session.Collation
	}
	warnsOfEmpty := c.session.isMariaDB() || n.constant
	return c.once(n, c.readReal(n, source, warnsOfEmpty, operation))
}

func (c *compiler) readReal(n *node, source value.Source, warnsOfEmpty bool, operation string) evaluator {
	return c.convert(n, func(r *Run, in, out *datum) *datum {
		if len(in.b) == 0 && !warnsOfEmpty {
			return out.setDouble(0)
		}
		s := source
		s.Bytes = in.b
		var room [8]byte
		b, o := value.Assign(room[:0], doubleType, &s, &r.lax)
		if len(o.Conditions()) > 0 {
			return r.refuse(operation)
		}
		out.n = wordOf(b)
		return out
	})
}

// comparesOnly are the operations to which it does not matter how many digits
// after the point a number of several types has.
var comparesOnly = map[string]bool{"=": true, "IN": true, "BETWEEN": true, "NULLIF": true}

// decimal evaluates as an exact number.
func (c *compiler) decimal(n *node, operation string) evaluator {
	switch n.Class {
	case class.Null, class.Decimal:
		return c.evenly(n, operation)
	case class.Int:
		return c.convert(n, func(_ *Run, in, out *datum) *datum {
			out.d = decimal.OfInt(int64(in.n))
			return out
		})
	case class.Uint, class.Year, class.Bit, class.Enum, class.Set:
		return c.convert(n, func(_ *Run, in, out *datum) *datum {
			out.d = decimal.OfUint(in.n)
			return out
		})
	case class.Date, class.DateTime, class.Timestamp, class.Time:
		return c.decimalOfTemporal(n)
	case class.Text, class.Bytes, class.Float, class.Double:
		if n.TextOnly {
			return c.refuseNumber(operation)
		}
		return c.decimalByAssign(n, operation)
	case class.JSON:
		return c.decimalByAssign(c.jsonNumber(n, operation), operation)
	default:
		return func(r *Run) *datum { return r.refuse(operation) }
	}
}

// wordScale is the scale up to which a quotient of MySQL's has the same digits whether or
// not its operands have zeros at their end: it divides words of 9 digits.
const wordScale = 5

// evenly evaluates a decimal that may be one of several types. MariaDB computes with the
// digits that each of them has; MySQL shows its results with those of their type, but
// divides as MariaDB does.
func (c *compiler) evenly(n *node, operation string) evaluator {
	switch {
	case c.session.isMariaDB(), !n.NumberOnly && !n.Uneven, comparesOnly[operation]:
		return n.ev
	case operation == "/" && n.Scale > wordScale:
		return c.refuseNumber(operation)
	case !n.NumberOnly:
		return n.ev
	}
	return c.extend(n, operation)
}

// extend gives all decimals of a node as many digits as its type has.
func (c *compiler) extend(n *node, operation string) evaluator {
	scale := n.Scale
	return c.convert(n, func(r *Run, in, out *datum) *datum {
		if out.d = in.d; !out.d.Extend(scale) {
			return r.refuse(operation)
		}
		return out
	})
}

// decimalByAssign reads text and doubles as the widest DECIMAL column would.
func (c *compiler) decimalByAssign(n *node, operation string) evaluator {
	t := &value.Type{Kind: value.Decimal, Length: decimal.DigitsMax, Decimals: decimal.ScaleMaxMySQL}
	source := value.Source{Form: value.FormString, Collation: n.Collation}
	if source.Collation == nil {
		source.Collation = c.session.Collation
	}
	if n.Class.IsReal() {
		source = value.Source{Form: value.FormDouble}
	}
	return c.convert(n, func(r *Run, in, out *datum) *datum {
		s := source
		s.Bytes, s.Number = in.b, in.n
		var room [32]byte
		b, o := value.Assign(room[:0], t, &s, &r.lax)
		if len(o.Conditions()) > 0 {
			return r.refuse(operation)
		}
		out.d.SetCanonical(b, t.Decimals)
		return out
	})
}

// integer evaluates as a 64-bit integer, signed or as n's class has it.
func (c *compiler) integer(n *node, operation string) evaluator {
	switch {
	case n.Class == class.Null, n.Class.IsInteger(), n.Class == class.Enum, n.Class == class.Set:
		return n.ev
	case n.Class == class.Decimal:
		return c.convert(n, func(r *Run, in, out *datum) *datum {
			i, ok := in.d.Int64()
			if !ok {
				return r.refuse(operation)
			}
			return out.setInt(i)
		})
	case n.Class.IsReal():
		return c.convert(n, func(r *Run, in, out *datum) *datum {
			f := math.RoundToEven(in.double())
			if math.Abs(f) >= math.MaxInt64 {
				return r.refuse(operation)
			}
			return out.setInt(int64(f))
		})
	case n.Class == class.Hex:
		return c.convert(n, func(r *Run, in, out *datum) *datum {
			u, ok := hexNumber(in.b)
			if !ok {
				return r.refuse(operation)
			}
			return out.setUint(u)
		})
	case n.Class == class.JSON:
		return c.integerOfText(c.jsonNumber(n, operation), operation)
	case n.Class.IsTemporal():
		d := c.decimalOfTemporal(n)
		return c.integer(&node{ev: d, Shape: class.Shape{Class: class.Decimal}}, operation)
	case n.TextOnly:
		return c.refuseNumber(operation)
	default:
		return c.integerOfText(n, operation)
	}
}

// refuseNumber is text as a number where that is another one to the servers. The
// whole expression is refused for it.
func (c *compiler) refuseNumber(operation string) evaluator {
	c.refusal = refuse(operation)
	return func(r *Run) *datum { return r.refuse(operation) }
}

// integerOfText takes text that is an integer from end to end.
func (c *compiler) integerOfText(n *node, operation string) evaluator {
	return c.once(n, c.convert(n, func(r *Run, in, out *datum) *datum {
		if !out.d.SetText(in.b) || bytes.IndexByte(in.b, '.') >= 0 {
			return r.refuse(operation)
		}
		i, ok := out.d.Int64()
		if !ok {
			return r.refuse(operation)
		}
		return out.setInt(i)
	}))
}

// truth evaluates as a condition.
func (c *compiler) truth(n *node) (evaluator, error) {
	if err := c.allow("truth", n); err != nil {
		return nil, err
	}
	switch {
	case n.truth != nil:
		return n.truth, nil
	case n.Class == class.Null, n.Class.IsInteger(), n.Class == class.Enum, n.Class == class.Set:
		return n.ev, nil
	case n.Class == class.Decimal:
		return c.convert(n, func(_ *Run, in, _ *datum) *datum { return boolDatum(!in.d.IsZero()) }), nil
	case n.Class == class.Other:
		return nil, refuse("a condition of this type")
	default:
		ev := c.real(n, "a condition")
		return c.convert(&node{ev: ev}, func(_ *Run, in, _ *datum) *datum { return boolDatum(in.double() != 0) }), nil
	}
}
