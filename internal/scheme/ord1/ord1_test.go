package ord1

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"testing"

	"tunic/internal/scheme"
	"tunic/internal/scheme/schemetest"

	"pgregory.net/rapid"
)

func newOrder(t testing.TB, key []byte, n, w int) *Order {
	t.Helper()
	o, err := New(scheme.SuiteAES, key, Params{Bits: n, CellBits: w})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// values draws values of n bits.
func values(n int) *rapid.Generator[[]byte] {
	size := (n + 7) / 8
	return rapid.Map(rapid.SliceOfN(rapid.Byte(), size, size), func(v []byte) []byte {
		if n%8 != 0 {
			v[0] &= 0x0f
		}
		return v
	})
}

func TestTokenizer(t *testing.T) {
	for _, n := range []int{4, 8, 16, 24, 32, 36, 60, 64, 68, 72, 128, 132, 512} {
		for _, w := range []int{4, 8} {
			t.Run(fmt.Sprintf("%d bits, cells of %d", n, w), func(t *testing.T) {
				size := (n + 7) / 8
				refused := [][]byte{nil, make([]byte, size-1), make([]byte, size+1)}
				if n%8 != 0 {
					refused = append(refused, append([]byte{0x10}, make([]byte, size-1)...))
				}
				schemetest.Tokenizer(t, schemetest.Layer{
					New: func(suite scheme.Suite, key []byte) (scheme.Tokenizer, error) {
						return New(suite, key, Params{Bits: n, CellBits: w})
					},
					Values:  values(n),
					Refused: refused,
					Ordered: true,
				})
			})
		}
	}
}

// number encodes m as a value of n bits.
func number(m uint64, n int) []byte {
	return binary.BigEndian.AppendUint64(nil, m)[8-(n+7)/8:]
}

func tokenOf(t testing.TB, o *Order, value []byte) []byte {
	t.Helper()
	token, err := o.AppendToken(nil, value)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// TestAllPairs compares every value of 4 and of 8 bits with every other, under
// enough keys for the smallest and the largest P_0 of 4 bits.
func TestAllPairs(t *testing.T) {
	for _, n := range []int{4, 8} {
		for _, w := range []int{4, 8} {
			for key := range 24 {
				o := newOrder(t, schemetest.Key(key), n, w)
				tokens := make([][]byte, 1<<n)
				for m := range tokens {
					tokens[m] = tokenOf(t, o, number(uint64(m), n))
				}
				for a := range tokens {
					for b := range tokens {
						if got, want := bytes.Compare(tokens[a], tokens[b]), compare(a, b); got != want {
							t.Fatalf("n %d, w %d, key %d: tokens of %d and %d compare as %d", n, w, key, a, b, got)
						}
					}
				}
			}
		}
	}
}

func compare(a, b int) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// TestAllNeighbours goes through every value of 12 and 16 bits. Each token is
// above the one before, so all of them are in order.
func TestAllNeighbours(t *testing.T) {
	for _, n := range []int{12, 16} {
		for _, w := range []int{4, 8} {
			o := newOrder(t, schemetest.Key(n+w), n, w)
			before := tokenOf(t, o, number(0, n))
			for m := uint64(1); m < 1<<n; m++ {
				token := tokenOf(t, o, number(m, n))
				if bytes.Compare(before, token) >= 0 {
					t.Fatalf("n %d, w %d: the token of %d is not above that of %d", n, w, m, m-1)
				}
				before = token
			}
		}
	}
}

// TestReferenceAll holds every value of 8 bits to the formula.
func TestReferenceAll(t *testing.T) {
	for _, w := range []int{4, 8} {
		for key := range 20 {
			o, f := newOrder(t, schemetest.Key(key), 8, w), newReference(schemetest.Key(key), 8, w)
			for m := range 256 {
				if got, want := tokenOf(t, o, []byte{byte(m)}), f.token([]byte{byte(m)}); !bytes.Equal(got, want) {
					t.Fatalf("w %d, key %d, value %d: %x, want %x", w, key, m, got, want)
				}
			}
		}
	}
}

// drawParams draws sizes, most of them small.
func drawParams(r *rapid.T) (n, w int) {
	return 4 * rapid.IntRange(1, BitsMax/4).Draw(r, "nibbles"), rapid.SampledFrom([]int{4, 8}).Draw(r, "cell bits")
}

func TestReference(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n, w := drawParams(r)
		key := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(r, "key")
		value := values(n).Draw(r, "value")
		got, want := tokenOf(t, newOrder(t, key, n, w), value), newReference(key, n, w).token(value)
		if !bytes.Equal(got, want) {
			r.Fatalf("%x, want %x", got, want)
		}
	})
}

// TestCloseValues checks the order of values that differ by little, across
// every bit that a step can carry through.
func TestCloseValues(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n, w := drawParams(r)
		o := newOrder(t, rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(r, "key"), n, w)
		size := (n + 7) / 8
		low := new(big.Int).SetBytes(values(n).Draw(r, "value"))
		for bit := range n {
			low.SetBit(low, bit, 1) // ones to the right, so that a step carries
			high := new(big.Int).Add(low, big.NewInt(1))
			if high.BitLen() > n {
				return
			}
			a, b := low.FillBytes(make([]byte, size)), high.FillBytes(make([]byte, size))
			if bytes.Compare(tokenOf(t, o, a), tokenOf(t, o, b)) >= 0 {
				r.Fatalf("the token of %x is not below that of %x", a, b)
			}
		}
	})
}

