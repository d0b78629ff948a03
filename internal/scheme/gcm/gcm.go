// Package gcm is the scheme of sealed forms: AES-256-GCM (NIST SP 800-38D) with
// a random nonce of 96 bits.
//
//	offset  size  field
//	0       1     suite, 1
//	1       2     key epoch, big endian
//	3       12    nonce
//	15      n     ciphertext
//	15+n    16    tag
//
// The associated data of GCM are the first three bytes of the form, then the
// caller's aad. The header has one length, so no two pairs of header and aad
// make the same bytes.
//
// A header may have further bytes of the caller's behind the epoch ([Sealer.Headed]);
// what follows stands as many bytes later. All forms of a key have headers of one length.
//
// It hides everything about a value but its length, which the caller pads
// (scheme.Padding), and it notices every change. It does not notice that an old
// form of the same place is put back; nothing that is stored in one cell can.
package gcm

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"slices"
	"sync/atomic"

	"tunic/internal/scheme"
)

const (
	nonceSize = 12
	tagSize   = 16

	// Overhead is how many bytes a sealed form is longer than its plaintext.
	Overhead = scheme.HeaderSize + nonceSize + tagSize
)

// Sealer seals and opens under one key. It implements scheme.Sealer.
type Sealer struct {
	aead   cipher.AEAD
	suite  scheme.Suite
	epoch  uint16
	header []byte
	// overhead is how many bytes a form is longer than its plaintext.
	overhead int
	seals    *atomic.Uint64
}

var _ scheme.Sealer = (*Sealer)(nil)

