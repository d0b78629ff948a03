package wire

import (
	"testing"

	"pgregory.net/rapid"
)

// TestLargeClasses: a buffer has the room that was asked for, and at most half as much
// again; one that has been given back has no more than it had.
func TestLargeClasses(t *testing.T) {
	if got := classBytes(largeClasses - 1); got != largeBufferBytesMax {
		t.Fatalf("the largest class has %d bytes, want %d", got, largeBufferBytesMax)
	}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.OneOf(rapid.IntRange(0, 100_000), rapid.IntRange(0, 33<<20)).Draw(t, "size")
		b := takeLarge(size)
		if len(b) < size || size > BufferBytes && size <= largeBufferBytesMax && len(b) > size+size/2+1 {
			t.Fatalf("%d bytes for %d", len(b), size)
		}
		if class := classOf(size); class < largeClasses && (len(b) != classBytes(class) || class > 0 && classBytes(class-1) >= size) {
			t.Fatalf("%d bytes are of class %d", size, class)
		}
		giveLarge(b)
		giveLarge(make([]byte, 0, size))
	})
}