// TestEnds: the smallest and the largest value under many keys; the largest is
// where an overflow would show.
func TestEnds(t *testing.T) {
	for _, w := range []int{4, 8} {
		for _, n := range []int{4, 36, 64, 128} {
			for key := range 200 {
				o := newOrder(t, schemetest.Key(key), n, w)
				least, most := make([]byte, (n+7)/8), bytes.Repeat([]byte{0xff}, (n+7)/8)
				if n%8 != 0 {
					most[0] = 0x0f
				}
				if bytes.Compare(tokenOf(t, o, least), tokenOf(t, o, most)) >= 0 {
					t.Errorf("n %d, w %d, key %d: the ends are out of order", n, w, key)
				}
			}
		}
	}
}

func TestParams(t *testing.T) {
	for _, p := range []Params{{}, {0, 4}, {-4, 4}, {2, 4}, {6, 4}, {65, 4}, {BitsMax + 4, 4}, {64, 0}, {64, 2}, {64, 5}, {64, 16}} {
		if _, err := New(scheme.SuiteAES, schemetest.Key(1), p); !errors.Is(err, scheme.ErrParams) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	// Bytes stored for each type, as the formats promise.
	for n, want := range map[int]int{8: 4, 16: 8, 24: 12, 32: 16, 36: 18, 64: 32, 128: 64} {
		o := newOrder(t, schemetest.Key(1), n, CellBitsDefault)
		if o.TokenSize() != want || o.ValueSize() != (n+7)/8 {
			t.Errorf("%d bits: values of %d bytes, tokens of %d, want %d", n, o.ValueSize(), o.TokenSize(), want)
		}
		if wide := newOrder(t, schemetest.Key(1), n, CellBitsWide); wide.TokenSize() != 2*want {
			t.Errorf("%d bits, wide: tokens of %d", n, wide.TokenSize())
		}
	}
}

// TestSizesSeparate: the tokens of a short value are no start of a longer one's.
func TestSizesSeparate(t *testing.T) {
	key := schemetest.Key(1)
	for _, w := range []int{4, 8} {
		short, long := newOrder(t, key, 64, w), newOrder(t, key, 128, w)
		a, b := tokenOf(t, short, make([]byte, 8)), tokenOf(t, long, make([]byte, 16))
		if bytes.HasPrefix(b, a[:8]) {
			t.Errorf("w %d: %x starts as %x", w, b, a)
		}
	}
}

// TestStoredTokens: tokens that databases hold, which are also the vectors of
// docs/schemes.md. No rewrite flag: if this fails, stored layers no longer sort.
func TestStoredTokens(t *testing.T) {
	key := make([]byte, 32)
	for i := range key {
		key[i] = byte(i)
	}
	for _, c := range []struct {
		n, w         int
		value, token string
	}{
		{8, 4, "00", "1e055a5f"},
		{8, 4, "ff", "3b859f0a"},
		{36, 4, "0123456789", "718b8e5398d4f687a240c1d0f8d20c0ff604"},
		{64, 4, "8000000000000000", "bb868bfae9a38d54a0ff9f765dacbd89f7d0a452be35dd45670abcf0ec3a3706"},
		{64, 8, "8000000000000000", "3970de73f9292936fcaaa8bbd315b67233b81896ea602c6dc1800dfb4efdd3a8a8250cbb3914ec7300367e99fcb6a001a616ecb606e3b077603238071ac32cdd"},
		{128, 4, "000102030405060708090a0b0c0d0e0f", "009fd0793b7148ea588a8766a9205cf3381f2fcb86c08f5935caf042b09ec15cff8787a6953cf49dd1f64f06370ccc2f8d19a865aa83d1c21aa90943d43677aa"},
	} {
		value, err := hex.DecodeString(c.value)
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(tokenOf(t, newOrder(t, key, c.n, c.w), value)); got != c.token {
			t.Errorf("n %d, w %d, value %s: %s, want %s", c.n, c.w, c.value, got, c.token)
		}
	}
}

// FuzzReference feeds values of all sizes to the scheme and to the formula.
func FuzzReference(f *testing.F) {
	f.Add([]byte{0}, false, false)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, false, true)
	f.Add([]byte{0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, true, false)
	f.Add(make([]byte, 64), false, false)
	f.Fuzz(func(t *testing.T, value []byte, odd, wide bool) {
		n, w := 8*len(value), CellBitsDefault
		if odd {
			n -= 4
		}
		if wide {
			w = CellBitsWide
		}
		o, err := New(scheme.SuiteAES, schemetest.Key(1), Params{Bits: n, CellBits: w})
		if err != nil {
			if n >= 4 && n <= BitsMax {
				t.Error(err)
			}
			return
		}
		token, err := o.AppendToken(nil, value)
		if odd && value[0] > 15 {
			if !errors.Is(err, scheme.ErrValue) {
				t.Errorf("%x taken for a value of %d bits (%v)", value, n, err)
			}
			return
		}
		if want := newReference(schemetest.Key(1), n, w).token(value); err != nil || !bytes.Equal(token, want) {
			t.Errorf("%x (%v), want %x", token, err, want)
		}
	})
}
