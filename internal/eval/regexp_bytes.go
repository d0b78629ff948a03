package eval

import (
	"unicode/utf8"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
)

// regexpBytes compiles MariaDB's REGEXP of bytes, as text REGEXP BINARY pattern is: it
// tells cases apart, and a character is a byte.
func (c *compiler) regexpBytes(args []*program.Node, negated bool) (*program.Node, error) {
	const name = "REGEXP BINARY"
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	if c.session.RegexFlags != "" {
		return nil, refuse(name + " with default_regex_flags")
	}
	evs, s, err := c.texts(name, args...)
	if err != nil {
		return nil, err
	}
	m := &matching{name: name, shape: s, state: c.states}
	c.states++
	m.text, m.pattern = c.byteRunes(evs[0]), c.byteRunes(evs[1])
	return program.Derive(class.BoolShape, func(r *program.Run) *program.Datum {
		text, p := m.next(r)
		if p == nil {
			return program.NullDatum
		}
		return program.BoolDatum(p.Match(text) != negated)
	}, args...), nil
}

// byteRunes evaluates bytes as text that has a character for each of them.
func (c *compiler) byteRunes(ev program.Evaluator) program.Evaluator {
	slot := c.slot()
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null || r.Err != nil {
			return d
		}
		return r.Write(slot, func(dst []byte) []byte {
			for _, b := range d.B {
				dst = utf8.AppendRune(dst, rune(b))
			}
			return dst
		})
	}
}
