package eval

import (
	"math/bits"

	"tunic/internal/eval/class"
)

// compileBitCount makes BIT_COUNT of an integer.
func compileBitCount(c *compiler, name string, args []*node) (*node, error) {
	n := args[0]
	if err := c.allow(name, n); err != nil {
		return nil, err
	}
	if n.Class.IsString() {
		return nil, refuse(name + " of text and bytes")
	}
	ev, slot := c.integer(n, name), c.slot()
	return derive(class.CountShape, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		return r.slots[slot].setInt(int64(bits.OnesCount64(d.n)))
	}, n), nil
}
