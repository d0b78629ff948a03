package eval

import (
	"tunic/internal/eval/program"
	"tunic/internal/eval/uuid"

	"tunic/internal/eval/class"
)

// compileIsUUID makes IS_UUID.
func compileIsUUID(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	ev, _, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	return program.Derive(class.BoolShape, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		_, ok := uuid.Read(d.B)
		return program.BoolDatum(ok)
	}, args[0]), nil
}

// compileUUIDToBin makes UUID_TO_BIN. Text that is no UUID is an error of the
// server's.
func compileUUIDToBin(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	ev, swap, err := c.uuid(name, args)
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	s := class.Shape{Class: class.Bytes, Chars: uuid.Bytes, Coercible: class.CoercibleLiteral}
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		d, other := ev(r), swap(r)
		if d.Null {
			return program.NullDatum
		}
		u, ok := uuid.Read(d.B)
		if !ok {
			return r.Refuse(name)
		}
		if !other.Null && other.N != 0 {
			u = uuid.Swap(u)
		}
		return r.Write(slot, func(dst []byte) []byte { return append(dst, u[:]...) })
	}, args...)), nil
}

// compileBinToUUID makes BIN_TO_UUID.
func compileBinToUUID(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	ev, swap, err := c.uuid(name, args)
	if err != nil {
		return nil, err
	}
	s, err := c.asciiShape(name, uuid.Chars)
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		d, other := ev(r), swap(r)
		if d.Null {
			return program.NullDatum
		}
		if len(d.B) != uuid.Bytes {
			return r.Refuse(name)
		}
		u := [uuid.Bytes]byte(d.B)
		if !other.Null && other.N != 0 {
			u = uuid.Unswap(u)
		}
		return r.Write(slot, func(dst []byte) []byte { return uuid.Append(dst, u) })
	}, args...)), nil
}

// uuid evaluates a UUID, and whether the parts of its time are swapped.
func (c *compiler) uuid(name string, args []*program.Node) (ev, swap program.Evaluator, err error) {
	if err := c.allow(name, args...); err != nil {
		return nil, nil, err
	}
	evs, _, err := c.texts(name, args[0])
	if err != nil {
		return nil, nil, err
	}
	swap = func(*program.Run) *program.Datum { return program.FalseDatum }
	if len(args) > 1 {
		swap = c.quiet(c.integer(args[1], name), name)
	}
	return evs[0], swap, nil
}
