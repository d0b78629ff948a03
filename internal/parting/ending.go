package parting

import (
	"errors"
	"net"
	"sync/atomic"
	"time"

	"tunic/internal/socket"
)

// End is why a session is told to end.
type End uint32

// The ends of sessions.
const (
	NotYet   End = iota
	Draining     // when nothing is lost by it
	Overdue      // the same, and its time is over
	Idle         // the client has sent nothing for too long
	Gone         // the server has closed its side
	Stalled      // the client does not take its answer
)

// Farewell is the time for a last packet to a client.
const Farewell = time.Second

// ErrDrained ends a session that tunic ends itself because it shuts down.
var ErrDrained = errors.New("tunic is shutting down")

// past is a deadline that is over.
var past = time.Unix(1, 0)

// Ending is what a session was told of its end, and how that reaches it where it waits for its client: by a
// deadline of the client's socket. Why and all methods that tell may be called from any goroutine, the others
// from that of the session.
type Ending struct {
	socket net.Conn // the client's, before TLS
	cutOff *atomic.Int64
	told   atomic.Uint32 // an End
	until  atomic.Int64  // the end of draining, in Unix nanoseconds
}

// Of has the ending be that of the session with a client. cutOff counts sessions whose time to drain was over.
func (e *Ending) Of(client net.Conn, cutOff *atomic.Int64) { e.socket, e.cutOff = client, cutOff }

// Why is the end that the session was told of.
func (e *Ending) Why() End { return End(e.told.Load()) }

// IsCut reports whether what fails now fails because the session's time to drain is over.
func (e *Ending) IsCut() bool { return e.Why() == Overdue }

// BeginDrain asks the session to end, but not later than the given time. One that waits for its client is to be
// woken besides.
func (e *Ending) BeginDrain(until time.Time) {
	e.until.Store(until.UnixNano())
	e.told.CompareAndSwap(uint32(NotYet), uint32(Draining))
}

// Wake ends the wait for the client.
func (e *Ending) Wake() { _ = e.socket.SetReadDeadline(past) }

// CutOff ends a session whose time to drain is over. It has a moment to tell its client.
func (e *Ending) CutOff() {
	e.isOverdue()
	e.Wake()
	_ = e.socket.SetWriteDeadline(time.Now().Add(Farewell))
}

// EndIdle ends a session that has sent nothing for too long.
func (e *Ending) EndIdle() {
	e.told.CompareAndSwap(uint32(NotYet), uint32(Idle))
	e.Wake()
}

// EndGone ends a session that waits for its client, and whose server has closed its
// side of the connection. The client is told what the server has said before that, if
// it said anything, and finds its connection closed, as by the server itself.
func (e *Ending) EndGone() {
	for _, before := range []End{NotYet, Draining} {
		e.told.CompareAndSwap(uint32(before), uint32(Gone))
	}
	e.Wake()
}

// EndStalled ends a session whose client does not take its answer.
func (e *Ending) EndStalled() {
	e.told.CompareAndSwap(uint32(NotYet), uint32(Stalled))
	_ = e.socket.SetDeadline(past)
}

// isOverdue notes that the session ends because its time to drain is over.
func (e *Ending) isOverdue() {
	if End(e.told.Swap(uint32(Overdue))) != Overdue {
		e.cutOff.Add(1)
	}
}

// Hears is after a command has come: the answer is kept back until it is known whether it is the
// last one.
func (e *Ending) Hears(t *Track) {
	if e.Why() == Draining {
		t.Comes()
		socket.Cork(e.socket, true)
	}
}

// Leaves decides for a session that drains and is between commands: whether it goes on, or how it
// ends. keeps says that something would be lost with it. If both are not set its client is to be told.
func (e *Ending) Leaves(t *Track, keeps bool) (goesOn bool, err error) {
	now, until := time.Now(), time.Unix(0, e.until.Load())
	switch {
	case !now.Before(until):
		e.isOverdue()
		return false, nil
	case keeps:
	case t.Ends():
		return false, ErrDrained
	default:
		quiet, enough := t.Silent(now)
		if enough {
			return false, nil
		}
		if quiet.Before(until) {
			until = quiet
		}
	}
	socket.Cork(e.socket, false)
	return true, e.ReadsUntil(until)
}

// ReadsUntil has the session wait for its client until a time. Where the session is told to end
// meanwhile, that ends the wait.
func (e *Ending) ReadsUntil(at time.Time) error {
	err := e.socket.SetReadDeadline(at)
	switch e.Why() {
	case NotYet, Draining:
		return err
	default:
		return e.socket.SetReadDeadline(past)
	}
}
