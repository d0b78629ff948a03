package eval

import (
	"strconv"

	"tunic/internal/eval/class"
	"tunic/internal/eval/notation"
)

// compileBase makes BIN and OCT: an integer with the digits of a base.
func compileBase(to int) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		if err := c.allow(name, args[0]); err != nil {
			return nil, err
		}
		return c.conv(name, args[0], 10, to, args)
	}
}

// baseMost is the highest base of CONV.
const baseMost = 36

// compileConv makes CONV(number, from, to). The bases have to be literals.
func compileConv(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args[0]); err != nil {
		return nil, err
	}
	bases := [2]int{}
	for i, n := range args[1:] {
		if n.example == nil || n.Class != class.Int {
			return nil, refuse(name + " of bases that vary")
		}
		c.pin(n)
		b := int64(n.example.Number)
		if b < -baseMost || b > baseMost || -2 < b && b < 2 {
			return nil, refuse(name + " of this base")
		}
		bases[i] = int(b)
	}
	return c.conv(name, args[0], bases[0], bases[1], args)
}

// conv reads the digits of one base and writes those of another. A base below
// zero has a sign.
func (c *compiler) conv(name string, n *node, from, to int, args []*node) (*node, error) {
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
		ev = c.convert(n, func(r *Run, in, out *datum) *datum {
			start := len(r.arena)
			r.arena = strconv.AppendUint(r.arena, in.n, 10)
			return out.setBytes(r.arena[start:])
		})
	}
	return castable(derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		u, ok := notation.ReadBase(d.b, from)
		if !ok {
			return r.refuse(name)
		}
		return r.write(slot, func(dst []byte) []byte { return notation.AppendBase(dst, u, to) })
	}, args...)), nil
}
