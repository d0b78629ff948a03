package prp64

import (
	"bytes"
	"errors"
	"testing"

	"tunic/internal/scheme"
	"tunic/internal/scheme/schemetest"

	"pgregory.net/rapid"
)

func TestTokenizer(t *testing.T) {
	schemetest.Labelled(t, New, []string{"", "i", "eleven char"}, schemetest.Layer{
		Values:  rapid.SliceOfN(rapid.Byte(), TokenSize, TokenSize),
		Refused: [][]byte{nil, make([]byte, 7), make([]byte, 9), make([]byte, 16)},
	})
}

func newPermutation(t testing.TB, key, tweak []byte) *Permutation {
	t.Helper()
	return schemetest.Construct(t, New, key, tweak)
}

// bits and word turn a number into 64 digits of radix 2 and back.
func bits(v uint64) []uint16 {
	d := make([]uint16, 64)
	for i := range d {
		d[i] = uint16(v >> (63 - i) & 1)
	}
	return d
}

func word(d []uint16) (v uint64) {
	for _, b := range d {
		v = v<<1 | uint64(b)
	}
	return v
}

// TestFF1 holds both directions to the general FF1.
func TestFF1(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		key := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(r, "key")
		tweak := rapid.SliceOfN(rapid.Byte(), 0, TweakSizeMax).Draw(r, "tweak")
		v := rapid.Uint64().Draw(r, "value")
		p := newPermutation(t, key, tweak)
		general := ff1{p.block, 2}
		if got, want := p.Encrypt(v), word(general.encrypt(tweak, bits(v))); got != want {
			r.Fatalf("%016x becomes %016x, want %016x", v, got, want)
		}
		if got, want := p.Decrypt(v), word(general.decrypt(tweak, bits(v))); got != want {
			r.Fatalf("%016x comes from %016x, want %016x", v, got, want)
		}
	})
}

func TestBothWays(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		p := newPermutation(t, rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(r, "key"), nil)
		value := rapid.SliceOfN(rapid.Byte(), 8, 8).Draw(r, "value")
		token, err := p.AppendToken(nil, value)
		if err != nil {
			r.Fatal(err)
		}
		back, err := p.AppendValue([]byte("before"), token)
		if err != nil || !bytes.Equal(back, append([]byte("before"), value...)) {
			r.Fatalf("%x came back as %x (%v)", value, back, err)
		}
	})
	p := newPermutation(t, schemetest.Key(1), nil)
	for _, n := range []int{0, 7, 9} {
		if got, err := p.AppendValue([]byte("before"), make([]byte, n)); !errors.Is(err, scheme.ErrForm) || string(got) != "before" {
			t.Errorf("a token of %d bytes: %x (%v)", n, got, err)
		}
	}
}

// TestTweaks: the same value under two tweaks has two tokens, also where one
// tweak is the other and a zero, which the round's block alone cannot tell
// apart.
func TestTweaks(t *testing.T) {
	seen := map[uint64]string{}
	for _, tweak := range []string{"", "\x00", "\x00\x00", "i", "i\x00", "j", "\x00i", "eleven char"} {
		token := newPermutation(t, schemetest.Key(1), []byte(tweak)).Encrypt(42)
		if other, ok := seen[token]; ok {
			t.Errorf("tweaks %q and %q give the same token", tweak, other)
		}
		seen[token] = tweak
	}
	if _, err := New(scheme.SuiteAES, schemetest.Key(1), make([]byte, TweakSizeMax+1)); !errors.Is(err, scheme.ErrParams) {
		t.Errorf("a long tweak: %v", err)
	}
}

// TestTweakKept: the caller may reuse its slice.
func TestTweakKept(t *testing.T) {
	tweak := []byte("i")
	p := newPermutation(t, schemetest.Key(1), tweak)
	want := p.Encrypt(42)
	tweak[0] = 'j'
	if got := p.Encrypt(42); got != want {
		t.Errorf("%016x, want %016x", got, want)
	}
}

// TestStoredTokens: tokens that databases hold. No rewrite flag: if this fails,
// stored layers no longer match.
func TestStoredTokens(t *testing.T) {
	for _, c := range []struct {
		tweak        string
		value, token uint64
	}{
		{"", 0, 0x7b4e3d08505409ed},
		{"", 1, 0xdeabbf04aeb18fa0},
		{"", 1<<64 - 1, 0xdc7ef3e6134393e4},
		{"i", 0, 0x46873fb468c6ab62},
		{"eleven char", 42, 0x6a3ce5716cfe3c27},
	} {
		p := newPermutation(t, schemetest.Key(1), []byte(c.tweak))
		if got := p.Encrypt(c.value); got != c.token {
			t.Errorf("tweak %q: %016x becomes %#016x, want %#016x", c.tweak, c.value, got, c.token)
		}
	}
}

func FuzzBothWays(f *testing.F) {
	f.Add(uint64(0), []byte(nil))
	f.Add(^uint64(0), []byte("i"))
	f.Add(uint64(1)<<32, []byte("eleven char"))
	f.Fuzz(func(t *testing.T, v uint64, tweak []byte) {
		p, err := New(scheme.SuiteAES, schemetest.Key(1), tweak)
		if err != nil {
			if len(tweak) <= TweakSizeMax {
				t.Error(err)
			}
			return
		}
		if got := p.Decrypt(p.Encrypt(v)); got != v {
			t.Errorf("%x came back as %x", v, got)
		}
		if got := p.Encrypt(p.Decrypt(v)); got != v {
			t.Errorf("%x went to %x", v, got)
		}
	})
}

func BenchmarkEncrypt(b *testing.B) {
	p := newPermutation(b, schemetest.Key(1), []byte("i"))
	b.ReportAllocs()
	var v uint64
	for b.Loop() {
		v = p.Encrypt(v)
	}
}

func BenchmarkDecrypt(b *testing.B) {
	p := newPermutation(b, schemetest.Key(1), []byte("i"))
	b.ReportAllocs()
	var v uint64
	for b.Loop() {
		v = p.Decrypt(v)
	}
}

func BenchmarkToken(b *testing.B) {
	p := newPermutation(b, schemetest.Key(1), []byte("i"))
	b.ReportAllocs()
	value, dst := make([]byte, 8), make([]byte, 0, 8)
	for b.Loop() {
		if _, err := p.AppendToken(dst, value); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTokenBatch(b *testing.B) {
	p := newPermutation(b, schemetest.Key(1), []byte("i"))
	b.ReportAllocs()
	const values = 100
	list, dst := make([][]byte, values), make([]byte, 0, 8*values)
	for i := range list {
		list[i] = make([]byte, 8)
	}
	for b.Loop() {
		if _, err := p.AppendTokenBatch(dst, list); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*values), "ns/value")
}
