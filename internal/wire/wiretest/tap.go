package wiretest

import (
	"bytes"
	"net"
)

// Tap is a connection that remembers what has passed through it. It is for one
// goroutine.
type Tap struct {
	net.Conn
	In, Out bytes.Buffer // what was read and written since Forget
}

// Read reads, and remembers.
func (t *Tap) Read(b []byte) (int, error) {
	n, err := t.Conn.Read(b)
	t.In.Write(b[:n])
	return n, err
}

// Write writes, and remembers.
func (t *Tap) Write(b []byte) (int, error) {
	n, err := t.Conn.Write(b)
	t.Out.Write(b[:n])
	return n, err
}

// Forget starts anew.
func (t *Tap) Forget() {
	t.In.Reset()
	t.Out.Reset()
}
