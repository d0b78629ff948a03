package wire_test

import (
	"bytes"
	"errors"
	"reflect"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tunic/internal/wire"
)

// drawBytes draws bytes of any value. Now and then they are long enough for the
// wider forms of a length.
func drawBytes(t *rapid.T, label string) []byte {
	length := rapid.OneOf(rapid.IntRange(0, 20), rapid.SampledFrom([]int{250, 251, 252, 255, 256, 1<<16 - 1, 1 << 16})).Draw(t, label+" length")
	seed := rapid.SliceOfN(rapid.Byte(), 1, 8).Draw(t, label)
	return bytes.Repeat(seed, length/len(seed)+1)[:length]
}

// drawText draws bytes without a zero, for fields that end with one.
func drawText(t *rapid.T, label string) []byte {
	return bytes.ReplaceAll(drawBytes(t, label), []byte{0}, []byte{'0'})
}

// drawShort draws at most 255 bytes, for fields whose length is one byte.
func drawShort(t *rapid.T, label string) []byte {
	b := drawBytes(t, label)
	return b[:min(len(b), 255)]
}

// drawCaps draws a subset of the flags, with those that must be set.
func drawCaps(t *rapid.T, must, may wire.Capability) wire.Capability {
	return must | may&wire.Capability(rapid.Uint64().Draw(t, "capabilities"))
}

// drawStatus draws status flags.
func drawStatus(t *rapid.T) wire.Status {
	return wire.Status(rapid.Uint16().Draw(t, "status"))
}

// same fails unless got is want. A field that is empty on the wire is the same
// whether it is nil or not.
func same[M any](t rapid.TB, want, got M) {
	t.Helper()
	if reflect.DeepEqual(want, got) {
		return // the common case, and much the cheaper one to tell
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(bytes.Equal)); diff != "" {
		t.Fatalf("sent and received differ:\n%s", diff)
	}
}

// refusesCuts fails if a decoder takes a message that has lost bytes at its end,
// down to the given length, or that fails with another error than ErrMalformed.
func refusesCuts(t rapid.TB, payload []byte, from int, decode func([]byte) error) {
	t.Helper()
	for n := range payload {
		if n < len(payload)-64 && n > 64 && n%997 != 0 {
			continue // long fields need not be cut at every byte
		}
		err := decode(payload[:n:n])
		if n < from && err == nil {
			t.Fatalf("took %d of %d bytes for a whole message", n, len(payload))
		}
		if err != nil && !errors.Is(err, wire.ErrMalformed) {
			t.Fatalf("%d of %d bytes: %v, which is no ErrMalformed", n, len(payload), err)
		}
	}
}

// A badMessage is a payload that a decoder must refuse.
type badMessage struct {
	name    string
	payload string
}

// refuses fails for every payload that decode takes.
func refuses(t *testing.T, decode func([]byte) error, bad ...badMessage) {
	t.Helper()
	for _, b := range bad {
		if err := decode([]byte(b.payload)); !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("%s: error %v, want one that is ErrMalformed", b.name, err)
		}
	}
}

// bytesAllocated is how many bytes a call of do allocates, on average of a few.
func bytesAllocated(do func()) uint64 {
	const calls = 20
	var before, after runtime.MemStats
	do()
	runtime.ReadMemStats(&before)
	for range calls {
		do()
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / calls
}
