package wiretest

import (
	"net"
	"sync"
	"sync/atomic"
	"syscall"
)

// Faults says how a connection misbehaves. The zero value does not.
type Faults struct {
	ReadMax  int   // most bytes that one Read gives; 0 is no limit
	WriteMax int   // most bytes that go out at a time: a longer Write becomes several; 0 is no limit
	ReadEnd  int64 // Read fails with a reset after so many bytes; 0 is never
	WriteEnd int64 // Write fails with a reset after so many bytes, the last ones sent in part; 0 is never
	Stall    int64 // Read blocks after so many bytes until Release or Close; 0 is never
}

// Faulty is a connection with faults. Like any net.Conn it may be read, written
// and closed by different goroutines.
type Faulty struct {
	net.Conn
	faults   Faults
	read     atomic.Int64
	written  atomic.Int64
	released chan struct{}
	once     sync.Once
}

// WithFaults gives a connection faults.
func WithFaults(conn net.Conn, f Faults) *Faulty {
	return &Faulty{Conn: conn, faults: f, released: make(chan struct{})}
}

// allowed returns how many of n bytes a direction may still carry.
func allowed(n int, used, end int64) int {
	if end == 0 {
		return n
	}
	return int(min(int64(n), max(end-used, 0)))
}

// Read reads as the faults let it.
func (c *Faulty) Read(b []byte) (int, error) {
	if c.faults.ReadMax > 0 {
		b = b[:min(len(b), c.faults.ReadMax)]
	}
	read := c.read.Load()
	n := allowed(len(b), read, c.faults.ReadEnd)
	if n == 0 && len(b) > 0 {
		return 0, syscall.ECONNRESET
	}
	if b = b[:n]; c.faults.Stall > 0 {
		if b = b[:allowed(n, read, c.faults.Stall)]; len(b) == 0 {
			<-c.released
			b = b[:n]
		}
	}
	n, err := c.Conn.Read(b)
	c.read.Add(int64(n))
	return n, err
}

// Write writes as the faults let it.
func (c *Faulty) Write(b []byte) (int, error) {
	sent := 0
	for sent < len(b) {
		part := b[sent:]
		if c.faults.WriteMax > 0 {
			part = part[:min(len(part), c.faults.WriteMax)]
		}
		n := allowed(len(part), c.written.Load(), c.faults.WriteEnd)
		if n == 0 {
			return sent, syscall.ECONNRESET
		}
		n, err := c.Conn.Write(part[:n])
		sent += n
		c.written.Add(int64(n))
		if err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// Release ends a stall, and lets no other begin.
func (c *Faulty) Release() { c.once.Do(func() { close(c.released) }) }

// Close ends a stall and closes the connection.
func (c *Faulty) Close() error {
	c.Release()
	return c.Conn.Close()
}
