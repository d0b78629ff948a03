package prp64

import (
	"crypto/aes"
	"crypto/cipher"
	"math/big"
	"testing"

	"tunic/internal/scheme/schemetest"
)

// ff1 is FF1 of SP 800-38G for any radix, length and tweak, written from
// algorithms 6 to 8 with the standard's letters. It is here to be held to the
// standard's samples, and prp64 to it.
type ff1 struct {
	block cipher.Block
	radix int64
}

// num is NUM_radix.
func (f ff1) num(digits []uint16) *big.Int {
	x := new(big.Int)
	for _, d := range digits {
		x.Mul(x, big.NewInt(f.radix))
		x.Add(x, big.NewInt(int64(d)))
	}
	return x
}

// str is STR of m digits.
func (f ff1) str(x *big.Int, m int) []uint16 {
	digits := make([]uint16, m)
	x = new(big.Int).Set(x)
	d := new(big.Int)
	for i := m - 1; i >= 0; i-- {
		x.DivMod(x, big.NewInt(f.radix), d)
		digits[i] = uint16(d.Int64())
	}
	return digits
}

// prf is CBC-MAC.
func (f ff1) prf(x []byte) []byte {
	y := make([]byte, 16)
	for ; len(x) > 0; x = x[16:] {
		for i := range y {
			y[i] ^= x[i]
		}
		f.block.Encrypt(y, y)
	}
	return y
}

// number is steps 6.i to 6.iv: y of round i, for the half that is not changed.
func (f ff1) number(tweak []byte, n, i int, half []uint16) *big.Int {
	u, v, t := n/2, n-n/2, len(tweak)
	most := new(big.Int).Exp(big.NewInt(f.radix), big.NewInt(int64(v)), nil)
	b := (most.Sub(most, big.NewInt(1)).BitLen() + 7) / 8
	d := 4*((b+3)/4) + 4
	p := []byte{
		1, 2, 1, byte(f.radix >> 16), byte(f.radix >> 8), byte(f.radix), 10, byte(u),
		byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n), byte(t >> 24), byte(t >> 16), byte(t >> 8), byte(t),
	}
	q := append([]byte{}, tweak...)
	q = append(q, make([]byte, (2*16-(t+b+1)%16)%16)...)
	q = append(q, byte(i))
	q = append(q, f.num(half).FillBytes(make([]byte, b))...)
	r := f.prf(append(p, q...))
	s := append([]byte{}, r...)
	for j := 1; len(s) < d; j++ {
		c := append([]byte{}, r...)
		c[15] ^= byte(j) // j < 256
		f.block.Encrypt(c, c)
		s = append(s, c...)
	}
	return new(big.Int).SetBytes(s[:d])
}

func (f ff1) encrypt(tweak []byte, x []uint16) []uint16 {
	n, u := len(x), len(x)/2
	a, b := x[:u], x[u:]
	for i := range 10 {
		m := u
		if i%2 == 1 {
			m = n - u
		}
		c := new(big.Int).Add(f.num(a), f.number(tweak, n, i, b))
		a, b = b, f.str(c.Mod(c, new(big.Int).Exp(big.NewInt(f.radix), big.NewInt(int64(m)), nil)), m)
	}
	return append(append([]uint16{}, a...), b...)
}

func (f ff1) decrypt(tweak []byte, x []uint16) []uint16 {
	n, u := len(x), len(x)/2
	a, b := x[:u], x[u:]
	for i := 9; i >= 0; i-- {
		m := u
		if i%2 == 1 {
			m = n - u
		}
		c := new(big.Int).Sub(f.num(b), f.number(tweak, n, i, a))
		a, b = f.str(c.Mod(c, new(big.Int).Exp(big.NewInt(f.radix), big.NewInt(int64(m)), nil)), m), a
	}
	return append(append([]uint16{}, a...), b...)
}

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"

func digits(s string) []uint16 {
	var d []uint16
	for _, c := range []byte(s) {
		for i := range len(alphabet) {
			if alphabet[i] == c {
				d = append(d, uint16(i))
			}
		}
	}
	return d
}

func numerals(d []uint16) string {
	var s []byte
	for _, x := range d {
		s = append(s, alphabet[x])
	}
	return string(s)
}

// TestFF1Samples: the nine samples that NIST publishes with SP 800-38G.
func TestFF1Samples(t *testing.T) {
	const (
		key128 = "2b7e151628aed2a6abf7158809cf4f3c"
		key192 = key128 + "ef4359d8d580aa4f"
		key256 = key192 + "7f036d6f04fc6a94"
		tweak1 = "39383736353433323130"
		tweak2 = "3737373770717273373737"
	)
	for i, c := range []struct {
		key         string
		radix       int64
		tweak       string
		plain, want string
	}{
		{key128, 10, "", "0123456789", "2433477484"},
		{key128, 10, tweak1, "0123456789", "6124200773"},
		{key128, 36, tweak2, "0123456789abcdefghi", "a9tv40mll9kdu509eum"},
		{key192, 10, "", "0123456789", "2830668132"},
		{key192, 10, tweak1, "0123456789", "2496655549"},
		{key192, 36, tweak2, "0123456789abcdefghi", "xbj3kv35jrawxv32ysr"},
		{key256, 10, "", "0123456789", "6657667009"},
		{key256, 10, tweak1, "0123456789", "1001623463"},
		{key256, 36, tweak2, "0123456789abcdefghi", "xs8a0azh2avyalyzuwd"},
	} {
		block, err := aes.NewCipher(schemetest.Unhex(t, c.key))
		if err != nil {
			t.Fatal(err)
		}
		f := ff1{block, c.radix}
		if got := numerals(f.encrypt(schemetest.Unhex(t, c.tweak), digits(c.plain))); got != c.want {
			t.Errorf("sample %d: %s, want %s", i+1, got, c.want)
		}
		if got := numerals(f.decrypt(schemetest.Unhex(t, c.tweak), digits(c.want))); got != c.plain {
			t.Errorf("sample %d, back: %s, want %s", i+1, got, c.plain)
		}
	}
}
