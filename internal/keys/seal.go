package keys

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"

	"tunic/internal/secret"
)

// Sizes of AES-256-GCM: nonce and tag of SP 800-38D, section 5.2.1.
const (
	nonceBytes = 12
	tagBytes   = 16
	// sealedKeyBytes is a key of 32 bytes, sealed: nonce, ciphertext, tag.
	sealedKeyBytes = nonceBytes + keyBytes + tagBytes
)

// errOpen is a key that does not open: another key, other additional data, or
// other bytes. GCM does not tell which.
var errOpen = errors.New("does not open")

func newGCM(key *secret.Bytes) (cipher.AEAD, error) {
	block, err := secret.Use(key, aes.NewCipher)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// newNonce is random. A wrapping key seals a handful of keys in its life, far
// from the 2^32 that random nonces allow (SP 800-38D, section 8.3).
func newNonce() (nonce [nonceBytes]byte) {
	_, _ = rand.Read(nonce[:]) // it never fails: crypto/rand ends the process instead
	return nonce
}

// sealKey encrypts a key of 32 bytes under another: nonce, ciphertext, tag. It
// is safe as long as no two calls share wrapping key and nonce.
func sealKey(under, key *secret.Bytes, nonce [nonceBytes]byte, bound []byte) ([]byte, error) {
	gcm, err := newGCM(under)
	if err != nil {
		return nil, err
	}
	return secret.Use(key, func(plain []byte) ([]byte, error) {
		return gcm.Seal(nonce[:], nonce[:], plain, bound), nil
	})
}

// openKey is the reverse of sealKey, or errOpen.
//
// GCM does not commit to its key: whoever knows two keys can make bytes that
// open under both. So callers compare what comes out with a value that was
// computed from the key by HKDF: the key id, or the key check value.
func openKey(under *secret.Bytes, sealed, bound []byte) (*secret.Bytes, error) {
	gcm, err := newGCM(under)
	if err != nil {
		return nil, err
	}
	if len(sealed) != sealedKeyBytes {
		return nil, errOpen
	}
	plain, err := gcm.Open(nil, sealed[:nonceBytes], sealed[nonceBytes:], bound)
	if err != nil {
		return nil, errOpen
	}
	return secret.Take(plain), nil
}
