package eval

import (
	"math"

	"tunic/internal/eval/characters"
	"tunic/internal/eval/class"
	"tunic/internal/eval/notation"
	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
)

// compileCode makes ASCII and ORD: the number of the first character.
func compileCode(code func(set *charset.Charset, s []byte) int64) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		ev, s, err := c.textOf(name, args[0])
		if err != nil {
			return nil, err
		}
		set, slot := c.setOf(s), c.slot()
		return derive(class.CountShape, func(r *Run) *datum {
			d := ev(r)
			if d.null {
				return nullDatum
			}
			return r.slots[slot].setInt(code(set, d.b))
		}, args[0]), nil
	}
}

// compileHex makes HEX, of a number or of bytes.
func compileHex(c *compiler, name string, args []*node) (*node, error) {
	n := args[0]
	if err := c.allow(name, n); err != nil {
		return nil, err
	}
	s, err := c.asciiShape(name, 2*c.textChars(n))
	if err != nil {
		return nil, err
	}
	s.TextOnly = true // a number of no digits after the point to MariaDB
	if n.Class.IsInteger() || n.Class.IsReal() || n.Class == class.Decimal {
		return c.hexOfNumber(name, n, s), nil
	}
	evs, _, err := c.texts(name, n)
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	return derive(s, func(r *Run) *datum {
		d := evs[0](r)
		if d.null {
			return nullDatum
		}
		return r.write(slot, func(dst []byte) []byte { return notation.AppendHex(dst, d.b) })
	}, n), nil
}

// hexOfNumber rounds to an integer.
func (c *compiler) hexOfNumber(name string, n *node, s class.Shape) *node {
	ev, slot := c.hexInteger(name, n), c.slot()
	return derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		return r.write(slot, func(dst []byte) []byte { return notation.AppendBase(dst, d.n, 16) })
	}, n)
}

// hexInteger rounds halves away from zero, and of doubles MySQL to even.
func (c *compiler) hexInteger(name string, n *node) evaluator {
	if !n.Class.IsReal() {
		return c.integer(n, name)
	}
	mariadb := c.session.isMariaDB()
	return c.convert(n, func(r *Run, in, out *datum) *datum {
		f := in.double()
		if math.Abs(f) >= math.MaxInt64 {
			return r.refuse(name)
		}
		if mariadb {
			return out.setInt(int64(math.Round(f)))
		}
		return out.setInt(int64(math.RoundToEven(f)))
	})
}

// compileUnhex makes UNHEX. Of digits that are none it is NULL, of which MySQL warns.
func compileUnhex(c *compiler, name string, args []*node) (*node, error) {
	ev, s, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	s = class.Shape{Class: class.Bytes, Chars: (s.Chars + 1) / 2, Coercible: class.CoercibleLiteral, TextOnly: true}
	return castable(derive(s, c.decoded(name, ev, notation.AppendUnhex, c.session.isMariaDB()), args[0])), nil
}

// decoded evaluates what text stands for. Text that stands for nothing is NULL, or
// refused where the server would warn.
func (c *compiler) decoded(name string, ev evaluator, decode func(dst, s []byte) ([]byte, bool), silent bool) evaluator {
	slot := c.slot()
	return func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		known := true
		out := r.write(slot, func(dst []byte) []byte {
			dst, known = decode(dst, d.b)
			return dst
		})
		switch {
		case known:
			return out
		case silent:
			return nullDatum
		}
		return r.refuse(name)
	}
}

// char compiles CHAR(number, ...): the bytes of numbers, in a character set or as
// they are.
func (c *compiler) char(e *ast.CharExpr) (*node, error) {
	const name = "CHAR"
	args, err := c.all(e.Exprs)
	if err != nil {
		return nil, err
	}
	s, set, err := c.charShape(name, e.Charset, 4*len(args))
	if err != nil {
		return nil, err
	}
	evs := make([]evaluator, len(args))
	for i, n := range args {
		if err := c.allow(name, n); err != nil {
			return nil, err
		}
		evs[i] = c.quiet(c.integer(n, name), name)
	}
	slot := c.slot()
	return castable(derive(s, func(r *Run) *datum {
		codes := r.pieces(len(evs))
		for i, ev := range evs {
			codes[i] = ev(r)
		}
		out := r.write(slot, func(dst []byte) []byte {
			for _, d := range codes {
				if !d.null {
					dst = notation.AppendCode(dst, uint32(d.n))
				}
			}
			return dst
		})
		if set != nil && !set.Valid(out.b) {
			return r.refuse(name)
		}
		return out
	}, args...)), nil
}

// charShape is bytes, or text of what USING names.
func (c *compiler) charShape(name, using string, chars int) (class.Shape, *charset.Charset, error) {
	if using == "" || using == "binary" {
		return class.Shape{Class: class.Bytes, Chars: chars, Coercible: class.CoercibleLiteral, TextOnly: true}, nil, nil
	}
	set, ok := charset.CharsetByName(c.session.Flavor, using)
	if !ok || !characters.IsSelfSynchronizing(set) {
		return class.Shape{}, nil, refuse(name + " USING")
	}
	return class.Shape{Class: class.Text, Chars: chars, Collation: set.Default(), Coercible: class.CoercibleLiteral}, set, nil
}
