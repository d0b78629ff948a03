package encoding

import (
	"math"
	"strconv"

	"tunic/internal/eval/characters"
	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/notation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
)

// compileCode makes ASCII and ORD: the number of the first character.
func compileCode(code func(set *charset.Charset, s []byte) int64) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		ev, s, err := coercion.TextOf(c, name, args[0])
		if err != nil {
			return nil, err
		}
		set, slot := coercion.SetOf(c, s), c.Slot()
		return program.Derive(class.CountShape, func(r *program.Run) *program.Datum {
			d := ev(r)
			if d.Null {
				return program.NullDatum
			}
			return r.Slots[slot].SetInt(code(set, d.B))
		}, args[0]), nil
	}
}

// compileHex makes HEX, of a number or of bytes.
func compileHex(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	n := args[0]
	if err := c.Allow(name, n); err != nil {
		return nil, err
	}
	s, err := coercion.ASCIIShape(c, name, 2*coercion.TextChars(n))
	if err != nil {
		return nil, err
	}
	s.TextOnly = true // a number of no digits after the point to MariaDB
	if n.Class.IsInteger() || n.Class.IsReal() || n.Class == class.Decimal {
		return hexOfNumber(c, name, n, s), nil
	}
	evs, _, err := coercion.Texts(c, name, n)
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
	return program.Derive(s, func(r *program.Run) *program.Datum {
		d := evs[0](r)
		if d.Null {
			return program.NullDatum
		}
		return r.Write(slot, func(dst []byte) []byte { return notation.AppendHex(dst, d.B) })
	}, n), nil
}

// hexOfNumber rounds to an integer.
func hexOfNumber(c *compilation.Compilation, name string, n *program.Node, s class.Shape) *program.Node {
	ev, slot := hexInteger(c, name, n), c.Slot()
	return program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		return r.Write(slot, func(dst []byte) []byte { return notation.AppendBase(dst, d.N, 16) })
	}, n)
}

// hexInteger rounds halves away from zero, and of doubles MySQL to even.
func hexInteger(c *compilation.Compilation, name string, n *program.Node) program.Evaluator {
	if !n.Class.IsReal() {
		return coercion.Integer(c, n, name)
	}
	mariadb := c.Session.IsMariaDB()
	return c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
		f := in.Double()
		if math.Abs(f) >= math.MaxInt64 {
			return r.Refuse(name)
		}
		if mariadb {
			return out.SetInt(int64(math.Round(f)))
		}
		return out.SetInt(int64(math.RoundToEven(f)))
	})
}

// compileUnhex makes UNHEX. Of digits that are none it is NULL, of which MySQL warns.
func compileUnhex(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	ev, s, err := coercion.TextOf(c, name, args[0])
	if err != nil {
		return nil, err
	}
	s = class.Shape{Class: class.Bytes, Chars: (s.Chars + 1) / 2, Coercible: class.CoercibleLiteral, TextOnly: true}
	return program.Castable(program.Derive(s, decoded(c, name, ev, notation.AppendUnhex, c.Session.IsMariaDB()), args[0])), nil
}

// decoded evaluates what text stands for. Text that stands for nothing is NULL, or
// refused where the server would warn.
func decoded(c *compilation.Compilation, name string, ev program.Evaluator, decode func(dst, s []byte) ([]byte, bool), silent bool) program.Evaluator {
	slot := c.Slot()
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		known := true
		out := r.Write(slot, func(dst []byte) []byte {
			dst, known = decode(dst, d.B)
			return dst
		})
		switch {
		case known:
			return out
		case silent:
			return program.NullDatum
		}
		return r.Refuse(name)
	}
}

// Char compiles CHAR(number, ...): the bytes of numbers, in a character set or as
// they are.
func Char(c *compilation.Compilation, e *ast.CharExpr) (*program.Node, error) {
	const name = "CHAR"
	args, err := c.All(e.Exprs)
	if err != nil {
		return nil, err
	}
	s, set, err := charShape(c, name, e.Charset, 4*len(args))
	if err != nil {
		return nil, err
	}
	evs := make([]program.Evaluator, len(args))
	for i, n := range args {
		if err := c.Allow(name, n); err != nil {
			return nil, err
		}
		evs[i] = c.Quiet(coercion.Integer(c, n, name), name)
	}
	slot := c.Slot()
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		codes := r.Pieces(len(evs))
		for i, ev := range evs {
			codes[i] = ev(r)
		}
		out := r.Write(slot, func(dst []byte) []byte {
			for _, d := range codes {
				if !d.Null {
					dst = notation.AppendCode(dst, uint32(d.N))
				}
			}
			return dst
		})
		if set != nil && !set.Valid(out.B) {
			return r.Refuse(name)
		}
		return out
	}, args...)), nil
}

