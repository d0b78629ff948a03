package eval

import (
	"tunic/internal/eval/characters"
	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
)

// compilePad makes LPAD and RPAD: text cut or filled to so many characters.
func compilePad(left bool) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		if err := c.allow(name, args...); err != nil {
			return nil, err
		}
		from := []*node{args[0]}
		from = append(from, args[2:]...)
		evs, s, err := c.texts(name, from...)
		if err != nil {
			return nil, err
		}
		set := c.setOf(s)
		if set.BytesMin > 1 {
			return nil, refuse(name + " in " + set.Name)
		}
		fill := func(*Run) *datum { return spaceDatum }
		if len(evs) > 1 {
			fill = evs[1]
		}
		count, slot := c.quiet(c.clampedInteger(args[1], name), name), c.slot()
		p := &padding{name: name, set: set, left: left, nullOfEmpty: c.session.isMariaDB()}
		return castable(derive(s, func(r *Run) *datum {
			d, n, with := evs[0](r), count(r), fill(r)
			if d.null || n.null || with.null || int64(n.n) < 0 {
				return nullDatum
			}
			return padded(r, slot, p, d, with.b, int64(n.n))
		}, args...)), nil
	}
}

var spaceDatum = &datum{b: space}

// padding is how text is filled up.
type padding struct {
	name string
	set  *charset.Charset
	left bool
	// nullOfEmpty is what MariaDB makes of nothing to fill with. MySQL leaves the
	// text as it is.
	nullOfEmpty bool
}

func padded(r *Run, slot int, p *padding, text *datum, fill []byte, chars int64) *datum {
	s := text.b
	have := int64(p.set.CharLen(s))
	switch {
	case chars <= have:
		return r.slots[slot].setBytes(p.set.TruncateChars(s, int(chars)))
	case !r.grown(p.name, p.set.BytesMax, chars):
		return nullDatum
	case len(fill) > 0:
	case p.nullOfEmpty:
		return nullDatum
	default:
		return text
	}
	more := int(chars - have)
	return r.write(slot, func(dst []byte) []byte {
		if p.left {
			return append(characters.AppendFill(dst, p.set, fill, more), s...)
		}
		return characters.AppendFill(append(dst, s...), p.set, fill, more)
	})
}

// compileRepeat makes REPEAT.
func compileRepeat(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	evs, s, err := c.texts(name, args[0])
	if err != nil {
		return nil, err
	}
	count, slot := c.quiet(c.clampedInteger(args[1], name), name), c.slot()
	return castable(derive(s, func(r *Run) *datum {
		d, n := evs[0](r), count(r)
		if d.null || n.null {
			return nullDatum
		}
		return repeated(r, slot, name, d.b, int64(n.n))
	}, args...)), nil
}

func repeated(r *Run, slot int, name string, s []byte, times int64) *datum {
	if times <= 0 || len(s) == 0 {
		return r.slots[slot].setBytes(nil)
	}
	if !r.grown(name, len(s), times) {
		return nullDatum
	}
	return r.write(slot, func(dst []byte) []byte {
		for range times {
			dst = append(dst, s...)
		}
		return dst
	})
}

// compileSpace makes SPACE, in the character set of the connection.
func compileSpace(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args[0]); err != nil {
		return nil, err
	}
	s, err := c.asciiShape(name, 0)
	if err != nil {
		return nil, err
	}
	count, slot := c.quiet(c.clampedInteger(args[0], name), name), c.slot()
	return castable(derive(s, func(r *Run) *datum {
		n := count(r)
		if n.null {
			return nullDatum
		}
		return repeated(r, slot, name, space, int64(n.n))
	}, args[0])), nil
}

// insert compiles INSERT(text, position, length, new).
func (c *compiler) insert(e *ast.InsertExpr) (*node, error) {
	const name = "INSERT"
	args, err := c.all([]ast.Expr{e.Str, e.Pos, e.Len, e.NewStr})
	if err != nil {
		return nil, err
	}
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	evs, s, err := c.texts(name, args[0], args[3])
	if err != nil {
		return nil, err
	}
	position := c.quiet(c.clampedInteger(args[1], name), name)
	length := c.quiet(c.clampedInteger(args[2], name), name)
	set, slot := c.setOf(s), c.slot()
	return castable(derive(s, func(r *Run) *datum {
		d, at, n, with := evs[0](r), position(r), length(r), evs[1](r)
		if d.null || at.null || n.null || with.null {
			return nullDatum
		}
		before, after, ok := characters.Around(set, d.b, int64(at.n), int64(n.n))
		if !ok {
			return d
		}
		return r.write(slot, func(dst []byte) []byte { return append(append(append(dst, before...), with.b...), after...) })
	}, args...)), nil
}

// compileSubstringIndex makes SUBSTRING_INDEX: text up to the n-th delimiter, or
// behind the n-th from the end. Delimiters are compared as bytes.
func compileSubstringIndex(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	evs, s, err := c.texts(name, args[0], args[1])
	if err != nil {
		return nil, err
	}
	if set := c.setOf(s); !characters.IsSelfSynchronizing(set) {
		return nil, refuse(name + " in " + set.Name)
	}
	s.Chars = c.textChars(args[0])
	count, slot := c.quiet(c.clampedInteger(args[2], name), name), c.slot()
	return castable(derive(s, func(r *Run) *datum {
		d, delimiter, n := evs[0](r), evs[1](r), count(r)
		if d.null || delimiter.null || n.null {
			return nullDatum
		}
		// Servers differ in where they begin to count, and MariaDB takes the last 32 bits.
		if int64(n.n) < 0 && characters.OverlapsItself(delimiter.b) || int64(n.n) != int64(int32(n.n)) {
			return r.refuse(name)
		}
		return r.slots[slot].setBytes(characters.SubstringIndex(d.b, delimiter.b, int64(n.n)))
	}, args...)), nil
}
