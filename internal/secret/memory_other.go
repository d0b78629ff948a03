//go:build !linux

package secret

// newChunk is n bytes of the heap: only on Linux is memory locked.
func newChunk(n int) (chunk []byte, locked bool) { return make([]byte, n), false }
