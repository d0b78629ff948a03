package eval

import (
	"bytes"
	"encoding/binary"
	"math"
	"net/netip"
	"strconv"
)

// compileInetAton makes INET_ATON of four numbers and three points. Of other text
// some servers make something, and some warn.
func compileInetAton(c *compiler, name string, args []*node) (*node, error) {
	ev, _, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	s := shape{class: classUint, digits: 20, coercible: coercibleNumber}
	return castable(derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		u, ok := readIPv4(d.b)
		if !ok {
			return r.refuse(name)
		}
		return r.slots[slot].setUint(uint64(u))
	}, args[0])), nil
}

// readIPv4 reads four decimal numbers of up to three digits.
func readIPv4(s []byte) (u uint32, ok bool) {
	parts, digits, n := 1, 0, uint32(0)
	for _, b := range s {
		switch {
		case b >= '0' && b <= '9' && digits < 3:
			n, digits = n*10+uint32(b-'0'), digits+1
		case b == '.' && digits > 0 && parts < 4:
			u, n, digits = u<<8|n, 0, 0
			parts++
		default:
			return 0, false
		}
		if n > math.MaxUint8 {
			return 0, false
		}
	}
	return u<<8 | n, parts == 4 && digits > 0
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
	s.textOnly = true
	ev, slot := c.quiet(c.clampedInteger(args[0], name), name), c.slot()
	return castable(derive(s, func(r *Run) *datum {
		d := ev(r)
		switch {
		case d.null:
			return nullDatum
		case d.n > math.MaxUint32:
			return r.refuse(name)
		}
		return r.write(slot, func(dst []byte) []byte { return appendIPv4(dst, uint32(d.n)) })
	}, args[0])), nil
}

func appendIPv4(dst []byte, u uint32) []byte {
	for shift := 24; shift >= 0; shift -= 8 {
		dst = strconv.AppendUint(dst, uint64(byte(u>>shift)), 10)
		if shift > 0 {
			dst = append(dst, '.')
		}
	}
	return dst
}

// compileInet6Aton makes INET6_ATON, of addresses of both kinds.
func compileInet6Aton(c *compiler, name string, args []*node) (*node, error) {
	ev, _, err := c.textOf(name, args[0])
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	s := shape{class: classBytes, chars: 16, coercible: coercibleLiteral, textOnly: true}
	return castable(derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		if u, ok := readIPv4(d.b); ok {
			return r.write(slot, func(dst []byte) []byte { return binary.BigEndian.AppendUint32(dst, u) })
		}
		b, ok := readIPv6(d.b)
		if !ok {
			return r.refuse(name)
		}
		return r.write(slot, func(dst []byte) []byte { return append(dst, b[:]...) })
	}, args[0])), nil
}

// readIPv6 reads an address of IPv6. The last four bytes may be written as one of
// IPv4, and that with zeros before its numbers, which package netip does not take.
func readIPv6(s []byte) (b [16]byte, ok bool) {
	var tail uint32
	last := bytes.LastIndexByte(s, ':')
	mixed := bytes.IndexByte(s, '.') >= 0
	text := string(s)
	if mixed {
		if tail, ok = readIPv4(s[last+1:]); !ok {
			return b, false
		}
		text = string(s[:last+1]) + "0:0"
	}
	a, err := netip.ParseAddr(text)
	if err != nil || !a.Is6() || a.Zone() != "" {
		return b, false
	}
	if b = a.As16(); mixed {
		binary.BigEndian.PutUint32(b[12:], tail)
	}
	return b, true
}

// compileInet6Ntoa makes INET6_NTOA of 4 or 16 bytes.
func compileInet6Ntoa(c *compiler, name string, args []*node) (*node, error) {
	n := args[0]
	if err := c.allow(name, n); err != nil {
		return nil, err
	}
	if n.class != classBytes && n.class != classHex && n.class != classNull {
		return nil, refuse(name + " of other than bytes")
	}
	s, err := c.asciiShape(name, len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255"))
	if err != nil {
		return nil, err
	}
	s.textOnly = true
	ev, slot := n.ev, c.slot()
	return castable(derive(s, func(r *Run) *datum {
		d := ev(r)
		if d.null {
			return nullDatum
		}
		switch len(d.b) {
		case 4:
			return r.write(slot, func(dst []byte) []byte { return appendIPv4(dst, binary.BigEndian.Uint32(d.b)) })
		case 16:
			return r.write(slot, func(dst []byte) []byte { return appendIPv6(dst, [16]byte(d.b)) })
		}
		return r.refuse(name)
	}, n)), nil
}

// appendIPv6 writes the longest run of zeros as two colons, also one of a single
// group, and the last four bytes of an address that stands for one of IPv4 with
// points.
func appendIPv6(dst []byte, b [16]byte) []byte {
	var groups [8]uint16
	for i := range groups {
		groups[i] = binary.BigEndian.Uint16(b[2*i:])
	}
	at, length := longestZeros(&groups)
	for i := 0; i < len(groups); i++ {
		if i == at {
			dst = append(dst, ':')
			if i += length - 1; i == len(groups)-1 {
				dst = append(dst, ':')
			}
			continue
		}
		if i > 0 {
			dst = append(dst, ':')
		}
		if i == 6 && at == 0 && (length == 6 || length == 5 && groups[5] == math.MaxUint16) {
			return appendIPv4(dst, binary.BigEndian.Uint32(b[12:]))
		}
		dst = strconv.AppendUint(dst, uint64(groups[i]), 16)
	}
	return dst
}

func longestZeros(groups *[8]uint16) (at, length int) {
	at = -1
	for i := 0; i < len(groups); i++ {
		n := 0
		for i+n < len(groups) && groups[i+n] == 0 {
			n++
		}
		if n > length {
			at, length = i, n
		}
		i += n
	}
	return at, length
}

// compileIsAddress makes IS_IPV4 and IS_IPV6. Of NULL MariaDB says no.
func compileIsAddress(is func(s []byte) bool) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		ev, _, err := c.textOf(name, args[0])
		if err != nil {
			return nil, err
		}
		mariadb := c.session.isMariaDB()
		return derive(boolShape, func(r *Run) *datum {
			d := ev(r)
			if d.null && !mariadb {
				return nullDatum
			}
			return boolDatum(!d.null && is(d.b))
		}, args[0]), nil
	}
}

func isIPv4(s []byte) bool {
	_, ok := readIPv4(s)
	return ok
}

func isIPv6(s []byte) bool {
	_, ok := readIPv6(s)
	return ok
}
