package encoding

import (
	"encoding/binary"
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/notation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/eval/uuid"
)

// compileInetAton makes INET_ATON of four numbers and three points. Of other text
// some servers make something, and some warn.
func compileInetAton(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	ev, _, err := coercion.TextOf(c, name, args[0])
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
	s := class.Shape{Class: class.Uint, Digits: 20, Coercible: class.CoercibleNumber}
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		u, ok := notation.ReadIPv4(d.B)
		if !ok {
			return r.Refuse(name)
		}
		return r.Slots[slot].SetUint(uint64(u))
	}, args[0])), nil
}

// compileInetNtoa makes INET_NTOA, NULL of what is no address.
func compileInetNtoa(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args[0]); err != nil {
		return nil, err
	}
	s, err := coercion.ASCIIShape(c, name, len("255.255.255.255"))
	if err != nil {
		return nil, err
	}
	s.TextOnly = true
	ev, slot := c.Quiet(coercion.ClampedInteger(c, args[0], name), name), c.Slot()
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		switch {
		case d.Null:
			return program.NullDatum
		case d.N > math.MaxUint32:
			return r.Refuse(name)
		}
		return r.Write(slot, func(dst []byte) []byte { return notation.AppendIPv4(dst, uint32(d.N)) })
	}, args[0])), nil
}

// compileInet6Aton makes INET6_ATON, of addresses of both kinds.
func compileInet6Aton(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	ev, _, err := coercion.TextOf(c, name, args[0])
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
	s := class.Shape{Class: class.Bytes, Chars: 16, Coercible: class.CoercibleLiteral, TextOnly: true}
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		if u, ok := notation.ReadIPv4(d.B); ok {
			return r.Write(slot, func(dst []byte) []byte { return binary.BigEndian.AppendUint32(dst, u) })
		}
		b, ok := notation.ReadIPv6(d.B)
		if !ok {
			return r.Refuse(name)
		}
		return r.Write(slot, func(dst []byte) []byte { return append(dst, b[:]...) })
	}, args[0])), nil
}

// compileInet6Ntoa makes INET6_NTOA of 4 or 16 bytes.
func compileInet6Ntoa(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	n := args[0]
	if err := c.Allow(name, n); err != nil {
		return nil, err
	}
	if n.Class != class.Bytes && n.Class != class.Hex && n.Class != class.Null {
		return nil, refusal.Of(name + " of other than bytes")
	}
	s, err := coercion.ASCIIShape(c, name, len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255"))
	if err != nil {
		return nil, err
	}
	s.TextOnly = true
	ev, slot := n.Ev, c.Slot()
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null {
			return program.NullDatum
		}
		switch len(d.B) {
		case 4:
			return r.Write(slot, func(dst []byte) []byte { return notation.AppendIPv4(dst, binary.BigEndian.Uint32(d.B)) })
		case 16:
			return r.Write(slot, func(dst []byte) []byte { return notation.AppendIPv6(dst, [16]byte(d.B)) })
		}
		return r.Refuse(name)
	}, n)), nil
}

// compileIsAddress makes IS_IPV4 and IS_IPV6. Of NULL MariaDB says no.
func compileIsAddress(is func(s []byte) bool) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		ev, _, err := coercion.TextOf(c, name, args[0])
		if err != nil {
			return nil, err
		}
		mariadb := c.Session.IsMariaDB()
		return program.Derive(class.BoolShape, func(r *program.Run) *program.Datum {
			d := ev(r)
			if d.Null && !mariadb {
				return program.NullDatum
			}
			return program.BoolDatum(!d.Null && is(d.B))
		}, args[0]), nil
	}
}

// compileIsUUID makes IS_UUID.
func compileIsUUID(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	ev, _, err := coercion.TextOf(c, name, args[0])
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
func compileUUIDToBin(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	ev, swap, err := uuidOf(c, name, args)
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
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
func compileBinToUUID(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	ev, swap, err := uuidOf(c, name, args)
	if err != nil {
		return nil, err
	}
	s, err := coercion.ASCIIShape(c, name, uuid.Chars)
	if err != nil {
		return nil, err
	}
	slot := c.Slot()
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

// uuidOf evaluates a UUID, and whether the parts of its time are swapped.
func uuidOf(c *compilation.Compilation, name string, args []*program.Node) (ev, swap program.Evaluator, err error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, nil, err
	}
	evs, _, err := coercion.Texts(c, name, args[0])
	if err != nil {
		return nil, nil, err
	}
	swap = func(*program.Run) *program.Datum { return program.FalseDatum }
	if len(args) > 1 {
		swap = c.Quiet(coercion.Integer(c, args[1], name), name)
	}
	return evs[0], swap, nil
}
