package eval

import (
	"tunic/internal/eval/uuid"

	"tunic/internal/eval/class"
)

// compileIsUUID makes IS_UUID.
func compileIsUUID(c *compiler, name string, args []*node) (*node, error) {
	ev, _, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	return derive(class.BoolShape, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		_, ok := uuid.Read(d.b)
		return boolDatum(ok)
	}, args[0]), nil
}

// compileUUIDToBin makes UUID_TO_BIN. Text that is no UUID is an error of the
// server's.
func compileUUIDToBin(c *compiler, name string, args []*node) (*node, error) {
	ev, swap, err := c.uuid(name, args)
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	s := class.Shape{Class: class.Bytes, Chars: uuid.Bytes, Coercible: class.CoercibleLiteral}
	return castable(derive(s, func(r *Run) *datum {
		d, other := ev(r), swap(r)
		if d.null {
			return nullDatum
		}
		u, ok := uuid.Read(d.b)
		if !ok {
			return r.refuse(name)
		}
		if !other.null && other.n != 0 {
			u = uuid.Swap(u)
		}
		return r.write(slot, func(dst []byte) []byte { return append(dst, u[:]...) })
	}, args...)), nil
}

// compileBinToUUID makes BIN_TO_UUID.
func compileBinToUUID(c *compiler, name string, args []*node) (*node, error) {
	ev, swap, err := c.uuid(name, args)
	if err != nil {
		return nil, err
	}
	s, err := c.asciiShape(name, uuid.Chars)
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	return castable(derive(s, func(r *Run) *datum {
		d, other := ev(r), swap(r)
		if d.null {
			return nullDatum
		}
		if len(d.b) != uuid.Bytes {
			return r.refuse(name)
		}
		u := [uuid.Bytes]byte(d.b)
		if !other.null && other.n != 0 {
			u = uuid.Unswap(u)
		}
		return r.write(slot, func(dst []byte) []byte { return uuid.Append(dst, u) })
	}, args...)), nil
}

// uuid evaluates a UUID, and whether the parts of its time are swapped.
func (c *compiler) uuid(name string, args []*node) (ev, swap evaluator, err error) {
	if err := c.allow(name, args...); err != nil {
		return nil, nil, err
	}
	evs, _, err := c.texts(name, args[0])
	if err != nil {
		return nil, nil, err
	}
	swap = func(*Run) *datum { return falseDatum }
	if len(args) > 1 {
		swap = c.quiet(c.integer(args[1], name), name)
	}
	return evs[0], swap, nil
}
