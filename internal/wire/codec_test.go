package wire

import (
	"bytes"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestLenencForms(t *testing.T) {
	for _, c := range []struct {
		n    uint64
		form string
	}{
		{0, "\x00"},
		{1, "\x01"},
		{250, "\xfa"},
		{251, "\xfc\xfb\x00"},
		{1<<16 - 1, "\xfc\xff\xff"},
		{1 << 16, "\xfd\x00\x00\x01"},
		{1<<24 - 1, "\xfd\xff\xff\xff"},
		{1 << 24, "\xfe\x00\x00\x00\x01\x00\x00\x00\x00"},
		{math.MaxUint64, "\xfe\xff\xff\xff\xff\xff\xff\xff\xff"},
	} {
		form := AppendLenenc(nil, c.n)
		if string(form) != c.form {
			t.Errorf("%d is % x, want % x", c.n, form, c.form)
		}
		d := decoder{rest: []byte(c.form)}
		if got := d.lenenc(); got != c.n || d.bad || len(d.rest) > 0 {
			t.Errorf("% x is %d, %d bytes left, want %d", c.form, got, len(d.rest), c.n)
		}
		for n := range len(c.form) {
			d := decoder{rest: []byte(c.form)[:n:n]}
			if d.lenenc(); !d.bad {
				t.Errorf("%d of the %d bytes of %d are taken", n, len(c.form), c.n)
			}
		}
	}
}

// A form that is longer than it need be is understood, as servers understand it.
func TestLenencTakesLongForms(t *testing.T) {
	for _, form := range []string{"\xfc\x05\x00", "\xfd\x05\x00\x00", "\xfe\x05\x00\x00\x00\x00\x00\x00\x00"} {
		d := decoder{rest: []byte(form)}
		if got := d.lenenc(); got != 5 || d.bad {
			t.Errorf("% x is %d, want 5", form, got)
		}
	}
}

func TestLenencRefusesWhatIsNoInteger(t *testing.T) {
	for _, first := range []byte{0xfb, 0xff} {
		d := decoder{rest: []byte{first, 1, 1, 1, 1, 1, 1, 1, 1}}
		if d.lenenc(); !d.bad {
			t.Errorf("%#x starts an integer", first)
		}
	}
}

// A length beyond the payload, up to one that is negative as an int, must not
// read past it and must not be believed.
func TestLenencBytesBelievesNoLength(t *testing.T) {
	for _, n := range []uint64{4, 251, 1 << 16, 1 << 31, 1 << 32, math.MaxInt64, 1 << 63, math.MaxUint64} {
		backing := append(AppendLenenc(nil, n), "abcdefgh"...)
		d := decoder{rest: backing[:len(backing)-5]} // "abc"; the rest is somebody else's
		if got := d.lenencBytes(); got != nil || !d.bad {
			t.Errorf("length %d of 3 bytes gives %q", n, got)
		}
		if b := d.uint8(); b != 0 {
			t.Errorf("after a bad length %#x is read", b)
		}
	}
}

// What a decoder hands out cannot grow into what follows it.
func TestFieldsHaveNoRoomToGrow(t *testing.T) {
	payload := []byte("\x02ab\x02cdef\x00gh")
	d := decoder{rest: payload}
	for _, field := range [][]byte{d.lenencBytes(), d.lenencBytes(), d.zeroTerminated(), d.remaining()} {
		_ = append(field, '!')
	}
	if string(payload) != "\x02ab\x02cdef\x00gh" {
		t.Errorf("the payload has become %q", payload)
	}
}

func TestZeroTerminated(t *testing.T) {
	d := decoder{rest: []byte("one\x00\x00three")}
	if a, b := d.zeroTerminated(), d.zeroTerminated(); string(a) != "one" || len(b) != 0 || d.bad {
		t.Errorf("got %q and %q", a, b)
	}
	rest := d
	if got := rest.zeroTerminatedOrRest(); string(got) != "three" || rest.bad {
		t.Errorf("the rest is %q", got)
	}
	if got := d.zeroTerminated(); got != nil || !d.bad {
		t.Errorf("without a zero byte: %q", got)
	}
}

// Whatever the order of reads, a decoder gives the bytes in order, once, and
// nothing after the first read past the end.
func TestDecoderNeverPassesItsEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		payload := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "payload")
		backing := append(bytes.Clone(payload), 0, 0xfb, 0, 1, 2, 3, 0, 0, 0)
		d := decoder{rest: backing[:len(payload)]}
		reads := []func(){
			func() { d.uint8() }, func() { d.uint16() }, func() { d.uint32() }, func() { d.uint64() },
			func() { d.lenenc() }, func() { d.lenencBytes() }, func() { d.zeroTerminated() },
			func() { d.zeroTerminatedOrRest() }, func() { d.take(3) }, func() { d.take(-1) },
		}
		for range rapid.IntRange(1, 12).Draw(t, "reads") {
			before := len(d.rest)
			wasBad := d.bad
			reads[rapid.IntRange(0, len(reads)-1).Draw(t, "read")]()
			switch {
			case len(d.rest) > before:
				t.Fatal("a read gave bytes back")
			case wasBad && !d.bad:
				t.Fatal("a bad decoder has become good")
			case !bytes.HasSuffix(payload, d.rest):
				t.Fatalf("left is % x, which is no end of the payload", d.rest)
			}
		}
	})
}
