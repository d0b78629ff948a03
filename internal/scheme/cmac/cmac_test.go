package cmac

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"testing"

	"tunic/internal/scheme"
	"tunic/internal/scheme/schemetest"

	"pgregory.net/rapid"
)

func TestTokenizer(t *testing.T) {
	schemetest.Labelled(t, New, []string{"", "s", "a tag of more than sixteen bytes"}, schemetest.Layer{
		Values: rapid.SliceOfN(rapid.Byte(), 0, 100),
	})
}

func newMAC(t testing.TB, key []byte, tag string) *MAC {
	t.Helper()
	return schemetest.Construct(t, New, key, []byte(tag))
}

// message is the 64 bytes whose starts the examples of SP 800-38B and RFC 4493
// authenticate.
const message = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51" +
	"30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"

// vectors are the examples for AES-256 of SP 800-38B, appendix D.3.
var vectors = []struct {
	bytes int // of message
	want  string
}{
	{0, "028962f61b7bf89efc6b551f4667d983"},
	{16, "28a7023f452e8f82bd4bf28d8c37c35c"},
	{40, "aaf3d8f1de5640c232f5b169b9c911e6"},
	{64, "e1992190549f6ed5696a2c056c315410"},
}

func TestVectors(t *testing.T) {
	key := schemetest.Unhex(t, "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
	m := newMAC(t, key, "")
	if got, want := m.whole[:], schemetest.Unhex(t, "cad1ed03299eedac2e9a99808621502f"); !bytes.Equal(got, want) {
		t.Errorf("K1 %x, want %x", got, want)
	}
	if got, want := m.part[:], schemetest.Unhex(t, "95a3da06533ddb585d3533010c42a0d9"); !bytes.Equal(got, want) {
		t.Errorf("K2 %x, want %x", got, want)
	}
	for _, v := range vectors {
		input, want := schemetest.Unhex(t, message)[:v.bytes], schemetest.Unhex(t, v.want)
		if got := m.AppendSum(nil, input); !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %x, want %x", v.bytes, got, want)
		}
		for cut := range v.bytes + 1 {
			if got := newMAC(t, key, string(input[:cut])).AppendSum(nil, input[:cut], nil, input[cut:]); !bytes.Equal(got, want) {
				t.Errorf("%d and %d bytes: %x, want %x", cut, v.bytes-cut, got, want)
			}
			if got, err := newMAC(t, key, string(input[:cut])).AppendToken(nil, input[cut:]); err != nil || !bytes.Equal(got, want) {
				t.Errorf("a tag of %d bytes and %d: %x (%v), want %x", cut, v.bytes-cut, got, err, want)
			}
		}
	}
}

// TestRFC4493 runs the code over AES-128, for which that document has examples;
// no suite has it, so the cipher is put in by hand.
func TestRFC4493(t *testing.T) {
	block, err := aes.NewCipher(schemetest.Unhex(t, "2b7e151628aed2a6abf7158809cf4f3c"))
	if err != nil {
		t.Fatal(err)
	}
	m := &MAC{block: block}
	var l [16]byte
	block.Encrypt(l[:], l[:])
	m.whole = double(l)
	m.part = double(m.whole)
	for n, want := range map[int]string{
		0:  "bb1d6929e95937287fa37d129b756746",
		16: "070a16b46b4d4144f79bdd9dd04a287c",
		40: "dfa66747de9ae63030ca32611497c827",
		64: "51f0bebf7e3b9d92fc49741779363cfe",
	} {
		if got := m.AppendSum(nil, schemetest.Unhex(t, message)[:n]); !bytes.Equal(got, schemetest.Unhex(t, want)) {
			t.Errorf("%d bytes: %x, want %s", n, got, want)
		}
	}
}

// reference is CMAC over a whole message, from SP 800-38B, 6.2, with the
// subkeys given.
func reference(block cipher.Block, whole, part, input []byte) []byte {
	blocks := max(1, (len(input)+15)/16)
	padded := append(bytes.Clone(input), 0x80)
	padded = append(padded, make([]byte, 16)...)[:16*blocks]
	last := padded[16*(blocks-1):]
	for i := range last {
		if len(input) == 16*blocks {
			last[i] ^= whole[i]
		} else {
			last[i] ^= part[i]
		}
	}
	out := make([]byte, len(padded))
	cipher.NewCBCEncrypter(block, make([]byte, 16)).CryptBlocks(out, padded)
	return out[len(out)-16:]
}

// TestParts cuts messages anywhere, into any number of parts.
func TestParts(t *testing.T) {
	m := newMAC(t, schemetest.Key(1), "")
	rapid.Check(t, func(r *rapid.T) {
		parts := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 50), 0, 6).Draw(r, "parts")
		want := reference(m.block, m.whole[:], m.part[:], bytes.Join(parts, nil))
		if got := m.AppendSum([]byte("before"), parts...); !bytes.Equal(got, append([]byte("before"), want...)) {
			r.Fatalf("%x, want %x", got, want)
		}
	})
}

// TestOverlap: a value that lies where its token is to go is a mistake of the
// caller, and must not quietly make a wrong token.
func TestOverlap(t *testing.T) {
	m := newMAC(t, schemetest.Key(1), "tag")
	b := make([]byte, 64)
	defer func() {
		if recover() == nil {
			t.Error("an overlap went by")
		}
	}()
	m.AppendSum(b[:8], []byte("tag"), b[9:40])
}

// TestTagKept: the caller may reuse its slice.
func TestTagKept(t *testing.T) {
	tag := []byte("s")
	m, err := New(scheme.SuiteAES, schemetest.Key(1), tag)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := m.AppendToken(nil, []byte("value"))
	tag[0] = 't'
	if got, _ := m.AppendToken(nil, []byte("value")); !bytes.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

func FuzzSum(f *testing.F) {
	m := newMAC(f, schemetest.Key(1), "")
	f.Add([]byte(nil), 0)
	f.Add(make([]byte, 16), 16)
	f.Add(make([]byte, 33), 15)
	f.Fuzz(func(t *testing.T, input []byte, cut int) {
		if cut < 0 || cut > len(input) {
			return
		}
		want := reference(m.block, m.whole[:], m.part[:], input)
		if got := m.AppendSum(nil, input[:cut], input[cut:]); !bytes.Equal(got, want) {
			t.Errorf("%x, want %x", got, want)
		}
	})
}

func BenchmarkToken(b *testing.B) {
	m := newMAC(b, schemetest.Key(1), "s")
	for _, n := range []int{8, 15, 16, 60, 120, 4096} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			value, dst := make([]byte, n), make([]byte, 0, TokenSize)
			for b.Loop() {
				if _, err := m.AppendToken(dst, value); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
