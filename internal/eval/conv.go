package eval

import (
	"math"
	"strconv"
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
		if n.example == nil || n.class != classInt {
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
	if n.class == classBit {
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
		u, ok := readBase(d.b, from)
		if !ok {
			return r.refuse(name)
		}
		return r.write(slot, func(dst []byte) []byte { return appendBase(dst, u, to) })
	}, args...)), nil
}

// readBase reads an integer of 64 bits from the start of text, as far as it has
// digits. Spaces before it do not count, nor does what follows. A sign counts.
func readBase(s []byte, base int) (u uint64, ok bool) {
	for len(s) > 0 && s[0] == ' ' {
		s = s[1:]
	}
	negative := len(s) > 0 && s[0] == '-'
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	unsigned := uint64(max(base, -base))
	digits := 0
	for ; digits < len(s); digits++ {
		v := digitValue(s[digits])
		if v >= unsigned {
			break
		}
		if u > (math.MaxUint64-v)/unsigned {
			return 0, false
		}
		u = u*unsigned + v
	}
	if negative && u > 1<<63 || base < 0 && !negative && u > math.MaxInt64 {
		return 0, false
	}
	if negative {
		u = -u
	}
	return u, digits > 0
}

func digitValue(b byte) uint64 {
	switch {
	case b >= '0' && b <= '9':
		return uint64(b - '0')
	case b >= 'a' && b <= 'z':
		return uint64(b-'a') + 10
	case b >= 'A' && b <= 'Z':
		return uint64(b-'A') + 10
	}
	return math.MaxUint64
}

func appendBase(dst []byte, u uint64, base int) []byte {
	start := len(dst)
	if base < 0 {
		dst = strconv.AppendInt(dst, int64(u), -base)
	} else {
		dst = strconv.AppendUint(dst, u, base)
	}
	for i := start; i < len(dst); i++ {
		if dst[i] >= 'a' {
			dst[i] -= 'a' - 'A'
		}
	}
	return dst
}
