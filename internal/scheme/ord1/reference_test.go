package ord1

import (
	"crypto/aes"
	"encoding/binary"
	"math/big"
)

// reference is ord1 as the package comment writes it, one number at a time:
// slow, and sharing no line with the scheme.
type reference struct {
	k1, k2 []byte
	n, w   int
}

func newReference(key []byte, n, w int) reference {
	var derived []byte
	for i := 1; i <= 4; i++ {
		derived = append(derived, e(key, append([]byte("tunic ord1 key"), 0, byte(i)))...)
	}
	return reference{derived[:32], derived[32:], n, w}
}

// e is E.
func e(key, block []byte) []byte {
	c, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	out := make([]byte, 16)
	c.Encrypt(out, block)
	return out
}

// pack makes bytes of bits and fills them up with zeros to size.
func pack(bits []int, size int) []byte {
	b := make([]byte, size)
	for i, bit := range bits {
		b[i/8] |= byte(bit << (7 - i%8))
	}
	return b
}

func xor(a, b []byte) []byte {
	out := make([]byte, len(a))
	for i := range a {
		out[i] = a[i] ^ b[i]
	}
	return out
}

// p is P_i for the first i bits of a value.
func (f reference) p(first []int) int64 {
	i := len(first)
	t := append([]byte("tunic ord1"), byte(f.w), 0)
	t = e(f.k1, binary.BigEndian.AppendUint32(t, uint32(f.n)))
	for j := range i / 64 {
		t = e(f.k1, xor(t, pack(first[64*j:64*j+64], 16)))
	}
	inChunk := first[i/64*64:]
	r := len(inChunk) / 4
	block := pack(inChunk[:4*r], 16)
	block[15] = byte(r)
	y := new(big.Int).SetBytes(e(f.k2, xor(t, block)))
	field := 1
	for _, bit := range inChunk[4*r:] {
		field = 2*field + bit
	}
	y.Rsh(y, uint(128-f.w*(field+1)))
	p := y.And(y, big.NewInt(1<<f.w-1)).Int64()
	if i == 0 {
		p %= 1<<f.w - 3
	}
	return p
}

// sum is C.
func (f reference) sum(bits []int) *big.Int {
	c := new(big.Int)
	for i, b := range bits {
		cell := big.NewInt(f.p(bits[:i]) + 2*int64(b))
		c.Add(c, cell.Lsh(cell, uint(f.w*(f.n-1-i))))
	}
	return c
}

// token is the token of a value; FillBytes panics should C not fit.
func (f reference) token(value []byte) []byte {
	return f.sum(f.bits(value)).FillBytes(make([]byte, f.n*f.w/8))
}

// bits are the n bits of a value.
func (f reference) bits(value []byte) []int {
	m := new(big.Int).SetBytes(value)
	bits := make([]int, f.n)
	for i := range bits {
		bits[i] = int(m.Bit(f.n - 1 - i))
	}
	return bits
}
