package ord1

import (
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"slices"

	"tunic/internal/scheme"
)

// Limits of Params.
const (
	// BitsMax is the longest value in bits: the first 64 bytes of a string, whose
	// tokens of 256 bytes leave room for other columns in a key of 3072.
	BitsMax = 512
	// CellBitsDefault is the cell that the formats of types are written for.
	CellBitsDefault = 4
	// CellBitsWide shows less through carries, at twice the size.
	CellBitsWide = 8
)

const (
	chunkBytes    = 8
	nibbleBits    = 4
	nibblesAChunk = 16
	nibblesMax    = BitsMax / nibbleBits
)

// Params are the sizes of a layer. They go into the tokens: values of other
// sizes, or in other cells, have unrelated tokens.
type Params struct {
	Bits     int // of a value: n, a multiple of 4 from 4 to BitsMax
	CellBits int // of a token for each bit of a value: w, 4 or 8
}

// Order makes tokens that sort as the values do. It implements
// scheme.Tokenizer. There is nothing that opens a token.
type Order struct {
	chain   cipher.Block // under K1
	node    cipher.Block // under K2
	start   [2]uint64    // T_0
	nibbles int          // of a value
	// odd says that the first byte of a value has only one nibble in it.
	odd      bool
	cellBits int // w
}

var _ scheme.Tokenizer = (*Order)(nil)

// New returns the scheme of a key. It fails with scheme.ErrParams for sizes
// outside those of Params.
func New(suite scheme.Suite, key []byte, p Params) (*Order, error) {
	if p.Bits < nibbleBits || p.Bits > BitsMax || p.Bits%nibbleBits != 0 ||
		p.CellBits != CellBitsDefault && p.CellBits != CellBitsWide {
		return nil, fmt.Errorf("ord1: values of %d bits in cells of %d: %w", p.Bits, p.CellBits, scheme.ErrParams)
	}
	root, err := suite.NewBlock(key)
	if err != nil {
		return nil, fmt.Errorf("ord1: %w", err)
	}
	o := &Order{
		nibbles:  p.Bits / nibbleBits,
		odd:      p.Bits%8 != 0,
		cellBits: p.CellBits,
	}
	if o.chain, err = subcipher(suite, root, 0); err != nil {
		return nil, err
	}
	if o.node, err = subcipher(suite, root, 1); err != nil {
		return nil, err
	}
	t := [scheme.BlockSize]byte{10: byte(p.CellBits)}
	copy(t[:], "tunic ord1")
	binary.BigEndian.PutUint32(t[12:], uint32(p.Bits))
	o.chain.Encrypt(t[:], t[:])
	o.start = [2]uint64{binary.BigEndian.Uint64(t[:]), binary.BigEndian.Uint64(t[8:])}
	return o, nil
}

// subcipher returns the cipher under the i-th key derived from root. The
// cipher's images of distinct constants are as good as independent keys, and
// root is used for nothing else.
func subcipher(suite scheme.Suite, root cipher.Block, i int) (cipher.Block, error) {
	blocks := suite.KeySize() / scheme.BlockSize
	key := make([]byte, suite.KeySize())
	defer clear(key)
	for j := range blocks {
		label := [scheme.BlockSize]byte{15: byte(i*blocks + j + 1)}
		copy(label[:], "tunic ord1 key")
		root.Encrypt(key[j*scheme.BlockSize:], label[:])
	}
	block, err := suite.NewBlock(key)
	if err != nil {
		return nil, fmt.Errorf("ord1: %w", err)
	}
	return block, nil
}

// TokenSize returns the size in bytes of every token: n*w/8.
func (o *Order) TokenSize() int { return o.nibbles * nibbleBits * o.cellBits / 8 }

// ValueSize returns the size in bytes of every value: n/8, rounded up.
func (o *Order) ValueSize() int { return (o.nibbles + 1) / 2 }

// AppendToken appends the token of a value. It fails with scheme.ErrValue if
// the value does not have ValueSize bytes, or is not below 2^n.
func (o *Order) AppendToken(dst, value []byte) ([]byte, error) {
	if err := o.check(value); err != nil {
		return dst, err
	}
	w := takeWorkspace()
	dst = o.token(dst, value, w)
	w.giveBack()
	return dst, nil
}

// AppendTokenBatch appends the tokens of all values, one after the other.
func (o *Order) AppendTokenBatch(dst []byte, values [][]byte) ([]byte, error) {
	for i, v := range values {
		if err := o.check(v); err != nil {
			return dst, &scheme.BatchError{Index: i, Err: err}
		}
	}
	dst = slices.Grow(dst, len(values)*o.TokenSize())
	w := takeWorkspace()
	for _, v := range values {
		dst = o.token(dst, v, w)
	}
	w.giveBack()
	return dst, nil
}

// check reports whether the scheme takes the value. A value that is too large
// would lose its first bits and with them its place in the order.
func (o *Order) check(value []byte) error {
	if len(value) != o.ValueSize() || o.odd && value[0]>>nibbleBits != 0 {
		return scheme.ErrValue
	}
	return nil
}

// token appends the token of a value that check has passed.
func (o *Order) token(dst, value []byte, w *workspace) []byte {
	o.fill(w, value)
	blocks := w.blocks[:o.nibbles]
	for q := range blocks {
		o.node.Encrypt(blocks[q][:], blocks[q][:])
	}
	size := o.TokenSize()
	dst = slices.Grow(dst, size)[:len(dst)+size]
	o.addUp(dst[len(dst)-size:], w)
	return dst
}

// fill makes the blocks of all nibbles, so that the cipher then runs over them
// without waiting: half the time of a loop that fills and encrypts in turns.
func (o *Order) fill(w *workspace, value []byte) {
	t := o.start
	for j := 0; j*nibblesAChunk < o.nibbles; j++ {
		chunk := chunkOf(value, j, o.odd)
		if j > 0 {
			t = o.step(w, t, w.chunks[j-1])
		}
		w.chunks[j] = chunk
		for r := range min(nibblesAChunk, o.nibbles-j*nibblesAChunk) {
			// A shift by 64 or more is zero in Go: the head of r = 0 is empty.
			head := chunk &^ (^uint64(0) >> (nibbleBits * r))
			b := w.blocks[j*nibblesAChunk+r][:]
			binary.BigEndian.PutUint64(b, t[0]^head)
			binary.BigEndian.PutUint64(b[8:], t[1]^uint64(r))
		}
	}
}

// step returns T_(j+1) of T_j and chunk_j.
func (o *Order) step(w *workspace, t [2]uint64, chunk uint64) [2]uint64 {
	b := w.link[:]
	binary.BigEndian.PutUint64(b, t[0]^chunk)
	binary.BigEndian.PutUint64(b[8:], t[1])
	o.chain.Encrypt(b, b)
	return [2]uint64{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

// chunkOf returns the j-th 64 bits of a value, counted from its first bit; odd
// says that this is the fifth bit of the first byte.
func chunkOf(value []byte, j int, odd bool) uint64 {
	at := j * chunkBytes
	chunk := load(value, at)
	if odd {
		chunk = chunk<<nibbleBits | load(value, at+chunkBytes)>>(64-nibbleBits)
	}
	return chunk
}

// load returns the eight bytes from at on; those beyond the end are zero.
func load(value []byte, at int) uint64 {
	if at+chunkBytes <= len(value) {
		return binary.BigEndian.Uint64(value[at:])
	}
	var x uint64
	for i := range chunkBytes {
		x <<= 8
		if at+i < len(value) {
			x |= uint64(value[at+i])
		}
	}
	return x
}
