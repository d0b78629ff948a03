package coercion

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/json"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/value"
)

// Real evaluates as a double.
func Real(c *compilation.Compilation, n *program.Node, operation string) program.Evaluator {
	switch n.Class {
	case class.Null:
		return n.Ev
	case class.Text, class.Bytes:
		if n.TextOnly {
			return c.RefuseNumber(operation)
		}
		return realOfText(c, n, operation)
	case class.Float, class.Double:
		return n.Ev
	case class.Int:
		return c.Convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			return out.SetDouble(float64(int64(in.N)))
		})
	case class.Uint, class.Year, class.Bit, class.Enum, class.Set:
		return c.Convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum { return out.SetDouble(float64(in.N)) })
	case class.Decimal:
		return c.Convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum { return out.SetDouble(in.D.Double()) })
	case class.Hex:
		return c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
			u, ok := hexNumber(in.B)
			if !ok {
				return r.Refuse(operation)
			}
			return out.SetDouble(float64(u))
		})
	default:
		d := Decimal(c, n, operation)
		return c.Convert(&program.Node{Ev: d}, func(_ *program.Run, in, out *program.Datum) *program.Datum { return out.SetDouble(in.D.Double()) })
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
func realOfText(c *compilation.Compilation, n *program.Node, operation string) program.Evaluator {
	source := value.Source{Form: value.FormString, Collation: n.Collation}
	if source.Collation == nil {
		source.Collation = c.Session.Collation
	}
	warnsOfEmpty := c.Session.IsMariaDB() || n.Constant
	return c.Once(n, readReal(c, n, source, warnsOfEmpty, operation))
}

func readReal(c *compilation.Compilation, n *program.Node, source value.Source, warnsOfEmpty bool, operation string) program.Evaluator {
	return c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
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
func Decimal(c *compilation.Compilation, n *program.Node, operation string) program.Evaluator {
	switch n.Class {
	case class.Null, class.Decimal:
		return evenly(c, n, operation)
	case class.Int:
		return c.Convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			out.D = decimal.OfInt(int64(in.N))
			return out
		})
	case class.Uint, class.Year, class.Bit, class.Enum, class.Set:
		return c.Convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			out.D = decimal.OfUint(in.N)
			return out
		})
	case class.Date, class.DateTime, class.Timestamp, class.Time:
		return decimalOfTemporal(c, n)
	case class.Text, class.Bytes, class.Float, class.Double:
		if n.TextOnly {
			return c.RefuseNumber(operation)
		}
		return decimalByAssign(c, n, operation)
	case class.JSON:
		return decimalByAssign(c, jsonNumber(c, n, operation), operation)
	default:
		return func(r *program.Run) *program.Datum { return r.Refuse(operation) }
	}
}

// WordScale is the scale up to which a quotient of MySQL's has the same digits whether or
// not its operands have zeros at their end: it divides words of 9 digits.
const WordScale = 5

// evenly evaluates a decimal that may be one of several types. MariaDB computes with the
// digits that each of them has; MySQL shows its results with those of their type, but
// divides as MariaDB does.
func evenly(c *compilation.Compilation, n *program.Node, operation string) program.Evaluator {
	switch {
	case c.Session.IsMariaDB(), !n.NumberOnly && !n.Uneven, comparesOnly[operation]:
		return n.Ev
	case operation == "/" && n.Scale > WordScale:
		return c.RefuseNumber(operation)
	case !n.NumberOnly:
		return n.Ev
	}
	return Extend(c, n, operation)
}

// Extend gives all decimals of a node as many digits as its type has.
func Extend(c *compilation.Compilation, n *program.Node, operation string) program.Evaluator {
	scale := n.Scale
	return c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
		if out.D = in.D; !out.D.Extend(scale) {
			return r.Refuse(operation)
		}
		return out
	})
}

