package eval

import "encoding/hex"

// A UUID as text is 32 hexadecimal digits: in groups of 8, 4, 4, 4 and 12 with
// dashes between them, the same in braces, or without dashes (MySQL manual,
// "Miscellaneous Functions").
const (
	uuidBytes  = 16
	uuidDigits = 2 * uuidBytes
	uuidChars  = uuidDigits + 4
)

// uuidGroups are the bytes of the groups.
var uuidGroups = [...]int{4, 2, 2, 2, 6}

// readUUID reads the text of a UUID.
func readUUID(s []byte) (u [uuidBytes]byte, ok bool) {
	if len(s) == uuidChars+2 && s[0] == '{' && s[len(s)-1] == '}' {
		s = s[1 : len(s)-1]
	}
	if len(s) == uuidDigits {
		_, err := hex.Decode(u[:], s)
		return u, err == nil
	}
	if len(s) != uuidChars {
		return u, false
	}
	to := u[:]
	for i, n := range uuidGroups {
		if i > 0 {
			if s[0] != '-' {
				return u, false
			}
			s = s[1:]
		}
		if _, err := hex.Decode(to[:n], s[:2*n]); err != nil {
			return u, false
		}
		s, to = s[2*n:], to[n:]
	}
	return u, true
}

func appendUUID(dst []byte, u [uuidBytes]byte) []byte {
	from := u[:]
	for i, n := range uuidGroups {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, from[:n])
		from = from[n:]
	}
	return dst
}

// swapped has the parts of the time in the order of their weight: the high one
// first.
func swapped(u [uuidBytes]byte) (v [uuidBytes]byte) {
	copy(v[0:], u[6:8])
	copy(v[2:], u[4:6])
	copy(v[4:], u[0:4])
	copy(v[8:], u[8:])
	return v
}

// unswapped is the way back.
func unswapped(v [uuidBytes]byte) (u [uuidBytes]byte) {
	copy(u[0:], v[4:8])
	copy(u[4:], v[2:4])
	copy(u[6:], v[0:2])
	copy(u[8:], v[8:])
	return u
}

// compileIsUUID makes IS_UUID.
func compileIsUUID(c *compiler, name string, args []*node) (*node, error) {
	ev, _, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	return derive(boolShape, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		_, ok := readUUID(d.b)
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
	s := shape{class: classBytes, chars: uuidBytes, coercible: coercibleLiteral}
	return castable(derive(s, func(r *Run) *datum {
		d, other := ev(r), swap(r)
		if d.null {
			return nullDatum
		}
		u, ok := readUUID(d.b)
		if !ok {
			return r.refuse(name)
		}
		if !other.null && other.n != 0 {
			u = swapped(u)
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
	s, err := c.asciiShape(name, uuidChars)
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	return castable(derive(s, func(r *Run) *datum {
		d, other := ev(r), swap(r)
		if d.null {
			return nullDatum
		}
		if len(d.b) != uuidBytes {
			return r.refuse(name)
		}
		u := [uuidBytes]byte(d.b)
		if !other.null && other.n != 0 {
			u = unswapped(u)
		}
		return r.write(slot, func(dst []byte) []byte { return appendUUID(dst, u) })
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
