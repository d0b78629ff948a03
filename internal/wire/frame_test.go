package wire_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"tunic/internal/wire"
)

// frameEdges are payload sizes around the largest frame.
var frameEdges = []int{
	0, 1, wire.FrameBytesMax - 1, wire.FrameBytesMax, wire.FrameBytesMax + 1,
	2 * wire.FrameBytesMax,
}

// filled is n bytes that tell their place, so that a byte lost or twice shows.
func filled(n int) []byte {
	b := make([]byte, 0, n+8)
	for i := uint64(0); len(b) < n; i++ {
		b = binary.LittleEndian.AppendUint64(b, i)
	}
	return b[:n:n]
}

func TestAppendPacketAtFrameEdges(t *testing.T) {
	for _, size := range frameEdges {
		payload := filled(size)
		b, next := wire.AppendPacket([]byte("before"), payload, 254)
		if !bytes.HasPrefix(b, []byte("before")) {
			t.Fatalf("%d bytes: what stood before is gone", size)
		}
		b = b[len("before"):]
		frames := size/wire.FrameBytesMax + 1
		if want := size + frames*wire.HeaderBytes; len(b) != want {
			t.Errorf("%d bytes become %d, want %d in %d frames", size, len(b), want, frames)
		}
		if want := uint8(254 + frames); next != want {
			t.Errorf("%d bytes: next sequence number %d, want %d", size, next, want)
		}
		var joined []byte
		for i := range frames {
			length := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
			if b[3] != uint8(254+i) {
				t.Errorf("%d bytes: frame %d has sequence number %d", size, i, b[3])
			}
			if last := i == frames-1; last != (length < wire.FrameBytesMax) {
				t.Errorf("%d bytes: frame %d of %d has %d bytes", size, i+1, frames, length)
			}
			joined = append(joined, b[wire.HeaderBytes:wire.HeaderBytes+length]...)
			b = b[wire.HeaderBytes+length:]
		}
		if !bytes.Equal(joined, payload) {
			t.Errorf("%d bytes: the frames hold something else", size)
		}
	}
}

// Errors are found by kind and by their numbers, and say both.
func TestErrorsOfFrames(t *testing.T) {
	sequence := fmt.Errorf("read: %w", &wire.SequenceError{Got: 3, Want: 2})
	large := fmt.Errorf("read: %w", &wire.TooLargeError{Bytes: 70, Limit: 64})
	if !errors.Is(sequence, wire.ErrSequence) || errors.Is(sequence, wire.ErrTooLarge) || errors.Is(sequence, wire.ErrMalformed) {
		t.Errorf("%v is of another kind", sequence)
	}
	if !errors.Is(large, wire.ErrTooLarge) || errors.Is(large, wire.ErrSequence) {
		t.Errorf("%v is of another kind", large)
	}
	if got, want := sequence.Error(), "read: packet out of order: got 3, want 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := large.Error(), "read: packet too large: 70 bytes, the limit is 64"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
