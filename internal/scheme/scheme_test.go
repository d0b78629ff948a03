package scheme

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSuites(t *testing.T) {
	for suite, want := range map[Suite]string{SuiteAES: "AES", SuiteSM4: "SM4", SuiteXAES: "XAES", 0: "suite 0", 77: "suite 77"} {
		if got := suite.String(); got != want {
			t.Errorf("suite %d is called %q, want %q", byte(suite), got, want)
		}
		_, err := suite.NewBlock(make([]byte, 32))
		built := suite == SuiteAES
		if built != (err == nil) || !built && (!errors.Is(err, ErrSuite) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", suite, err)
		}
		if built != (suite.KeySize() == 32) {
			t.Errorf("%s has keys of %d bytes", suite, suite.KeySize())
		}
	}
	if b, err := SuiteAES.NewBlock(make([]byte, 32)); err != nil || b.BlockSize() != BlockSize {
		t.Errorf("a cipher with blocks of %d bytes (%v)", b.BlockSize(), err)
	}
	for _, size := range []int{0, 16, 24, 31, 33} {
		if _, err := SuiteAES.NewBlock(make([]byte, size)); !errors.Is(err, ErrKeySize) {
			t.Errorf("a key of %d bytes: %v", size, err)
		}
	}
}

func TestHeader(t *testing.T) {
	b := []byte{9, 9, 9, 9}
	PutHeader(b, SuiteAES, 0x1234)
	if !bytes.Equal(b, []byte{1, 0x12, 0x34, 9}) {
		t.Errorf("header %x", b)
	}
	for _, c := range []struct {
		sealed []byte
		suite  Suite
		epoch  uint16
		ok     bool
	}{
		{nil, 0, 0, false},
		{[]byte{1, 0}, 0, 0, false},
		{[]byte{1, 0, 0}, SuiteAES, 0, true},
		{[]byte{1, 0xff, 0xfe, 7}, SuiteAES, 0xfffe, true},
		{[]byte{2, 0, 1}, SuiteSM4, 1, false},
		{[]byte{3, 0, 1}, SuiteXAES, 1, false},
		{[]byte{0, 0, 1}, 0, 1, false},
	} {
		suite, epoch, ok := Header(c.sealed)
		if suite != c.suite || epoch != c.epoch || ok != c.ok {
			t.Errorf("header of %x: %v %d %v", c.sealed, suite, epoch, ok)
		}
	}
}

func TestPadding(t *testing.T) {
	for _, c := range []struct{ value, padded string }{
		{"", "\x80" + strings.Repeat("\x00", 15)},
		{"a", "a\x80" + strings.Repeat("\x00", 14)},
		{"fourteen bytes", "fourteen bytes\x80\x00"},
		{"fifteen bytes..", "fifteen bytes..\x80"},
		{"sixteen bytes...", "sixteen bytes...\x80" + strings.Repeat("\x00", 15)},
		{"\x80\x00", "\x80\x00\x80" + strings.Repeat("\x00", 13)},
		{strings.Repeat("\x00", 16), strings.Repeat("\x00", 16) + "\x80" + strings.Repeat("\x00", 15)},
	} {
		got, err := PadString.Append([]byte("before"), []byte(c.value))
		if err != nil || string(got) != "before"+c.padded {
			t.Errorf("%q padded to %q (%v), want %q", c.value, got, err, c.padded)
		}
		if n := PadString.Size(len(c.value)); n != len(c.padded) {
			t.Errorf("size of %d bytes is said to be %d, and is %d", len(c.value), n, len(c.padded))
		}
	}
}

func TestStripRefuses(t *testing.T) {
	for _, padded := range []string{
		"",
		"\x80",
		strings.Repeat("\x00", 16),
		strings.Repeat("\xff", 16),
		"\x80" + strings.Repeat("\x00", 14) + "\x01",
		"\x80" + strings.Repeat("\x00", 16),
		"\x80" + strings.Repeat("\x00", 31), // more padding than there is to be
		strings.Repeat("a", 15) + "\x80" + strings.Repeat("\x00", 16),
	} {
		if got, err := PadString.Strip([]byte(padded)); !errors.Is(err, ErrPadding) || got != nil {
			t.Errorf("%q stripped to %q (%v)", padded, got, err)
		}
	}
}

func TestPadExact(t *testing.T) {
	eight := PadExact(8)
	for n := range 20 {
		got, err := eight.Append([]byte("before"), make([]byte, n))
		if n == 8 {
			if err != nil || len(got) != 6+8 {
				t.Errorf("%d bytes padded to %x (%v)", n, got, err)
			}
		} else if !errors.Is(err, ErrValue) || string(got) != "before" {
			t.Errorf("%d bytes padded to %x (%v)", n, got, err)
		}
		if got, err := eight.Strip(make([]byte, n)); (err == nil) != (n == 8) || len(got) != n && err == nil {
			t.Errorf("%d bytes stripped to %x (%v)", n, got, err)
		}
		if eight.Size(n) != 8 {
			t.Errorf("size of %d bytes is said to be %d", n, eight.Size(n))
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a width of 0 is taken")
		}
	}()
	PadExact(0)
}

func TestPaddingReturns(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		value := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 0x80, 'a'}), 0, 70).Draw(r, "value")
		padded, err := PadString.Append(nil, value)
		if err != nil || len(padded) != PadString.Size(len(value)) || len(padded)%16 != 0 || len(padded) > len(value)+16 {
			r.Fatalf("%x padded to %x (%v)", value, padded, err)
		}
		got, err := PadString.Strip(padded)
		if err != nil || !bytes.Equal(got, value) {
			r.Fatalf("%x came back as %x (%v)", value, got, err)
		}
	})
}

// FuzzStrip: what strips is what padding made.
func FuzzStrip(f *testing.F) {
	f.Add([]byte("\x80" + strings.Repeat("\x00", 15)))
	f.Add(bytes.Repeat([]byte{0x80}, 32))
	f.Add([]byte(strings.Repeat("a", 31) + "\x80"))
	f.Fuzz(func(t *testing.T, padded []byte) {
		value, err := PadString.Strip(padded)
		if err != nil {
			return
		}
		if again, _ := PadString.Append(nil, value); !bytes.Equal(again, padded) {
			t.Errorf("%x stripped to %x, which pads to %x", padded, value, again)
		}
	})
}

func TestBatchError(t *testing.T) {
	err := error(&BatchError{Index: 3, Err: ErrOpen})
	if !errors.Is(err, ErrOpen) || !strings.HasPrefix(err.Error(), "value 3 of a batch: ") {
		t.Error(err)
	}
}

func BenchmarkPadString(b *testing.B) {
	b.ReportAllocs()
	dst, value := make([]byte, 0, 256), make([]byte, 120)
	for b.Loop() {
		dst, _ = PadString.Append(dst[:0], value)
		if _, err := PadString.Strip(dst); err != nil {
			b.Fatal(err)
		}
	}
}
