package eval

import (
	"math/bits"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
)

// compileBitCount makes BIT_COUNT of an integer.
func compileBitCount(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	n := args[0]
	if err := c.allow(name, n); err != nil {
		return nil, err
	}
	if n.Class.IsString() {
		return nil, refuse(name + " of text and bytes")
	}
	ev, slot := c.integer(n, name), c.slot()
	return program.Derive(class.CountShape, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		return r.Slots[slot].SetInt(int64(bits.OnesCount64(d.N)))
	}, n), nil
}
