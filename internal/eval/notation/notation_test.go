package notation

import (
	"bytes"
	"math"
	"net/netip"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/value/charset"
)

// TestBack: what is written is read again.
func TestBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		for name, f := range map[string]struct {
			write func(dst, s []byte) []byte
			read  func(dst, s []byte) ([]byte, bool)
		}{
			"hex":    {AppendHex, AppendUnhex},
			"base64": {AppendBase64, AppendFromBase64},
		} {
			before := []byte("before")
			text := f.write(nil, s)
			got, ok := f.read(before, text)
			if !ok || !bytes.Equal(got, append(before, s...)) {
				t.Errorf("%s of %x is %q, and back %x, %v", name, s, text, got, ok)
			}
		}
		u := rapid.Uint64().Draw(t, "number")
		base := rapid.IntRange(2, 36).Draw(t, "base")
		if got, ok := ReadBase(AppendBase(nil, u, base), base); !ok || got != u {
			t.Errorf("%d in base %d is %d, %v", u, base, got, ok)
		}
		if got, ok := ReadBase(AppendBase(nil, u, -base), -base); !ok || got != u {
			t.Errorf("%d in base -%d is %d, %v", u, base, got, ok)
		}
		v4 := rapid.Uint32().Draw(t, "address")
		if got, ok := ReadIPv4(AppendIPv4(nil, v4)); !ok || got != v4 {
			t.Errorf("%x is %x, %v", v4, got, ok)
		}
		var v6 [16]byte
		copy(v6[:], rapid.SliceOfN(rapid.SampledFrom([]byte{0, 0, 0, 1, 0xff}), 16, 16).Draw(t, "address of IPv6"))
		text := AppendIPv6(nil, v6)
		if got, ok := ReadIPv6(text); !ok || got != v6 {
			t.Errorf("%x is %s, and back %x, %v", v6, text, got, ok)
		}
		if a, err := netip.ParseAddr(string(text)); err != nil || a.As16() != v6 {
			t.Errorf("%x is %s: %v", v6, text, err)
		}
	})
}

func TestBase64Lines(t *testing.T) {
	for n, want := range map[int]int{0: 0, 57: 0, 58: 1, 114: 1, 115: 2} {
		if got := bytes.Count(AppendBase64(nil, make([]byte, n)), []byte("\n")); got != want {
			t.Errorf("%d line ends in the base 64 of %d bytes, want %d", got, n, want)
		}
	}
	if got, ok := AppendFromBase64(nil, []byte(" Y W\tI\n= ")); !ok || string(got) != "ab" {
		t.Errorf("%q, %v", got, ok)
	}
	if _, ok := AppendFromBase64(nil, []byte("YWI")); ok {
		t.Error("base 64 that is not full is read")
	}
}

func TestReadBase(t *testing.T) {
	for _, c := range []struct {
		text string
		base int
		want uint64
		ok   bool
	}{
		{"ff", 16, 255, true},
		{"  +12x", 10, 12, true},
		{"-1", 10, math.MaxUint64, true},
		{"-1", -10, math.MaxUint64, true},
		{"z", 36, 35, true},
		{"18446744073709551615", 10, math.MaxUint64, true},
		{"18446744073709551616", 10, 0, false},
		{"9223372036854775808", -10, 0, false},
		{"-9223372036854775809", 10, 0, false},
		{"", 10, 0, false},
		{"x", 10, 0, false},
	} {
		if got, ok := ReadBase([]byte(c.text), c.base); got != c.want || ok != c.ok {
			t.Errorf("%q in base %d: %d, %v", c.text, c.base, got, ok)
		}
	}
}

func TestAddresses(t *testing.T) {
	for text, want := range map[string][2]bool{
		"1.2.3.4":          {true, false},
		"001.02.3.4":       {true, false},
		"1.2.3":            {false, false},
		"1.2.3.4.5":        {false, false},
		"1.2.3.256":        {false, false},
		"1..3.4":           {false, false},
		"::":               {false, true},
		"::1":              {false, true},
		"::ffff:010.0.0.1": {false, true},
		"1:2:3:4:5:6:7:8":  {false, true},
		"1:2:3:4:5:6:7":    {false, false},
		"fe80::1%eth0":     {false, false},
		"":                 {false, false},
	} {
		if got := [2]bool{IsIPv4([]byte(text)), IsIPv6([]byte(text))}; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestWritten(t *testing.T) {
	set, _ := charset.CharsetByName(charset.MySQL, "utf8mb4")
	for _, c := range []struct{ name, got, want string }{
		{"quoted", string(AppendQuoted(nil, []byte("a'b\\c\x00\x1a\n"))), `'a\'b\\c\0\Z` + "\n'"},
		{"soundex", string(AppendSoundex(nil, []byte("Robert"))), "R163"},
		{"soundex of little", string(AppendSoundex(nil, []byte("a"))), "A000"},
		{"soundex of nothing", string(AppendSoundex(nil, []byte("12"))), ""},
		{"grouped", string(AppendGrouped(nil, []byte("-1234567.891"))), "-1,234,567.891"},
		{"grouped, short", string(AppendGrouped(nil, []byte("123"))), "123"},
		{"code", string(AppendCode(nil, 0x4142)), "AB"},
		{"code of nothing", string(AppendCode(nil, 0)), "\x00"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
	if got := FirstChar(set, []byte("äb")); got != 0xc3a4 {
		t.Errorf("ORD is %x", got)
	}
	if got := FirstByte(set, []byte("äb")); got != 0xc3 {
		t.Errorf("ASCII is %x", got)
	}
}

func TestUnhex(t *testing.T) {
	for text, want := range map[string]string{"4": "\x04", "414": "\x04\x14", "4g": "", strings.Repeat("f", 3): "\x0f\xff"} {
		if got, ok := AppendUnhex(nil, []byte(text)); ok != (want != "") || ok && string(got) != want {
			t.Errorf("%q: %q, %v", text, got, ok)
		}
	}
}
