// Package prp64 is the scheme of equality for values of 64 bits: a permutation
// of them that looks random without its key. The server can tell whether two
// tokens are equal, and nothing else; since a permutation never maps two values
// to one, UNIQUE, GROUP BY, DISTINCT and joins over tokens are exact.
//
// The permutation is FF1 of NIST SP 800-38G: a Feistel network of ten rounds
// over AES-256, with radix 2, 64 digits and a tweak of up to 11 bytes. A value
// is its eight bytes, big endian, the first bit first; so is a token.
//
//	value, token   8 bytes each
//
// With these parameters the two CBC-MAC blocks of a round shrink to one: the
// first is constant under a key, and the second has room for tweak, round and
// half.
//
//	bytes of the second block    0 … t-1   t … 10   11      12 … 15
//	                             tweak     zero     round   right half
package prp64

import (
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"sync"

	"tunic/internal/scheme"
)

const (
	// TokenSize is the size in bytes of a value and of its token.
	TokenSize = 8

	// TweakSizeMax is the longest tweak in bytes that leaves a round at one
	// block of the cipher.
	TweakSizeMax = 11

	rounds = 10 // SP 800-38G, algorithm 7
	lanes  = 8  // values that a batch takes through the rounds together
)

// Permutation is the permutation of one key and tweak. It implements
// scheme.Tokenizer.
type Permutation struct {
	block cipher.Block
	// high and low are the second block of a round with round and half still
	// zero, xored with the cipher's image of the first.
	high, low uint64
}

var _ scheme.Tokenizer = (*Permutation)(nil)

// New returns the permutation of a key. The tweak tells kinds of values apart
// that share the key: the same eight bytes under two tweaks have unrelated
// tokens. It is no secret. It fails with scheme.ErrParams if it is too long.
func New(suite scheme.Suite, key, tweak []byte) (*Permutation, error) {
	block, err := suite.NewBlock(key)
	if err != nil {
		return nil, fmt.Errorf("prp64: %w", err)
	}
	if len(tweak) > TweakSizeMax {
		return nil, fmt.Errorf("prp64: a tweak of more than %d bytes: %w", TweakSizeMax, scheme.ErrParams)
	}
	// P of algorithm 7: version, method, number of Feistel branches; radix 2 in
	// three bytes; rounds; length of the left half; length of value and tweak.
	first := [scheme.BlockSize]byte{1, 2, 1, 0, 0, 2, rounds, 32, 0, 0, 0, 64, 0, 0, 0, byte(len(tweak))}
	block.Encrypt(first[:], first[:])
	var second [scheme.BlockSize]byte
	copy(second[:], tweak)
	return &Permutation{
		block: block,
		high:  binary.BigEndian.Uint64(first[:]) ^ binary.BigEndian.Uint64(second[:]),
		low:   binary.BigEndian.Uint64(first[8:]) ^ binary.BigEndian.Uint64(second[8:]),
	}, nil
}

// TokenSize returns 8.
func (p *Permutation) TokenSize() int { return TokenSize }

// AppendToken appends the token of a value of eight bytes, and fails with
// scheme.ErrValue for any other length.
func (p *Permutation) AppendToken(dst, value []byte) ([]byte, error) {
	if len(value) != TokenSize {
		return dst, scheme.ErrValue
	}
	return binary.BigEndian.AppendUint64(dst, p.Encrypt(binary.BigEndian.Uint64(value))), nil
}

// AppendValue appends the value of a token, and fails with scheme.ErrForm for
// bytes that are not eight. Every eight bytes are some value's token: a value
// found this way is not authenticated, and only the sealed form is to be
// believed.
func (p *Permutation) AppendValue(dst, token []byte) ([]byte, error) {
	if len(token) != TokenSize {
		return dst, scheme.ErrForm
	}
	return binary.BigEndian.AppendUint64(dst, p.Decrypt(binary.BigEndian.Uint64(token))), nil
}

// AppendTokenBatch appends the tokens of values of eight bytes, one after the
// other.
func (p *Permutation) AppendTokenBatch(dst []byte, values [][]byte) ([]byte, error) {
	for i, v := range values {
		if len(v) != TokenSize {
			return dst, &scheme.BatchError{Index: i, Err: scheme.ErrValue}
		}
	}
	w := takeWorkspace()
	var v [lanes]uint64
	for len(values) > 0 {
		n := min(lanes, len(values))
		for i, value := range values[:n] {
			v[i] = binary.BigEndian.Uint64(value)
		}
		p.encryptLanes(w, v[:n])
		for _, token := range v[:n] {
			dst = binary.BigEndian.AppendUint64(dst, token)
		}
		values = values[n:]
	}
	w.giveBack()
	return dst, nil
}

// Encrypt returns the image of v.
func (p *Permutation) Encrypt(v uint64) uint64 {
	w := takeWorkspace()
	left, right := uint32(v>>32), uint32(v)
	for r := range uint64(rounds) {
		left, right = right, left+p.round(w, r, right)
	}
	w.giveBack()
	return uint64(left)<<32 | uint64(right)
}

// Decrypt returns the value whose image is v.
func (p *Permutation) Decrypt(v uint64) uint64 {
	w := takeWorkspace()
	left, right := uint32(v>>32), uint32(v)
	for r := range uint64(rounds) {
		left, right = right-p.round(w, rounds-1-r, left), left
	}
	w.giveBack()
	return uint64(left)<<32 | uint64(right)
}

// round returns the round function of a half.
func (p *Permutation) round(w *workspace, r uint64, half uint32) uint32 {
	b := w.lane(0)
	p.fill(b, r, half)
	p.block.Encrypt(b, b)
	return outcome(b)
}

// encryptLanes replaces up to lanes values by their images. A value's rounds
// wait for each other, and the rounds of other values do not: the processor
// works on several at once.
func (p *Permutation) encryptLanes(w *workspace, v []uint64) {
	for r := range uint64(rounds) {
		for i, x := range v {
			p.fill(w.lane(i), r, uint32(x))
		}
		for i := range v {
			p.block.Encrypt(w.lane(i), w.lane(i))
		}
		for i, x := range v {
			v[i] = x<<32 | uint64(uint32(x>>32)+outcome(w.lane(i)))
		}
	}
}

// fill makes the block of a round.
func (p *Permutation) fill(b []byte, r uint64, half uint32) {
	binary.BigEndian.PutUint64(b, p.high)
	binary.BigEndian.PutUint64(b[8:], p.low^(r<<32|uint64(half)))
}

// outcome takes the round function's number from the cipher's output. SP
// 800-38G reads the first eight bytes of it as one number and reduces it modulo
// 2^32: these are the last four of the eight.
func outcome(b []byte) uint32 { return binary.BigEndian.Uint32(b[4:]) }

// workspace holds blocks to be encrypted in place. It is pooled because what
// goes through an interface of the standard library cannot stay on the stack.
// It is left with outputs of the cipher, never with a half of a value.
type workspace [lanes * scheme.BlockSize]byte

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

func takeWorkspace() *workspace {
	return workspaces.Get().(*workspace) //nolint:forcetypeassert // the pool holds nothing else
}

func (w *workspace) giveBack() { workspaces.Put(w) }

// lane returns the block of the i-th value.
func (w *workspace) lane(i int) []byte {
	return w[i*scheme.BlockSize : (i+1)*scheme.BlockSize]
}
