package aes

import (
	"bytes"
	"crypto/aes"
	"encoding/hex"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// aesVectors are those of NIST SP 800-38A, appendix F, for AES-128: the first
// blocks, or the first bytes of what has smaller segments.
var aesVectors = []struct{ mode, plain, sealed string }{
	{"aes-128-ecb", "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51", "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"},
	{"aes-128-cbc", "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51", "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"},
	{"aes-128-cfb1", "6bc1", "68b3"},
	{"aes-128-cfb8", "6bc1bee22e409f96e93d7e117393172aae2d", "3b79424c9c0dd436bace9e0ed4586a4f32b9"},
	{"aes-128-cfb128", "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51", "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"},
	{"aes-128-ofb", "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51", "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"},
}

func TestAESVectors(t *testing.T) {
	key, _ := hex.DecodeString("2b7e151628aed2a6abf7158809cf4f3c")
	iv, _ := hex.DecodeString("000102030405060708090a0b0c0d0e0f")
	block, err := aes.NewCipher(foldKey(key, 16))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range aesVectors {
		plain, _ := hex.DecodeString(v.plain)
		sealed, _ := hex.DecodeString(v.sealed)
		mode := Modes[v.mode]
		out := slices.Clone(plain)
		if mode.encrypt(block, iv, out, out); !bytes.Equal(out, sealed) {
			t.Errorf("%s: %x", v.mode, out)
		}
		if mode.decrypt(block, iv, out, out); !bytes.Equal(out, plain) {
			t.Errorf("%s back: %x", v.mode, out)
		}
	}
}

// TestDerive: a key is derived once from the same, whatever the vector, and anew from
// anything else.
func TestDerive(t *testing.T) {
	var a Cipher
	derive := func(words ...string) []byte {
		t.Helper()
		p := Words{Count: len(words)}
		for i, w := range words {
			p.All[i] = []byte(w)
		}
		key, ok := a.Derive(p, 16)
		want, known := deriveKey(&p, 16)
		if ok != known || !bytes.Equal(key, want) {
			t.Errorf("%q: %x %v, want %x %v", words, key, ok, want, known)
		}
		return key
	}
	first := derive("word", "vector", "hkdf", "ab", "c")
	if again := derive("word", "another", "hkdf", "ab", "c"); &again[0] != &first[0] {
		t.Error("a key is derived twice")
	}
	for _, other := range [][]string{
		{"word", "", "hkdf", "a", "bc"},
		{"word", "", "hkdf", "ab"},
		{"wordh", "", "kdf"},
		{"word", "", "hkdf"},
		{"word", "", "pbkdf2_hmac", "ab", "1000"},
		{"word", "", "pbkdf2_hmac", "ab", "999"},
		{"word", "", "pbkdf2_hmac", "ab", "1001"},
		{"Word", "", "pbkdf2_hmac", "ab", "1001"},
	} {
		derive(other...)
		derive(other...)
	}
	null := Words{All: [5][]byte{[]byte("Word"), nil, []byte("hkdf")}, Null: [5]bool{2: true}, Count: 3}
	if _, ok := a.Derive(null, 16); ok {
		t.Error("a key is derived by a function that is NULL")
	}
}

// TestBack: what is sealed in any mode is opened again, and nothing else is where blocks are filled up.
func TestBack(t *testing.T) {
	iv := make([]byte, BlockSize)
	for name, mode := range Modes {
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.SliceOf(rapid.Byte()).Draw(t, "text")
			key := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "key")
			var c Cipher
			block := c.With(key, mode.KeyBytes)
			sealed, ok := mode.Seal(block, iv, []byte("before"), text)
			if !ok {
				t.Fatal("not sealed")
			}
			sealed = sealed[len("before"):]
			opened, ok := mode.Open(block, iv, nil, sealed)
			if !ok || !bytes.Equal(opened, text) {
				t.Errorf("%s: %x has become %x, %v", name, text, opened, ok)
			}
			if mode.pads {
				if _, ok := mode.Open(block, iv, nil, sealed[1:]); ok {
					t.Errorf("%s: a part of a block is opened", name)
				}
			}
		})
	}
}
