package text

import (
	"tunic/internal/eval/characters"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
)

// compilePad makes LPAD and RPAD: text cut or filled to so many characters.
func compilePad(left bool) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		if err := c.Allow(name, args...); err != nil {
			return nil, err
		}
		from := []*program.Node{args[0]}
		from = append(from, args[2:]...)
		evs, s, err := coercion.Texts(c, name, from...)
		if err != nil {
			return nil, err
		}
		set := coercion.SetOf(c, s)
		if set.BytesMin > 1 {
			return nil, refusal.Of(name + " in " + set.Name)
		}
		fill := func(*program.Run) *program.Datum { return spaceDatum }
		if len(evs) > 1 {
			fill = evs[1]
		}
		count, slot := c.Quiet(coercion.ClampedInteger(c, args[1], name), name), c.Slot()
		p := &padding{name: name, set: set, left: left, nullOfEmpty: c.Session.IsMariaDB()}
		return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
			d, n, with := evs[0](r), count(r), fill(r)
			if d.Null || n.Null || with.Null || int64(n.N) < 0 {
				return program.NullDatum
			}
			return padded(r, slot, p, d, with.B, int64(n.N))
		}, args...)), nil
	}
}

var spaceDatum = &program.Datum{B: space}

// padding is how text is filled up.
type padding struct {
	name string
	set  *charset.Charset
	left bool
	// nullOfEmpty is what MariaDB makes of nothing to fill with. MySQL leaves the
	// text as it is.
	nullOfEmpty bool
}

func padded(r *program.Run, slot int, p *padding, text *program.Datum, fill []byte, chars int64) *program.Datum {
	s := text.B
	have := int64(p.set.CharLen(s))
	switch {
	case chars <= have:
		return r.Slots[slot].SetBytes(p.set.TruncateChars(s, int(chars)))
	case !r.Grown(p.name, p.set.BytesMax, chars):
		return program.NullDatum
	case len(fill) > 0:
	case p.nullOfEmpty:
		return program.NullDatum
	default:
		return text
	}
	more := int(chars - have)
	return r.Write(slot, func(dst []byte) []byte {
		if p.left {
			return append(characters.AppendFill(dst, p.set, fill, more), s...)
		}
		return characters.AppendFill(append(dst, s...), p.set, fill, more)
	})
}

// compileRepeat makes REPEAT.
func compileRepeat(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	evs, s, err := coercion.Texts(c, name, args[0])
	if err != nil {
		return nil, err
	}
	count, slot := c.Quiet(coercion.ClampedInteger(c, args[1], name), name), c.Slot()
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		d, n := evs[0](r), count(r)
		if d.Null || n.Null {
			return program.NullDatum
		}
		return repeated(r, slot, name, d.B, int64(n.N))
	}, args...)), nil
}

func repeated(r *program.Run, slot int, name string, s []byte, times int64) *program.Datum {
	if times <= 0 || len(s) == 0 {
		return r.Slots[slot].SetBytes(nil)
	}
	if !r.Grown(name, len(s), times) {
		return program.NullDatum
	}
	return r.Write(slot, func(dst []byte) []byte {
		for range times {
			dst = append(dst, s...)
		}
		return dst
	})
}

// compileSpace makes SPACE, in the character set of the connection.
func compileSpace(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args[0]); err != nil {
		return nil, err
	}
	s, err := coercion.ASCIIShape(c, name, 0)
	if err != nil {
		return nil, err
	}
	count, slot := c.Quiet(coercion.ClampedInteger(c, args[0], name), name), c.Slot()
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		n := count(r)
		if n.Null {
			return program.NullDatum
		}
		return repeated(r, slot, name, space, int64(n.N))
	}, args[0])), nil
}

// Insert compiles INSERT(text, position, length, new).
func Insert(c *compilation.Compilation, e *ast.InsertExpr) (*program.Node, error) {
	const name = "INSERT"
	args, err := c.All([]ast.Expr{e.Str, e.Pos, e.Len, e.NewStr})
	if err != nil {
		return nil, err
	}
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	evs, s, err := coercion.Texts(c, name, args[0], args[3])
	if err != nil {
		return nil, err
	}
	position := c.Quiet(coercion.ClampedInteger(c, args[1], name), name)
	length := c.Quiet(coercion.ClampedInteger(c, args[2], name), name)
	set, slot := coercion.SetOf(c, s), c.Slot()
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		d, at, n, with := evs[0](r), position(r), length(r), evs[1](r)
		if d.Null || at.Null || n.Null || with.Null {
			return program.NullDatum
		}
		before, after, ok := characters.Around(set, d.B, int64(at.N), int64(n.N))
		if !ok {
			return d
		}
		return r.Write(slot, func(dst []byte) []byte { return append(append(append(dst, before...), with.B...), after...) })
	}, args...)), nil
}

// compileSubstringIndex makes SUBSTRING_INDEX: text up to the n-th delimiter, or
// behind the n-th from the end. Delimiters are compared as bytes.
func compileSubstringIndex(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	evs, s, err := coercion.Texts(c, name, args[0], args[1])
	if err != nil {
		return nil, err
	}
	if set := coercion.SetOf(c, s); !characters.IsSelfSynchronizing(set) {
		return nil, refusal.Of(name + " in " + set.Name)
	}
	s.Chars = coercion.TextChars(args[0])
	count, slot := c.Quiet(coercion.ClampedInteger(c, args[2], name), name), c.Slot()
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		d, delimiter, n := evs[0](r), evs[1](r), count(r)
		if d.Null || delimiter.Null || n.Null {
			return program.NullDatum
		}
		// Servers differ in where they begin to count, and MariaDB takes the last 32 bits.
		if int64(n.N) < 0 && characters.OverlapsItself(delimiter.B) || int64(n.N) != int64(int32(n.N)) {
			return r.Refuse(name)
		}
		return r.Slots[slot].SetBytes(characters.SubstringIndex(d.B, delimiter.B, int64(n.N)))
	}, args...)), nil
}
