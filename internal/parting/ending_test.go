package parting

import (
	"net"
	"sync/atomic"
	"testing"
	"time"
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
	for name, tell := range map[string]func(*Ending){
		"cut":     (*Ending).CutOff,
		"gone":    (*Ending).EndGone,
		"nothing": nil,
	} {
		t.Run(name, func(t *testing.T) {
			client := &toldMeanwhile{}
			var e Ending
			e.Of(client, new(atomic.Int64))
			until := time.Now().Add(time.Hour)
			e.BeginDrain(until)
			if tell != nil {
				client.tell = func() { tell(&e) }
				until = past
			}
			goesOn, err := e.Leaves(new(Track), true)
			if !goesOn || err != nil || !client.deadline.Equal(until) {
				t.Errorf("goes on %v, error %v, reads until %v; want %v", goesOn, err, client.deadline, until)
			}
		})
	}
}

// TestEnds: which end a session goes by that is told of several, how often it counts as cut off, and what its
// client's socket is told.
func TestEnds(t *testing.T) {
	drain := func(e *Ending) { e.BeginDrain(time.Now().Add(time.Hour)) }
	for name, c := range map[string]struct {
		told   []func(*Ending)
		want   End
		cutOff int64
	}{
		"nothing":                       {nil, NotYet, 0},
		"drains":                        {[]func(*Ending){drain}, Draining, 0},
		"is idle while it drains":       {[]func(*Ending){drain, (*Ending).EndIdle}, Draining, 0},
		"server gone while it drains":   {[]func(*Ending){drain, (*Ending).EndGone}, Gone, 0},
		"stalled, and the server gone":  {[]func(*Ending){(*Ending).EndStalled, (*Ending).EndGone}, Stalled, 0},
		"idle, and then to be drained":  {[]func(*Ending){(*Ending).EndIdle, drain}, Idle, 0},
		"cut off twice counts once":     {[]func(*Ending){drain, (*Ending).CutOff, (*Ending).CutOff}, Overdue, 1},
		"cut off with the server gone":  {[]func(*Ending){(*Ending).EndGone, (*Ending).CutOff}, Overdue, 1},
		"the server gone after the cut": {[]func(*Ending){(*Ending).CutOff, (*Ending).EndGone}, Overdue, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var e Ending
			var cutOff atomic.Int64
			client := &toldMeanwhile{}
			e.Of(client, &cutOff)
			for _, tell := range c.told {
				tell(&e)
			}
			if e.Why() != c.want || cutOff.Load() != c.cutOff || e.IsCut() != (c.want == Overdue) {
				t.Errorf("ends as %v, cut off %d, cut %v; want %v, %d", e.Why(), cutOff.Load(), e.IsCut(), c.want, c.cutOff)
			}
			if woken := client.deadline.Equal(past); woken != (c.want != NotYet && c.want != Draining || len(c.told) > 1) {
				t.Errorf("woken: %v", woken)
			}
		})
	}
}

// TestLeaves: a session that drains goes on while something would be lost, or until its client is silent, and not
// beyond its time.
func TestLeaves(t *testing.T) {
	for name, c := range map[string]struct {
		left   time.Duration // of the time to drain
		keeps  bool
		goesOn bool
	}{
		"keeps something":                 {time.Hour, true, true},
		"its client may still send":       {time.Hour, false, true},
		"over, though it keeps something": {-time.Second, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			var e Ending
			var cutOff atomic.Int64
			client := &toldMeanwhile{}
			e.Of(client, &cutOff)
			until := time.Now().Add(c.left)
			e.BeginDrain(until)
			goesOn, err := e.Leaves(new(Track), c.keeps)
			if goesOn != c.goesOn || err != nil || e.IsCut() == c.goesOn {
				t.Errorf("goes on %v, error %v, cut %v", goesOn, err, e.IsCut())
			}
			if c.goesOn && client.deadline.Equal(until) != c.keeps {
				t.Errorf("waits until %v of %v", client.deadline, until)
			}
		})
	}
}
