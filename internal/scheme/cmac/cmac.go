// Package cmac is the scheme of equality for values of any length: AES-256-CMAC
// (NIST SP 800-38B, RFC 4493) over a tag and the value.
//
//	token   16 bytes
//
// The server can tell whether two tokens are equal, and nothing else, not even
// how long the values are. Two values of one column share a token with a chance
// of q^2/2^129 after q values: 2^-65 for 2^32 of them, below that of a memory
// error. A token is never cut: at 8 bytes a UNIQUE key would refuse a value that
// is new once in some billions.
package cmac

import (
	"bytes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"fmt"

	"tunic/internal/scheme"
)

// TokenSize is the size in bytes of a token.
const TokenSize = scheme.BlockSize

// MAC makes the tokens of one key and tag. It implements scheme.Tokenizer.
type MAC struct {
	block cipher.Block
	tag   []byte
	// whole and part are xored into the last block: whole if it is full, part
	// if it was padded (K1 and K2 of SP 800-38B, 6.1). Two keys, so that a padded
	// value never has the token of one that brings the same bytes itself.
	whole, part [scheme.BlockSize]byte
}

var _ scheme.Tokenizer = (*MAC)(nil)

// New returns the MAC of a key. Every token is over tag and value; tags tell
// kinds of values apart that share the key. Tags used with one key have to be
// of one length, or the end of one could pass for the start of a value.
func New(suite scheme.Suite, key, tag []byte) (*MAC, error) {
	block, err := suite.NewBlock(key)
	if err != nil {
		return nil, fmt.Errorf("cmac: %w", err)
	}
	m := &MAC{block: block, tag: bytes.Clone(tag)}
	var l [scheme.BlockSize]byte
	block.Encrypt(l[:], l[:])
	m.whole = double(l)
	m.part = double(m.whole)
	return m, nil
}

// double multiplies by x in GF(2^128), without a branch on a bit of the key.
func double(b [scheme.BlockSize]byte) [scheme.BlockSize]byte {
	high, low := binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[8:])
	var d [scheme.BlockSize]byte
	binary.BigEndian.PutUint64(d[:], high<<1|low>>63)
	binary.BigEndian.PutUint64(d[8:], low<<1^0x87*(high>>63)) // x^128 = x^7 + x^2 + x + 1
	return d
}

// TokenSize returns 16.
func (m *MAC) TokenSize() int { return TokenSize }

// AppendToken appends the token of a value. It takes every value; the error is
// always nil.
func (m *MAC) AppendToken(dst, value []byte) ([]byte, error) {
	return m.AppendSum(dst, m.tag, value), nil
}

// AppendTokenBatch appends the tokens of all values, one after the other. The
// error is always nil.
func (m *MAC) AppendTokenBatch(dst []byte, values [][]byte) ([]byte, error) {
	for _, v := range values {
		dst = m.AppendSum(dst, m.tag, v)
	}
	return dst, nil
}

// AppendSum appends the CMAC of parts taken together, without the tag. Where
// one part ends and the next starts makes no difference.
func (m *MAC) AppendSum(dst []byte, parts ...[]byte) []byte {
	var zero [scheme.BlockSize]byte
	start := len(dst)
	dst = append(dst, zero[:]...)
	// The state is where the token will be: nothing to allocate, nothing to
	// wipe. Bytes of a value are in it only until the cipher has run over them.
	state := dst[start:]
	filled := 0
	for _, p := range parts {
		filled = m.absorb(state, filled, p)
	}
	last := &m.whole
	if filled < scheme.BlockSize {
		state[filled] ^= 0x80
		last = &m.part
	}
	subtle.XORBytes(state, state, last[:])
	m.block.Encrypt(state, state)
	return dst
}

// absorb xors b into the state of which filled bytes are taken, running the
// cipher whenever a full block is followed by another byte. It returns how much
// is taken then: the last block stays open, because what is done to it depends
// on whether it is full.
func (m *MAC) absorb(state []byte, filled int, b []byte) int {
	for len(b) > 0 {
		if filled == scheme.BlockSize {
			m.block.Encrypt(state, state)
			filled = 0
		}
		// XORBytes panics if b and the state overlap out of step, rather than
		// making a wrong token.
		n := subtle.XORBytes(state[filled:], state[filled:], b)
		filled += n
		b = b[n:]
	}
	return filled
}