// decimalByAssign reads text and doubles as the widest DECIMAL column would.
func decimalByAssign(c *compilation.Compilation, n *program.Node, operation string) program.Evaluator {
	t := &value.Type{Kind: value.Decimal, Length: decimal.DigitsMax, Decimals: decimal.ScaleMaxMySQL}
	source := value.Source{Form: value.FormString, Collation: n.Collation}
	if source.Collation == nil {
		source.Collation = c.Session.Collation
	}
	if n.Class.IsReal() {
		source = value.Source{Form: value.FormDouble}
	}
	return c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
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
func Integer(c *compilation.Compilation, n *program.Node, operation string) program.Evaluator {
	switch {
	case n.Class == class.Null, n.Class.IsInteger(), n.Class == class.Enum, n.Class == class.Set:
		return n.Ev
	case n.Class == class.Decimal:
		return c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
			i, ok := in.D.Int64()
			if !ok {
				return r.Refuse(operation)
			}
			return out.SetInt(i)
		})
	case n.Class.IsReal():
		return c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
			f := math.RoundToEven(in.Double())
			if math.Abs(f) >= math.MaxInt64 {
				return r.Refuse(operation)
			}
			return out.SetInt(int64(f))
		})
	case n.Class == class.Hex:
		return c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
			u, ok := hexNumber(in.B)
			if !ok {
				return r.Refuse(operation)
			}
			return out.SetUint(u)
		})
	case n.Class == class.JSON:
		return integerOfText(c, jsonNumber(c, n, operation), operation)
	case n.Class.IsTemporal():
		return integerOfTemporal(c, n, operation)
	case n.TextOnly:
		return c.RefuseNumber(operation)
	default:
		return integerOfText(c, n, operation)
	}
}

// integerOfTemporal refuses where a fraction of a second decides. MariaDB cuts it off in some operations
// and rounds in others. MySQL rounds, and makes 60 seconds a minute of what a column or a literal has, but
// not of what some functions return.
func integerOfTemporal(c *compilation.Compilation, n *program.Node, operation string) program.Evaluator {
	const last = 59 // seconds that rounding may make 60
	d := &program.Node{Ev: decimalOfTemporal(c, n), Shape: class.Shape{Class: class.Decimal}}
	cuts := c.Session.IsMariaDB()
	return c.Convert(d, func(r *program.Run, in, out *program.Datum) *program.Datum {
		rounded, ok := in.D.Int64()
		cut := in.D
		cut.RoundAt(0, 0, true)
		whole, _ := cut.Int64()
		if !ok || rounded != whole && (cuts || whole%100 == last || whole%100 == -last) {
			return r.Refuse(operation)
		}
		return out.SetInt(rounded)
	})
}

// integerOfText takes text that is an integer from end to end.
func integerOfText(c *compilation.Compilation, n *program.Node, operation string) program.Evaluator {
	return c.Once(n, c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
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

// ClampedInteger evaluates as a signed integer; an unsigned one beyond is as big
// as one can be.
func ClampedInteger(c *compilation.Compilation, n *program.Node, operation string) program.Evaluator {
	ev := Integer(c, n, operation)
	if !n.Class.IsUnsigned() {
		return ev
	}
	return c.Convert(&program.Node{Ev: ev}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
		return out.SetInt(int64(min(in.N, math.MaxInt64)))
	})
}

// jsonNumber is a document as the text of a number; others are refused.
func jsonNumber(c *compilation.Compilation, n *program.Node, operation string) *program.Node {
	text := &program.Node{Shape: n.Shape, Constant: n.Constant}
	text.Class = class.Text
	text.Ev = c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
		if !json.IsNumber(in.B) {
			return r.Refuse(operation)
		}
		return out.SetBytes(in.B)
	})
	return text
}

// TextParams refuses a parameter that is text beside values of another type: MySQL gives a
// parameter the type of what stands beside it, and makes a value of that type of the text
// (MySQL manual, "PREPARE Statement").
func TextParams(c *compilation.Compilation, operation string, values ...*program.Node) error {
	text := func(v *program.Node) bool { return v.Param && v.Class.IsString() }
	other := func(v *program.Node) bool { return !v.Class.IsString() && v.Class != class.Null }
	if !c.Session.IsMariaDB() && slices.ContainsFunc(values, text) && slices.ContainsFunc(values, other) {
		return refusal.Of(operation + " of a parameter that is text and a value of another type")
	}
	return nil
}
