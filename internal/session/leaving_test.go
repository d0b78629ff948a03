package session

import (
	"net"
	"testing"
	"time"

	"tunic/internal/wire"
)

// toldMeanwhile is a client's socket whose session is told to end while it sets a deadline.
type toldMeanwhile struct {
	net.Conn
	tell     func()
	deadline time.Time
}

func (c *toldMeanwhile) SetReadDeadline(at time.Time) error {
	if tell := c.tell; tell != nil {
		c.tell = nil
		tell()
	}
	c.deadline = at
	return nil
}

func (c *toldMeanwhile) SetDeadline(at time.Time) error   { return c.SetReadDeadline(at) }
func (c *toldMeanwhile) SetWriteDeadline(time.Time) error { return nil }

// TestToldWhileItWaits: a session that drains and goes on notices that it is told to end while it
// begins to wait for its client.
func TestToldWhileItWaits(t *testing.T) {
	for name, tell := range map[string]func(*Session){
		"cut":     (*Session).Cut,
		"gone":    (*Session).EndGone,
		"nothing": nil,
	} {
		t.Run(name, func(t *testing.T) {
			client := &toldMeanwhile{}
			s := &Session{shared: &Shared{}, socket: client}
			s.response.Status = wire.StatusInTransaction
			s.ending.Store(uint32(endingDrain))
			until := time.Now().Add(time.Hour)
			s.until.Store(until.UnixNano())
			if tell != nil {
				client.tell = func() { tell(s) }
				until = past
			}
			goesOn, err := s.leaves()
			if !goesOn || err != nil || !client.deadline.Equal(until) {
				t.Errorf("goes on %v, error %v, reads until %v; want %v", goesOn, err, client.deadline, until)
			}
		})
	}
}
