package scheme

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
)

// Suite names the set of primitives that all forms of a column are made with.
// It is the first byte of a sealed form, so its values are never given anew.
type Suite byte

// The suites. Only AES is built; the others are reserved, and a stored form
// that names them is refused.
const (
	SuiteAES  Suite = 1 // AES-256-GCM, FF1 and CMAC with AES-256
	SuiteSM4  Suite = 2 // reserved: the same modes with SM4 (GB/T 32907)
	SuiteXAES Suite = 3 // reserved: XAES-256-GCM, for keys that seal more than SealsMax values
)

// BlockSize is the block size in bytes of every suite's cipher. The schemes
// are written for it.
const BlockSize = 16

// String returns the name of the suite.
func (s Suite) String() string {
	switch s {
	case SuiteAES:
		return "AES"
	case SuiteSM4:
		return "SM4"
	case SuiteXAES:
		return "XAES"
	}
	return fmt.Sprintf("suite %d", byte(s))
}

// KeySize returns the size in bytes of every key of the suite, 0 for a suite
// that is not built.
func (s Suite) KeySize() int {
	if s == SuiteAES {
		return 32
	}
	return 0
}

// NewBlock returns the suite's block cipher under key. It fails with ErrSuite
// for a suite that is not built, and with ErrKeySize.
func (s Suite) NewBlock(key []byte) (cipher.Block, error) {
	if s != SuiteAES {
		return nil, fmt.Errorf("%s: %w", s, ErrSuite)
	}
	// aes.NewCipher would take 16 or 24 bytes too, and with them a weaker cipher
	// than the suite promises.
	if len(key) != s.KeySize() {
		return nil, fmt.Errorf("%d bytes, %s has keys of %d: %w", len(key), s, s.KeySize(), ErrKeySize)
	}
	return aes.NewCipher(key)
}
