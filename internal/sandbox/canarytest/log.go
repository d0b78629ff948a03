package canarytest

import (
	"bytes"
	"sync"
)

// Log keeps what a process writes. Its zero value is empty.
type Log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write keeps p.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// Bytes is a copy of what was written so far.
func (l *Log) Bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Clone(l.buf.Bytes())
}

// Take is what was written since the last Take.
func (l *Log) Take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.buf.Reset()
	return l.buf.String()
}