// charShape is bytes, or text of what USING names.
func charShape(c *compilation.Compilation, name, using string, chars int) (class.Shape, *charset.Charset, error) {
	if using == "" || using == "binary" {
		return class.Shape{Class: class.Bytes, Chars: chars, Coercible: class.CoercibleLiteral, TextOnly: true}, nil, nil
	}
	set, ok := charset.CharsetByName(c.Session.Flavor, using)
	if !ok || !characters.IsSelfSynchronizing(set) {
		return class.Shape{}, nil, refusal.Of(name + " USING")
	}
	return class.Shape{Class: class.Text, Chars: chars, Collation: set.Default(), Coercible: class.CoercibleLiteral}, set, nil
}

// compileToBase64 makes TO_BASE64.
func compileToBase64(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	ev, in, err := coercion.TextOf(c, name, args[0])
	if err != nil {
		return nil, err
	}
	s, err := coercion.ASCIIShape(c, name, 2*in.Chars)
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		if !r.Grown(name, len(d.B), 2) {
			return program.NullDatum
		}
		return r.Write(slot, func(dst []byte) []byte { return notation.AppendBase64(dst, d.B) })
	}, args[0])), nil
}

// compileFromBase64 makes FROM_BASE64. Spaces do not count; what is no base64 is
// NULL, of which some servers warn.
func compileFromBase64(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	ev, in, err := coercion.TextOf(c, name, args[0])
	if err != nil {
		return nil, err
	}
	s := class.Shape{Class: class.Bytes, Chars: in.Chars, Coercible: class.CoercibleLiteral}
	return program.Castable(program.Derive(s, decoded(c, name, ev, notation.AppendFromBase64, false), args[0])), nil
}

// compileQuote makes QUOTE: text as a literal has it, and the word for NULL.
func compileQuote(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	ev, s, err := coercion.TextOf(c, name, args[0])
	if err != nil {
		return nil, err
	}
	if set := coercion.SetOf(c, s); !characters.IsSelfSynchronizing(set) {
		return nil, refusal.Of(name + " in " + set.Name)
	}
	s.Chars = 2*s.Chars + 2
	slot := c.Slot()
	return program.NotNullable(program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return r.Slots[slot].SetBytes(wordNull)
		}
		return r.Write(slot, func(dst []byte) []byte { return notation.AppendQuoted(dst, d.B) })
	}, args[0])), nil
}

var wordNull = []byte("NULL")

// compileSoundex makes SOUNDEX of letters of ASCII.
func compileSoundex(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	ev, s, err := coercion.TextOf(c, name, args[0])
	if err != nil {
		return nil, err
	}
	if set := coercion.SetOf(c, s); set.BytesMin > 1 {
		return nil, refusal.Of(name + " in " + set.Name)
	}
	s.Chars = max(s.Chars, notation.SoundexLeast)
	slot := c.Slot()
	return program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		for _, b := range d.B {
			if b >= 0x80 {
				return r.Refuse(name)
			}
		}
		return r.Write(slot, func(dst []byte) []byte { return notation.AppendSoundex(dst, d.B) })
	}, args[0]), nil
}

// compileBase makes BIN and OCT: an integer with the digits of a base.
func compileBase(to int) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		if err := c.Allow(name, args[0]); err != nil {
			return nil, err
		}
		return convOf(c, name, args[0], 10, to, args)
	}
}

// baseMost is the highest base of CONV.
const baseMost = 36

// compileConv makes CONV(number, from, to). The bases have to be literals.
func compileConv(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args[0]); err != nil {
		return nil, err
	}
	bases := [2]int{}
	for i, n := range args[1:] {
		if n.Example == nil || n.Class != class.Int {
			return nil, refusal.Of(name + " of bases that vary")
		}
		c.Pin(n)
		b := int64(n.Example.Number)
		if b < -baseMost || b > baseMost || -2 < b && b < 2 {
			return nil, refusal.Of(name + " of this base")
		}
		bases[i] = int(b)
	}
	return convOf(c, name, args[0], bases[0], bases[1], args)
}

// convOf reads the digits of one base and writes those of another. A base below
// zero has a sign.
func convOf(c *compilation.Compilation, name string, n *program.Node, from, to int, args []*program.Node) (*program.Node, error) {
	s, err := coercion.ASCIIShape(c, name, 65)
	if err != nil {
		return nil, err
	}
	evs, _, err := coercion.Texts(c, name, n)
	if err != nil {
		return nil, err
	}
	ev, slot := evs[0], c.Slot()
	if n.Class == class.Bit {
		ev = c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
			start := len(r.Arena)
			r.Arena = strconv.AppendUint(r.Arena, in.N, 10)
			return out.SetBytes(r.Arena[start:])
		})
	}
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		u, ok := notation.ReadBase(d.B, from)
		if !ok {
			return r.Refuse(name)
		}
		return r.Write(slot, func(dst []byte) []byte { return notation.AppendBase(dst, u, to) })
	}, args...)), nil
}
