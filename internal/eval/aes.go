package eval

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

// aesMode is a value of block_encryption_mode.
type aesMode struct {
	keyBytes int
	// chains says that blocks depend on those before them, and the first on an
	// initialization vector.
	chains bool
	// pads says that text is filled up to whole blocks (RFC 5652, 6.3).
	pads             bool
	encrypt, decrypt func(b cipher.Block, iv, dst, src []byte)
}

// aesModes are the values by their names (MySQL manual, "block_encryption_mode").
var aesModes = map[string]aesMode{}

func init() {
	for name, keyBytes := range map[string]int{"aes-128": 16, "aes-192": 24, "aes-256": 32} {
		aesModes[name+"-ecb"] = aesMode{keyBytes, false, true, encryptECB, decryptECB}
		aesModes[name+"-cbc"] = aesMode{keyBytes, true, true, encryptCBC, decryptCBC}
		aesModes[name+"-cfb1"] = aesMode{keyBytes, true, false, cfb1(false), cfb1(true)}
		aesModes[name+"-cfb8"] = aesMode{keyBytes, true, false, cfb(1, false), cfb(1, true)}
		aesModes[name+"-cfb128"] = aesMode{keyBytes, true, false, cfb(aes.BlockSize, false), cfb(aes.BlockSize, true)}
		aesModes[name+"-ofb"] = aesMode{keyBytes, true, false, ofb, ofb}
	}
}

const aesModeDefault = "aes-128-ecb"

// aesCipher is AES with the key that a run has used last.
type aesCipher struct {
	key   []byte
	block cipher.Block
	// derived is the key that was derived last, from what: that takes thousands of hashes,
	// and as a rule every row has the same.
	from, derived []byte
	asked         []byte // room for from
}

// compileAES makes AES_ENCRYPT and AES_DECRYPT in the session's mode.
func compileAES(decrypts bool) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		mode, evs, err := c.aes(name, args)
		if err != nil {
			return nil, err
		}
		compute := mode.seal
		if decrypts {
			compute = mode.open
		}
		slot, state, warnsOfKeys := c.slot(), c.states, !c.session.isMariaDB()
		c.states++
		s := shape{class: classBytes, chars: c.textChars(args[0]) + aes.BlockSize, coercible: coercibleLiteral}
		return castable(derive(s, func(r *Run) *datum {
			p := r.pieces(len(evs))
			if !evalCipher(r, evs, p) {
				return nullDatum
			}
			var iv []byte
			if mode.chains {
				if iv = p[2].b; p[2].null || len(iv) < aes.BlockSize {
					return r.refuse(name)
				}
			}
			if !mode.chains && len(p) > 2 && !p[2].null && len(p[2].b) > 0 { // of which MySQL warns
				return r.refuse(name)
			}
			key, used := p[1].b, r.aesCipher(state)
			switch {
			case len(p) > 3:
				var known bool
				if key, known = used.derive(p[1:], mode.keyBytes); !known {
					return r.refuse(name)
				}
			case len(key) > mode.keyBytes && warnsOfKeys: // of what is folded
				return r.refuse(name)
			}
			block := used.with(key, mode.keyBytes)
			known := true
			out := r.write(slot, func(dst []byte) []byte {
				dst, known = compute(block, iv, dst, p[0].b)
				return dst
			})
			if !known {
				return nullDatum
			}
			return out
		}, args...)), nil
	}
}

// aes evaluates the arguments, as bytes.
func (c *compiler) aes(name string, args []*node) (*aesMode, []evaluator, error) {
	called := c.session.BlockMode
	if called == "" {
		called = aesModeDefault
	}
	mode, ok := aesModes[called]
	switch {
	case !ok:
		return nil, nil, refuse(name + " in this block_encryption_mode")
	case mode.chains && len(args) < 3, !mode.chains && len(args) == 3, len(args) > 3 && c.session.isMariaDB(): // an error of the server's, or a warning
		return nil, nil, refuse(name + " with these arguments")
	}
	evs := make([]evaluator, len(args))
	for i, n := range args {
		if err := c.allow(name, n); err != nil {
			return nil, nil, err
		}
		texts, _, err := c.texts(name, n)
		if err != nil {
			return nil, nil, err
		}
		evs[i] = texts[0]
	}
	return &mode, evs, nil
}

// evalCipher evaluates the arguments; false if one is NULL that makes NULL of the result. A
// function that derives keys leaves an initialization vector that is not used NULL.
func evalCipher(r *Run, evs []evaluator, p []*datum) bool {
	for i, ev := range evs {
		if p[i] = ev(r); p[i].null && (i < 2 || len(evs) == 3) {
			return false
		}
	}
	return r.err == nil
}

// deriveKey makes a key of n bytes as MySQL does (MySQL manual, "Encryption and Compression
// Functions"): of a password, behind which follow an initialization vector, the name of the
// function, a salt, and what HKDF (RFC 5869) calls info or PBKDF2 (RFC 8018) the number of
// iterations; false where the server has an error.
func deriveKey(p []*datum, n int) (key []byte, ok bool) {
	const name, last = 2, 4
	for _, d := range p[name:] {
		if d.null || len(d.b) > kdfOptionMax {
			return nil, false
		}
	}
	options := [2][]byte{}
	for i, d := range p[name+1:] {
		options[min(i, 1)] = d.b
	}
	var err error
	switch string(p[name].b) {
	case "hkdf":
		key, err = hkdf.Key(sha512.New, p[0].b, options[0], string(options[1]), n)
	case "pbkdf2_hmac":
		iterations := kdfIterationsMin
		if len(p) > last {
			if iterations, err = strconv.Atoi(string(options[1])); err != nil || iterations < kdfIterationsMin || iterations > kdfIterationsMax {
				return nil, false
			}
		}
		key, err = pbkdf2.Key(sha512.New, string(p[0].b), options[0], iterations, n)
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

// aesCipher is what a run has of a call.
func (r *Run) aesCipher(state int) *aesCipher {
	known, _ := r.states[state].(*aesCipher)
	if known == nil {
		known = &aesCipher{}
		r.states[state] = known
	}
	return known
}

// with is AES with a key of any length, folded to so many bytes.
func (a *aesCipher) with(key []byte, keyBytes int) cipher.Block {
	if a.block == nil || !bytes.Equal(a.key, key) {
		a.key = append(a.key[:0], key...)
		a.block, _ = aes.NewCipher(foldKey(key, keyBytes)) // the length is one of AES
	}
	return a.block
}

// derive is deriveKey, which is asked only for what it was not asked for last.
func (a *aesCipher) derive(p []*datum, n int) (key []byte, ok bool) {
	const vector = 1 // which no key is derived from
	a.asked = a.asked[:0]
	for i, d := range p {
		switch {
		case i == vector:
		case d.null:
			return deriveKey(p, n)
		default:
			a.asked = append(binary.AppendUvarint(a.asked, uint64(len(d.b))), d.b...)
		}
	}
	if a.derived != nil && bytes.Equal(a.from, a.asked) {
		return a.derived, true
	}
	if a.derived, ok = deriveKey(p, n); !ok {
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

// seal appends src encrypted.
func (m *aesMode) seal(b cipher.Block, iv, dst, src []byte) (sealed []byte, ok bool) {
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

// open appends src decrypted; ok is false if it is not what a key has encrypted.
func (m *aesMode) open(b cipher.Block, iv, dst, src []byte) (opened []byte, ok bool) {
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
