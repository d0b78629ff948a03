package secret

import (
	"sync"
	"sync/atomic"
)

// Secrets lie in slots of two sizes, cut from chunks that are mapped for them
// alone: a page that is locked, or left out of dumps, then holds nothing else,
// and the collector neither moves nor scans it. Chunks are never given back.
const (
	keySlotBytes = 64 // keys, and most passphrases
	chunkBytes   = 16 << 10
)

var (
	keySlots  = slots{size: keySlotBytes}
	longSlots = slots{size: BytesMax}
)

// unlocked is set once a chunk could not be locked.
var unlocked atomic.Bool

// Locked reports whether all secrets so far are in memory that is not swapped.
func Locked() bool { return !unlocked.Load() }

// slots are the unused slots of one size, all zero. The one that has been
// unused longest is taken first.
type slots struct {
	mu   sync.Mutex
	size int
	free [][]byte
}

// takeSlot returns a slot of zeros with room for n bytes, at most [BytesMax].
func takeSlot(n int) []byte {
	if n <= keySlotBytes {
		return keySlots.take()
	}
	return longSlots.take()
}

// returnSlot wipes a slot of takeSlot and keeps it for the next.
func returnSlot(slot []byte) {
	Zero(slot)
	if len(slot) == keySlotBytes {
		keySlots.put(slot)
		return
	}
	longSlots.put(slot)
}

func (s *slots) take() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) == 0 {
		s.grow()
	}
	slot := s.free[0]
	s.free = s.free[1:]
	return slot
}

func (s *slots) put(slot []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, slot)
}

func (s *slots) grow() {
	chunk, locked := newChunk(chunkBytes)
	if !locked {
		unlocked.Store(true)
	}
	for ; len(chunk) >= s.size; chunk = chunk[s.size:] {
		s.free = append(s.free, chunk[:s.size:s.size])
	}
}
