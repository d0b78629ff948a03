package wire

import (
	"math/bits"
	"sync"
)

// largeBufferBytesMax is the largest buffer that is kept for reuse: two of the largest
// frames.
const largeBufferBytesMax = 32 << 20

// largeBuffers keeps buffers that one packet outgrew, by the class of their size. They go
// back as soon as the packet has been used, so an idle Conn holds BufferBytes and no
// more; what nobody takes again the garbage collector frees.
//
// The classes are the powers of two above BufferBytes and the halves between them, so
// that a buffer is at most half as large again as what was asked for.
var largeBuffers [largeClasses]sync.Pool

const (
	smallestShift = 14 // of BufferBytes
	largeClasses  = 2 * (25 - smallestShift)
)

// classBytes is the size of the buffers of a class.
func classBytes(class int) int {
	power := BufferBytes << (class / 2)
	return power + power>>(1-class%2)
}

// classOf is the class of the smallest buffers that have room for size bytes,
// largeClasses if none have.
func classOf(size int) int {
	if size <= classBytes(0) {
		return 0
	}
	shift := bits.Len(uint(size-1)) - 1 // size is above 1<<shift, and at most twice that
	class := 2 * (shift - smallestShift)
	if size > 3<<shift>>1 {
		class++
	}
	return min(class, largeClasses)
}

// takeLarge returns a buffer with room for size bytes.
func takeLarge(size int) []byte {
	class := classOf(size)
	if class == largeClasses {
		return make([]byte, size)
	}
	if b, ok := largeBuffers[class].Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, classBytes(class))
}

// giveLarge gives a buffer back, which may have grown out of its class.
func giveLarge(b []byte) {
	if cap(b) < classBytes(0) || cap(b) > largeBufferBytesMax {
		return
	}
	class := min(classOf(cap(b)), largeClasses-1)
	if classBytes(class) > cap(b) {
		class--
	}
	b = b[:classBytes(class)]
	largeBuffers[class].Put(&b)
}
