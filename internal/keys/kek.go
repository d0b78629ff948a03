package keys

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"tunic/internal/secret"
)

// keyBytes is the size of KEKs and master keys.
const keyBytes = 32

// What the KEK is used for. It is only ever an input of HKDF: the key of each
// use is another one.
const (
	labelKEKID   = "tunic kek id"
	labelKEKWrap = "tunic kek wrap"
)

// ID names a KEK. It is computed from the key by a one-way function, so it may
// be shown and stored anywhere, and two keys have the same one with a
// probability of 2^-64.
type ID [8]byte

// String is the ID as people see it: 16 hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// KEK is a key-encryption key. Any number of goroutines may use it.
type KEK struct {
	id      ID
	project Project // zero if it is for any
	root    *secret.Bytes
	wrap    *secret.Bytes
}

// NewKEK makes a random KEK, for whatever project.
func NewKEK() (*KEK, error) { return kekOf(secret.Random(keyBytes)) }

// kekOf makes a KEK of its 32 bytes and takes them over.
func kekOf(root *secret.Bytes) (*KEK, error) {
	if root.Len() != keyBytes {
		return nil, fmt.Errorf("a KEK has %d bytes, not %d", keyBytes, root.Len())
	}
	id, err := expand(root, labelKEKID, len(ID{}))
	if err != nil {
		return nil, err
	}
	wrap, err := derive(root, labelKEKWrap, keyBytes)
	if err != nil {
		return nil, err
	}
	return &KEK{id: ID(id), root: root, wrap: wrap}, nil
}

// ID names the KEK.
func (k *KEK) ID() ID { return k.id }

// Project is the project that the KEK is for, as its key file says; zero if it says none. It is
// no input of what the KEK wraps: that is bound to its project in any case.
func (k *KEK) Project() Project { return k.project }

// Wipe forgets the key. The KEK wraps and unwraps nothing any more. A nil KEK
// has nothing to forget.
func (k *KEK) Wipe() {
	if k == nil {
		return
	}
	k.root.Wipe()
	k.wrap.Wipe()
}

// derive is HKDF-SHA256 without salt: what it starts from is uniformly random,
// and RFC 5869, section 3.1, lets the salt be empty then.
func derive(from *secret.Bytes, info string, n int) (*secret.Bytes, error) {
	out, err := expand(from, info, n)
	if err != nil {
		return nil, err
	}
	return secret.Take(out), nil
}

// expand is derive for output that need not be kept secret.
func expand(from *secret.Bytes, info string, n int) ([]byte, error) {
	return secret.Use(from, func(key []byte) ([]byte, error) {
		return hkdf.Key(sha256.New, key, nil, info, n)
	})
}
