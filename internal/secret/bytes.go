package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// BytesMax is the longest secret: room for any key and for a long passphrase.
const BytesMax = 4096

// ErrWiped is the answer of [Use] for a secret that was wiped, or that never
// held anything.
var ErrWiped = errors.New("the secret was wiped")

// Bytes is key material or a passphrase. The zero Bytes, and nil, hold nothing.
// Copies share what they hold; any number of goroutines may use them.
//
// A Bytes that nobody can reach any more is wiped when the collector sees it;
// [Bytes.Wipe] does it at once.
type Bytes struct {
	// The content is behind two pointers: a verb for which fmt skips Format
	// prints the fields of what it is given, and here finds an address.
	cell *cell
}

// cell is what copies of a Bytes share.
type cell struct {
	mu      sync.RWMutex
	key     []byte // the used part of slot; nil once wiped
	slot    []byte
	cleanup runtime.Cleanup
}

// Take moves b into a new secret and leaves b zeroed. It panics if b is longer
// than [BytesMax].
func Take(b []byte) *Bytes {
	s := newBytes(len(b))
	copy(s.cell.key, b)
	Zero(b)
	return s
}

// Random makes a secret of n bytes from the system's generator.
func Random(n int) *Bytes {
	s := newBytes(n)
	_, _ = rand.Read(s.cell.key) // it never fails: crypto/rand ends the process instead
	return s
}

func newBytes(n int) *Bytes {
	if n > BytesMax {
		panic(fmt.Sprintf("secret: %d bytes are more than %d", n, BytesMax))
	}
	slot := takeSlot(n)
	c := &cell{key: slot[:n:n], slot: slot}
	c.cleanup = runtime.AddCleanup(c, returnSlot, slot)
	return &Bytes{cell: c}
}

// Use gives f the content of b, for as long as f runs: a wipe waits for it.
// What f is given must not leave it, nor be changed, and f must not wipe b. It
// returns what f does, or [ErrWiped] and does not call f.
//
//	block, err := secret.Use(key, aes.NewCipher)
func Use[T any](b *Bytes, f func(content []byte) (T, error)) (T, error) {
	var none T
	if b == nil || b.cell == nil {
		return none, ErrWiped
	}
	b.cell.mu.RLock()
	defer b.cell.mu.RUnlock() // also keeps the cell from being collected meanwhile
	if b.cell.key == nil {
		return none, ErrWiped
	}
	return f(b.cell.key)
}

// Len is how many bytes b holds, 0 once wiped.
func (b *Bytes) Len() int {
	if b == nil || b.cell == nil {
		return 0
	}
	b.cell.mu.RLock()
	defer b.cell.mu.RUnlock()
	return len(b.cell.key)
}

// Equal compares in a time that depends on the lengths alone. A secret that
// was wiped equals nothing, itself included.
func (b *Bytes) Equal(other *Bytes) bool {
	// One after the other: holding two secrets at once could wait for ever
	// when both are being wiped. Equal digests are equal secrets.
	mine, err := Use(b, digest)
	if err != nil {
		return false
	}
	theirs, err := Use(other, digest)
	if err != nil {
		return false
	}
	defer Zero(mine[:])
	defer Zero(theirs[:])
	return subtle.ConstantTimeCompare(mine[:], theirs[:]) == 1
}

func digest(content []byte) (*[sha256.Size]byte, error) {
	sum := sha256.Sum256(content)
	return &sum, nil
}

// Wipe overwrites the content with zeros and gives its memory back. All copies
// of b hold nothing afterwards. Wiping again does nothing.
func (b *Bytes) Wipe() {
	if b == nil || b.cell == nil {
		return
	}
	c := b.cell
	c.mu.Lock()
	defer c.mu.Unlock() // also keeps the cell reachable across Stop, as Stop asks
	if c.slot == nil {
		return
	}
	c.cleanup.Stop()
	returnSlot(c.slot)
	c.key, c.slot = nil, nil
}

// Zero overwrites b with zeros, for buffers that held a secret on its way.
//
// It is not inlined: a function cannot know that the memory its caller handed
// it is never read again, so the stores cannot be dropped as dead.
//
//go:noinline
func Zero(b []byte) {
	clear(b)
	runtime.KeepAlive(b)
}
