package eval

import (
	"encoding/binary"
	"math"

	"tunic/internal/eval/class"
	"tunic/internal/eval/notation"
)

// compileInetAton makes INET_ATON of four numbers and three points. Of other text
// some servers make something, and some warn.
func compileInetAton(c *compiler, name string, args []*node) (*node, error) {
	ev, _, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	s := class.Shape{Class: class.Uint, Digits: 20, Coercible: class.CoercibleNumber}
	return castable(derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		u, ok := notation.ReadIPv4(d.b)
		if !ok {
			return r.refuse(name)
		}
		return r.slots[slot].setUint(uint64(u))
	}, args[0])), nil
}

// compileInetNtoa makes INET_NTOA, NULL of what is no address.
func compileInetNtoa(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args[0]); err != nil {
		return nil, err
	}
	s, err := c.asciiShape(name, len("255.255.255.255"))
	if err != nil {
		return nil, err
	}
	s.TextOnly = true
	ev, slot := c.quiet(c.clampedInteger(args[0], name), name), c.slot()
	return castable(derive(s, func(r *Run) *datum {
		d := ev(r)
		switch {
		case d.null:
			return nullDatum
		case d.n > math.MaxUint32:
			return r.refuse(name)
		}
		return r.write(slot, func(dst []byte) []byte { return notation.AppendIPv4(dst, uint32(d.n)) })
	}, args[0])), nil
}

// compileInet6Aton makes INET6_ATON, of addresses of both kinds.
func compileInet6Aton(c *compiler, name string, args []*node) (*node, error) {
	ev, _, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	s := class.Shape{Class: class.Bytes, Chars: 16, Coercible: class.CoercibleLiteral, TextOnly: true}
	return castable(derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		if u, ok := notation.ReadIPv4(d.b); ok {
			return r.write(slot, func(dst []byte) []byte { return binary.BigEndian.AppendUint32(dst, u) })
		}
		b, ok := notation.ReadIPv6(d.b)
		if !ok {
			return r.refuse(name)
		}
		return r.write(slot, func(dst []byte) []byte { return append(dst, b[:]...) })
	}, args[0])), nil
}

// compileInet6Ntoa makes INET6_NTOA of 4 or 16 bytes.
func compileInet6Ntoa(c *compiler, name string, args []*node) (*node, error) {
	n := args[0]
	if err := c.allow(name, n); err != nil {
		return nil, err
	}
	if n.Class != class.Bytes && n.Class != class.Hex && n.Class != class.Null {
		return nil, refuse(name + " of other than bytes")
	}
	s, err := c.asciiShape(name, len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255"))
	if err != nil {
		return nil, err
	}
	s.TextOnly = true
	ev, slot := n.ev, c.slot()
	return castable(derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		switch len(d.b) {
		case 4:
			return r.write(slot, func(dst []byte) []byte { return notation.AppendIPv4(dst, binary.BigEndian.Uint32(d.b)) })
		case 16:
			return r.write(slot, func(dst []byte) []byte { return notation.AppendIPv6(dst, [16]byte(d.b)) })
		}
		return r.refuse(name)
	}, n)), nil
}

// compileIsAddress makes IS_IPV4 and IS_IPV6. Of NULL MariaDB says no.
func compileIsAddress(is func(s []byte) bool) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		ev, _, err := c.textOf(name, args[0])
		if err != nil {
			return nil, err
		}
		mariadb := c.session.isMariaDB()
		return derive(class.BoolShape, func(r *Run) *datum {
			d := ev(r)
			if d.null && !mariadb {
				return nullDatum
			}
			return boolDatum(!d.null && is(d.b))
		}, args[0]), nil
	}
}
