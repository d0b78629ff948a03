package eval

import (
	"tunic/internal/eval/notation"

	"tunic/internal/eval/class"
)

// compileToBase64 makes TO_BASE64.
func compileToBase64(c *compiler, name string, args []*node) (*node, error) {
	ev, in, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	s, err := c.asciiShape(name, 2*in.Chars)
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	return castable(derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		if !r.grown(name, len(d.b), 2) {
			return nullDatum
		}
		return r.write(slot, func(dst []byte) []byte { return notation.AppendBase64(dst, d.b) })
	}, args[0])), nil
}

// compileFromBase64 makes FROM_BASE64. Spaces do not count; what is no base64 is
// NULL, of which some servers warn.
func compileFromBase64(c *compiler, name string, args []*node) (*node, error) {
	ev, in, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	s := class.Shape{Class: class.Bytes, Chars: in.Chars, Coercible: class.CoercibleLiteral}
	return castable(derive(s, c.decoded(name, ev, notation.AppendFromBase64, false), args[0])), nil
}
