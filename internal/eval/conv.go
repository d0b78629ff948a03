package eval

import (
	"strconv"

	"tunic/internal/eval/class"
	"tunic/internal/eval/notation"
	"tunic/internal/eval/program"
)

// compileBase makes BIN and OCT: an integer with the digits of a base.
func compileBase(to int) func(*compiler, string, []*program.Node) (*program.Node, error) {
	return func(c *compiler, name string, args []*program.Node) (*program.Node, error) {
		if err := c.allow(name, args[0]); err != nil {
			return nil, err
		}
		return c.conv(name, args[0], 10, to, args)
	}
}

// baseMost is the highest base of CONV.
const baseMost = 36

// compileConv makes CONV(number, from, to). The bases have to be literals.
func compileConv(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	if err := c.allow(name, args[0]); err != nil {
		return nil, err
	}
	bases := [2]int{}
	for i, n := range args[1:] {
		if n.Example == nil || n.Class != class.Int {
			return nil, refuse(name + " of bases that vary")
		}
		c.pin(n)
		b := int64(n.Example.Number)
		if b < -baseMost || b > baseMost || -2 < b && b < 2 {
			return nil, refuse(name + " of this base")
		}
		bases[i] = int(b)
	}
	return c.conv(name, args[0], bases[0], bases[1], args)
}

// conv reads the digits of one base and writes those of another. A base below
// zero has a sign.
func (c *compiler) conv(name string, n *program.Node, from, to int, args []*program.Node) (*program.Node, error) {
	s, err := c.asciiShape(name, 65)
	if err != nil {
		return nil, err
	}
	evs, _, err := c.texts(name, n)
	if err != nil {
		return nil, err
	}
	ev, slot := evs[0], c.slot()
	if n.Class == class.Bit {
		ev = c.convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
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
