package eval

import (
	"tunic/internal/eval/notation"
	"tunic/internal/eval/program"

	"tunic/internal/eval/class"
)

// compileToBase64 makes TO_BASE64.
func compileToBase64(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	ev, in, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	s, err := c.asciiShape(name, 2*in.Chars)
	if err != nil {
		return nil, err
	}
	slot := c.slot()
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
func compileFromBase64(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	ev, in, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	s := class.Shape{Class: class.Bytes, Chars: in.Chars, Coercible: class.CoercibleLiteral}
	return program.Castable(program.Derive(s, c.decoded(name, ev, notation.AppendFromBase64, false), args[0])), nil
}