// New returns the sealer of a key and its epoch. A key belongs to one epoch of
// one column domain, and to this scheme only.
//
// The epoch is given here and not with each value, so that no form can be
// stored under an epoch whose key does not open it.
func New(suite scheme.Suite, key []byte, epoch uint16) (*Sealer, error) {
	block, err := suite.NewBlock(key)
	if err != nil {
		return nil, fmt.Errorf("gcm: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("gcm: %w", err)
	}
	s := &Sealer{aead: aead, suite: suite, epoch: epoch, header: make([]byte, scheme.HeaderSize), overhead: Overhead, seals: new(atomic.Uint64)}
	scheme.PutHeader(s.header, suite, epoch)
	return s, nil
}

// Headed returns a sealer of the same key whose forms have further bytes in their headers, and that counts with s.
func (s *Sealer) Headed(further ...byte) *Sealer {
	headed := *s
	headed.header, headed.overhead = slices.Concat(s.header, further), s.overhead+len(further)
	return &headed
}

// Suite returns the suite in the headers of this sealer's forms.
func (s *Sealer) Suite() scheme.Suite { return s.suite }

// Epoch returns the epoch in the headers of this sealer's forms.
func (s *Sealer) Epoch() uint16 { return s.epoch }

// SealedSize returns the size of the sealed form of n bytes.
func (s *Sealer) SealedSize(n int) int { return n + s.overhead }

// AppendSeal appends the sealed form of plaintext, which is at most 2^36-32
// bytes; MySQL's longest values have 2^32.
func (s *Sealer) AppendSeal(dst, aad, plaintext []byte) []byte {
	w := takeWorkspace()
	dst = s.seal(dst, w.bind(s.header, aad), plaintext, w)
	w.giveBack()
	return dst
}

// AppendSealBatch appends the sealed forms of all plaintexts, one after the
// other, all bound to aad.
func (s *Sealer) AppendSealBatch(dst, aad []byte, plaintexts [][]byte) []byte {
	total := 0
	for _, p := range plaintexts {
		total += s.SealedSize(len(p))
	}
	dst = slices.Grow(dst, total)
	w := takeWorkspace()
	bound := w.bind(s.header, aad)
	for _, p := range plaintexts {
		dst = s.seal(dst, bound, p, w)
	}
	w.giveBack()
	return dst
}

// seal appends one sealed form. bound is header and aad.
func (s *Sealer) seal(dst, bound, plaintext []byte, w *workspace) []byte {
	dst = slices.Grow(dst, s.SealedSize(len(plaintext)))
	dst = append(dst, s.header...)
	at := len(dst)
	dst = w.appendNonce(dst)
	nonce := dst[at:]
	s.count(nonce)
	return s.aead.Seal(dst, nonce, plaintext, bound)
}

// AppendOpen appends the plaintext of a sealed form.
func (s *Sealer) AppendOpen(dst, aad, sealed []byte) ([]byte, error) {
	w := takeWorkspace()
	opened, err := s.open(dst, w.bind(s.header, aad), sealed)
	w.giveBack()
	return opened, err
}

// Bound seals and opens forms of a Sealer that are all bound to one aad. It is not changed by its use, so that any number of
// goroutines may have it.
type Bound struct {
	sealer *Sealer
	bound  []byte // header and aad
}

// Bind returns what seals and opens forms that are bound to aad. Joining header and aad is done
// here, once: of a value of eight bytes it is a tenth of what AppendOpen costs.
func (s *Sealer) Bind(aad []byte) *Bound {
	return &Bound{sealer: s, bound: slices.Concat(s.header, aad)}
}

// AppendSeal is Sealer.AppendSeal for the aad.
func (b *Bound) AppendSeal(dst, plaintext []byte) []byte {
	w := takeWorkspace()
	dst = b.sealer.seal(dst, b.bound, plaintext, w)
	w.giveBack()
	return dst
}

// AppendOpen is Sealer.AppendOpen for the aad.
func (b *Bound) AppendOpen(dst, sealed []byte) ([]byte, error) {
	return b.sealer.open(dst, b.bound, sealed)
}

// AppendOpenBatch appends the plaintexts of all sealed forms, one after the
// other. One that does not open fails the batch.
func (s *Sealer) AppendOpenBatch(dst, aad []byte, sealed [][]byte) ([]byte, error) {
	w := takeWorkspace()
	defer w.giveBack()
	bound := w.bind(s.header, aad)
	opened := dst
	for i, form := range sealed {
		var err error
		if opened, err = s.open(opened, bound, form); err != nil {
			clear(opened[len(dst):])
			return dst, &scheme.BatchError{Index: i, Err: err}
		}
	}
	return opened, nil
}

// open appends the plaintext of one form.
//
// bound holds the header of this sealer, not that of the form; they are equal
// once check has passed, and a form whose header was altered to pass it was
// sealed with other bytes bound and does not open.
func (s *Sealer) open(dst, bound, sealed []byte) ([]byte, error) {
	if err := s.check(sealed); err != nil {
		return dst, err
	}
	sealed = sealed[len(s.header):]
	opened, err := s.aead.Open(dst, sealed[:nonceSize], sealed[nonceSize:], bound)
	if err != nil {
		// GCM compares tags in constant time, and has released nothing.
		return dst, scheme.ErrOpen
	}
	return opened, nil
}

// check reads the header and the length of a form.
func (s *Sealer) check(sealed []byte) error {
	if len(sealed) < s.overhead {
		return scheme.ErrForm
	}
	suite, epoch, _ := scheme.Header(sealed)
	switch {
	case suite != s.suite:
		return scheme.ErrSuite
	case epoch != s.epoch:
		return scheme.ErrEpoch
	case len(s.header) > scheme.HeaderSize && !bytes.Equal(sealed[scheme.HeaderSize:len(s.header)], s.header[scheme.HeaderSize:]):
		return scheme.ErrOpen
	}
	return nil
}

// countEvery is how many seals stand behind one step of the count. It has to be
// a power of two of at most 256.
const countEvery = 64

// count counts roughly: a nonce that ends in enough zero bits, which one in
// countEvery does, counts for all of them. So goroutines that seal with one key
// do not take turns at a counter. Of 2^31 seals the estimate is off by less than
// a thousandth; of a few, by all.
func (s *Sealer) count(nonce []byte) {
	if nonce[nonceSize-1]%countEvery == 0 {
		s.seals.Add(countEvery)
	}
}

// CountIn has the sealer count into a counter that other sealers of the key have as well. It goes
// before the first form.
func (s *Sealer) CountIn(counter *atomic.Uint64) { s.seals = counter }

// Seals estimates how many forms this sealer has made, and those that it counts with. Together with what other
// sealers of the key have made it is to stay below scheme.SealsMax.
func (s *Sealer) Seals() uint64 { return s.seals.Load() }
