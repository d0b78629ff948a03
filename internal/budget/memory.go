package budget

import (
	"context"
	"sync"
	"time"
)

// Memory is what large statements of all sessions may take together, and what is kept
// of rows for local work. It counts promises, not what the allocator has given: whoever
// is about to need much asks for it before.
//
// Who waits is served in turn, so that a very large statement is not overtaken for ever
// by smaller ones. A nil Memory has no bound.
type Memory struct {
	// Patience is how long a large statement waits; it does not change once there are
	// sessions.
	Patience time.Duration
	// Sending is how long a client may take to send a large statement, beside what its bytes
	// take, and what is to follow parameters that it has sent ahead. It does not change either.
	Sending time.Duration

	bytes int64

	Mu    sync.Mutex
	taken int64
	Queue []*waiter
}

// waiter is somebody who waits for n bytes.
type waiter struct {
	n     int64
	there chan struct{}
}

// NewMemory makes a Memory of so many bytes.
func NewMemory(bytes int64) *Memory {
	return &Memory{bytes: bytes, Patience: memoryPatience, Sending: sendPatience}
}

// memoryPatience is longer than a few statements of 64 MiB take, and below the timeouts of
// most clients.
const memoryPatience = 30 * time.Second

// sendPatience is short enough that others, who wait as long, do not wait for who sends nothing.
const sendPatience = 30 * time.Second

// Bytes is how many there are; 0 of a Memory without a bound.
func (m *Memory) Bytes() int64 {
	if m == nil {
		return 0
	}
	return m.bytes
}

// Taken is how many are taken now.
func (m *Memory) Taken() int64 {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	return m.taken
}

// TryTake takes n bytes, if they are there and nobody waits for them.
func (m *Memory) TryTake(n int64) bool {
	if m == nil {
		return true
	}
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if len(m.Queue) > 0 || m.taken+n > m.bytes {
		return false
	}
	m.taken += n
	return true
}

// Take waits for n bytes until ctx is done, and reports whether it has them. Of more
// than there are it takes none and does not wait.
func (m *Memory) Take(ctx context.Context, n int64) bool {
	if m.TryTake(n) {
		return true
	}
	if n > m.bytes {
		return false
	}
	w := &waiter{n: n, there: make(chan struct{})}
	m.Mu.Lock()
	m.Queue = append(m.Queue, w)
	m.serve()
	m.Mu.Unlock()
	select {
	case <-w.there:
		return true
	case <-ctx.Done():
		return m.withdraw(w)
	}
}

// withdraw ends a wait, unless it has just been over.
func (m *Memory) withdraw(w *waiter) (there bool) {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	for i, other := range m.Queue {
		if other == w {
			m.Queue = append(m.Queue[:i], m.Queue[i+1:]...)
			m.serve() // who came after may need less
			return false
		}
	}
	return true
}

// Give gives n bytes back.
func (m *Memory) Give(n int64) {
	if m == nil || n == 0 {
		return
	}
	m.Mu.Lock()
	defer m.Mu.Unlock()
	m.taken -= n
	m.serve()
}

// serve lets those go on for whom there is enough. The caller holds mu.
func (m *Memory) serve() {
	for len(m.Queue) > 0 && m.taken+m.Queue[0].n <= m.bytes {
		m.taken += m.Queue[0].n
		close(m.Queue[0].there)
		m.Queue = m.Queue[1:]
	}
}
