package wire

import (
	"bytes"
	"encoding/binary"
)

// decoder walks over a payload. The first read past its end marks it bad and
// every later read returns zero, so a message checks once, at its end.
type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) take(n int) []byte {
	if n < 0 || n > len(d.rest) {
		d.bad, d.rest = true, nil
		return nil
	}
	b := d.rest[:n:n]
	d.rest = d.rest[n:]
	return b
}

func (d *decoder) uint8() uint8 {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) uint16() uint16 {
	if b := d.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (d *decoder) uint32() uint32 {
	if b := d.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) uint64() uint64 {
	if b := d.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// lenenc reads a length-encoded integer. The byte 0xfb (NULL in a text row) and
// 0xff (the header of an error) are not integers.
func (d *decoder) lenenc() uint64 {
	switch first := d.uint8(); first {
	case 0xfb, 0xff:
		d.bad = true
		return 0
	case 0xfc:
		return uint64(d.uint16())
	case 0xfd:
		if b := d.take(3); b != nil {
			return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16
		}
		return 0
	case 0xfe:
		return d.uint64()
	default:
		return uint64(first)
	}
}

// lenencBytes reads a string that its length-encoded length precedes.
func (d *decoder) lenencBytes() []byte {
	n := d.lenenc()
	if n > uint64(len(d.rest)) {
		d.bad, d.rest = true, nil
		return nil
	}
	return d.take(int(n))
}

// zeroTerminated reads up to a zero byte and drops the zero.
func (d *decoder) zeroTerminated() []byte {
	i := bytes.IndexByte(d.rest, 0)
	if i < 0 {
		d.bad, d.rest = true, nil
		return nil
	}
	b := d.take(i)
	d.take(1)
	return b
}

// zeroTerminatedOrRest is zeroTerminated for the last field of a message, where
// some peers leave out the terminator.
func (d *decoder) zeroTerminatedOrRest() []byte {
	if bytes.IndexByte(d.rest, 0) < 0 {
		return d.remaining()
	}
	return d.zeroTerminated()
}

func (d *decoder) remaining() []byte { return d.take(len(d.rest)) }

// TakeLenenc takes the length-encoded integer at the start of b and returns what
// follows.
func TakeLenenc(b []byte) (n uint64, rest []byte, ok bool) {
	d := decoder{rest: b}
	n = d.lenenc()
	return n, d.rest, !d.bad
}

// TakeLenencBytes takes the string at the start of b that its length-encoded length
// precedes, and returns what follows.
func TakeLenencBytes(b []byte) (s, rest []byte, ok bool) {
	d := decoder{rest: b}
	s = d.lenencBytes()
	return s, d.rest, !d.bad
}

// AppendLenenc appends n as a length-encoded integer.
func AppendLenenc(b []byte, n uint64) []byte {
	switch {
	case n < 0xfb:
		return append(b, byte(n))
	case n < 1<<16:
		return append(b, 0xfc, byte(n), byte(n>>8))
	case n < 1<<24:
		return append(b, 0xfd, byte(n), byte(n>>8), byte(n>>16))
	default:
		return binary.LittleEndian.AppendUint64(append(b, 0xfe), n)
	}
}

// AppendLenencBytes appends s with its length-encoded length before it.
func AppendLenencBytes(b, s []byte) []byte {
	return append(AppendLenenc(b, uint64(len(s))), s...)
}

func appendZeroTerminated(b, s []byte) []byte { return append(append(b, s...), 0) }
