package ord1

import (
	"encoding/binary"
	"sync"

	"tunic/internal/scheme"
)

// addUp writes the sum of all cells into token, from the last nibble to the
// first, with carries. The blocks of w are the cipher's outputs by now.
func (o *Order) addUp(token []byte, w *workspace) {
	if o.cellBits == CellBitsWide {
		o.addUp8(token, w)
	} else {
		o.addUp4(token, w)
	}
}

func (o *Order) addUp4(token []byte, w *workspace) {
	const width = 4
	var carry uint64
	for q := uint(o.nibbles); q > 0; {
		q--
		sum := carry + cells4(binary.BigEndian.Uint64(w.blocks[q][:]), w.nibble(q))
		if q == 0 {
			sum -= excess(w, width) << (3 * width)
		}
		binary.BigEndian.PutUint16(token[2*q:], uint16(sum))
		carry = sum >> (4 * width)
	}
}

func (o *Order) addUp8(token []byte, w *workspace) {
	const width = 8
	var carry uint64
	for q := uint(o.nibbles); q > 0; {
		q--
		y := &w.blocks[q]
		sum := carry + cells8(binary.BigEndian.Uint64(y[:]), binary.BigEndian.Uint64(y[8:]), w.nibble(q))
		if q == 0 {
			sum -= excess(w, width) << (3 * width)
		}
		binary.BigEndian.PutUint32(token[4*q:], uint32(sum))
		carry = sum >> (4 * width)
	}
}

// excess is what P_0 loses by being reduced modulo 2^width - 3: that modulus or
// nothing. P_0 depends on the key alone, so this branch tells nothing of a
// value.
func excess(w *workspace, width uint) uint64 {
	first := binary.BigEndian.Uint64(w.blocks[0][:]) << width >> (64 - width) // field 1
	if modulus := uint64(1)<<width - 3; first >= modulus {
		return modulus
	}
	return 0
}

// cells4 returns the sum of P + 2b of the four bits of nibble v in cells of 4
// bits, P_0 not yet reduced. fields are fields 0 to 15, the first one on top.
//
// Fields are found by shifts, not by an index, so that which bits a value has
// shows in no address. The fields are 1, 2 + v>>3, 4 + v>>2 and 8 + v>>1; field t
// is 60 - 4t bits up.
func cells4(fields, v uint64) uint64 {
	p := fields>>56&15<<12 | fields>>(52-v>>1&4)&15<<8 | fields>>(44-v&12)&15<<4 | fields>>(28-v<<1&28)&15
	b := v&8<<9 | v&4<<6 | v&2<<3 | v&1 // the four bits, each in its cell
	return p + 2*b
}

// cells8 is cells4 for cells of 8 bits. high are fields 0 to 7, field t 56 - 8t
// bits up, and low are fields 8 to 15.
func cells8(high, low, v uint64) uint64 {
	p := high>>48&255<<24 | high>>(40-v&8)&255<<16 | high>>(24-v<<1&24)&255<<8 | low>>(56-v<<2&56)&255
	b := v&8<<21 | v&4<<14 | v&2<<7 | v&1
	return p + 2*b
}

// workspace is what one token is made in. It is pooled because what goes through
// an interface of the standard library cannot stay on the stack. The blocks are
// encrypted in place; chunks, which are the value, are wiped.
type workspace struct {
	blocks [nibblesMax][scheme.BlockSize]byte
	chunks [BitsMax / 64]uint64
	link   [scheme.BlockSize]byte
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

func takeWorkspace() *workspace {
	return workspaces.Get().(*workspace) //nolint:forcetypeassert // the pool holds nothing else
}

func (w *workspace) giveBack() {
	clear(w.chunks[:])
	workspaces.Put(w)
}

// nibble returns the q-th nibble of the value whose chunks w holds.
func (w *workspace) nibble(q uint) uint64 {
	return w.chunks[q/nibblesAChunk] >> (60 - nibbleBits*(q%nibblesAChunk)) & 15
}
