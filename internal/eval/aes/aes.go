package aes

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/pbkdf2"
	"crypto/sha512"
	"encoding/binary"
	"strconv"
)

// Mode is a value of block_encryption_mode.
type Mode struct {
	KeyBytes int
	// Chains says that blocks depend on those before them, and the first on an
	// initialization vector.
	Chains bool
	// pads says that text is filled up to whole blocks (RFC 5652, 6.3).
	pads             bool
	encrypt, decrypt func(b cipher.Block, iv, dst, src []byte)
}

// Modes are the values by their names (MySQL manual, "block_encryption_mode").
var Modes = modes()

func modes() map[string]Mode {
	all := map[string]Mode{}
	for name, keyBytes := range map[string]int{"aes-128": 16, "aes-192": 24, "aes-256": 32} {
		all[name+"-ecb"] = Mode{keyBytes, false, true, encryptECB, decryptECB}
		all[name+"-cbc"] = Mode{keyBytes, true, true, encryptCBC, decryptCBC}
		all[name+"-cfb1"] = Mode{keyBytes, true, false, cfb1(false), cfb1(true)}
		all[name+"-cfb8"] = Mode{keyBytes, true, false, cfb(1, false), cfb(1, true)}
		all[name+"-cfb128"] = Mode{keyBytes, true, false, cfb(aes.BlockSize, false), cfb(aes.BlockSize, true)}
		all[name+"-ofb"] = Mode{keyBytes, true, false, ofb, ofb}
	}
	return all
}

// ModeDefault is the mode of a session that has set none.
const ModeDefault = "aes-128-ecb"

// Cipher is AES with the key that a run has used last.
type Cipher struct {
	key   []byte
	block cipher.Block
	// derived is the key that was derived last, from what: that takes thousands of hashes,
	// and as a rule every row has the same.
	from, derived []byte
	asked         []byte // room for from
}

// BlockSize is how many bytes AES encrypts at a time.
const BlockSize = aes.BlockSize

// Words are the arguments of a function that derives keys: a password, an initialization vector, the name of the
// function, a salt, and a number of iterations or what HKDF calls info.
type Words struct {
	All   [5][]byte
	Null  [5]bool
	Count int // how many there are
}

// deriveKey makes a key of n bytes as MySQL does (MySQL manual, "Encryption and Compression
// Functions"): of a password, behind which follow an initialization vector, the name of the
// function, a salt, and what HKDF (RFC 5869) calls info or PBKDF2 (RFC 8018) the number of
// iterations; false where the server has an error.
func deriveKey(w *Words, n int) (key []byte, ok bool) {
	const name, last = 2, 4
	for i := name; i < w.Count; i++ {
		if w.Null[i] || len(w.All[i]) > kdfOptionMax {
			return nil, false
		}
	}
	options := [2][]byte{}
	for i := name + 1; i < w.Count; i++ {
		options[min(i-name-1, 1)] = w.All[i]
	}
	var err error
	switch string(w.All[name]) {
	case "hkdf":
		key, err = hkdf.Key(sha512.New, w.All[0], options[0], string(options[1]), n)
	case "pbkdf2_hmac":
		iterations := kdfIterationsMin
		if w.Count > last {
			if iterations, err = strconv.Atoi(string(options[1])); err != nil || iterations < kdfIterationsMin || iterations > kdfIterationsMax {
				return nil, false
			}
		}
		key, err = pbkdf2.Key(sha512.New, string(w.All[0]), options[0], iterations, n)
	default:
		return nil, false
	}
	return key, err == nil
}

// What MySQL takes (MySQL manual, "Encryption and Compression Functions").
const (
	kdfOptionMax     = 255 // bytes of a salt, and of info
	kdfIterationsMin = 1000
	kdfIterationsMax = 65535
)

// With is AES with a key of any length, folded to so many bytes.
func (a *Cipher) With(key []byte, keyBytes int) cipher.Block {
	if a.block == nil || !bytes.Equal(a.key, key) {
		a.key = append(a.key[:0], key...)
		a.block, _ = aes.NewCipher(foldKey(key, keyBytes)) // the length is one of AES
	}
	return a.block
}

// Derive is deriveKey, which is asked only for what it was not asked for last.
func (a *Cipher) Derive(w Words, n int) (key []byte, ok bool) {
	const vector = 1 // which no key is derived from
	a.asked = a.asked[:0]
	for i, word := range w.All[:w.Count] {
		switch {
		case i == vector:
		case w.Null[i]:
			return deriveKey(&w, n)
		default:
			a.asked = append(binary.AppendUvarint(a.asked, uint64(len(word))), word...)
		}
	}
	if a.derived != nil && bytes.Equal(a.from, a.asked) {
		return a.derived, true
	}
	if a.derived, ok = deriveKey(&w, n); !ok {
		a.derived = nil
	}
	a.from = append(a.from[:0], a.asked...)
	return a.derived, ok
}

// foldKey makes a key of n bytes: what is longer is added to its start.
func foldKey(key []byte, n int) []byte {
	folded := make([]byte, n)
	for i, b := range key {
		folded[i%n] ^= b
	}
	return folded
}

// Seal appends src encrypted.
func (m *Mode) Seal(b cipher.Block, iv, dst, src []byte) (sealed []byte, ok bool) {
	start := len(dst)
	dst = append(dst, src...)
	if m.pads {
		fill := aes.BlockSize - len(src)%aes.BlockSize
		for range fill {
			dst = append(dst, byte(fill))
		}
	}
	m.encrypt(b, iv, dst[start:], dst[start:])
	return dst, true
}

// Open appends src decrypted; ok is false if it is not what a key has encrypted.
func (m *Mode) Open(b cipher.Block, iv, dst, src []byte) (opened []byte, ok bool) {
	start := len(dst)
	if m.pads && (len(src) == 0 || len(src)%aes.BlockSize != 0) {
		return dst, false
	}
	dst = append(dst, src...)
	m.decrypt(b, iv, dst[start:], dst[start:])
	if !m.pads {
		return dst, true
	}
	fill := dst[len(dst)-1]
	if fill == 0 || fill > aes.BlockSize {
		return dst, false
	}
	for _, x := range dst[len(dst)-int(fill):] {
		if x != fill {
			return dst, false
		}
	}
	return dst[:len(dst)-int(fill)], true
}
