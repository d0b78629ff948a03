package bench

import (
	"testing"
	"time"
)

// heldLoad is a load whose one client has a statement under way, and whose last one has ended
// an hour ago.
func heldLoad() (*encryptLoad, *encryptClient) {
	l := &encryptLoad{quit: make(chan struct{})}
	c := &encryptClient{encryptLoad: l}
	l.clients = append(l.clients, c)
	l.begin()
	l.last.Store(time.Now().Add(-time.Hour).UnixNano())
	return l, c
}

// What holds the clients up until the very end is a stall, whoever notices the end first.
func TestStallUntilTheEnd(t *testing.T) {
	l, _ := heldLoad()
	if _, met := l.end(time.Second); met.StallMs < milliseconds(time.Hour) {
		t.Errorf("a stall of %.0f ms", met.StallMs)
	}
}

// A statement that has begun before the end counts, and one that begins behind it does not.
func TestHeldStatementsCount(t *testing.T) {
	l, c := heldLoad()
	began := time.Now()
	l.group.Go(func() {
		<-l.quit
		c.finished(began)
		c.finished(time.Now().Add(time.Hour))
	})
	if measured, _ := l.end(time.Second); measured.Transactions != 1 {
		t.Errorf("%d statements", measured.Transactions)
	}
}

// Without clients nobody waits.
func TestNoStallWithoutClients(t *testing.T) {
	l := &encryptLoad{quit: make(chan struct{})}
	l.begin()
	if _, met := l.end(time.Second); met.StallMs != 0 {
		t.Errorf("a stall of %.0f ms", met.StallMs)
	}
}
