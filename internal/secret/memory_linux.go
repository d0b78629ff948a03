package secret

import "golang.org/x/sys/unix"

// newChunk maps n bytes of zeros, a multiple of the page size, that core dumps
// leave out. locked reports whether they are kept from swap; with the limit
// RLIMIT_MEMLOCK exhausted a secret that may be swapped is better than none.
func newChunk(n int) (chunk []byte, locked bool) {
	chunk, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return make([]byte, n), false // Go's own heap is about to fail, too
	}
	_ = unix.Madvise(chunk, unix.MADV_DONTDUMP) // DenyDumps is the rule, this the second line
	return chunk, unix.Mlock(chunk) == nil
}
