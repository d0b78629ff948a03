package uuid

import (
	crand "crypto/rand"
	"encoding/binary"
	"sync"
	"time"
)

// clockUUID makes the UUIDs of this process.
var clockUUID uuidClock

// New is a UUID of this process that no other call makes.
func New(now time.Time) [Bytes]byte { return clockUUID.next(now) }

// uuidClock makes UUIDs that all differ: each has a later time than the one before it,
// beside a node and a sequence that the process has drawn. The node is a random one,
// with the bit that no network card has (RFC 9562, 6.10).
type uuidClock struct {
	mu   sync.Mutex
	last uint64
	tail [8]byte // sequence, with the variant, and node
}

// uuidEpoch is the start of the Gregorian calendar, from which a UUID counts in units
// of 100 ns, in Unix seconds.
const uuidEpoch = -12219292800

func (u *uuidClock) next(now time.Time) (id [Bytes]byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.last == 0 {
		_, _ = crand.Read(u.tail[:]) // of which the system always has some
		u.tail[0] = u.tail[0]&0x3f | 0x80
		u.tail[2] |= 1
	}
	ticks := uint64(now.Unix()-uuidEpoch)*10_000_000 + uint64(now.Nanosecond())/100
	u.last = max(ticks, u.last+1)
	binary.BigEndian.PutUint32(id[0:], uint32(u.last))
	binary.BigEndian.PutUint16(id[4:], uint16(u.last>>32))
	binary.BigEndian.PutUint16(id[6:], uint16(u.last>>48)&0x0fff|0x1000)
	copy(id[8:], u.tail[:])
	return id
}
