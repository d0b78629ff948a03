package session

import "sync/atomic"

// Phase is what a session is doing.
type Phase uint8

// Phases of a session.
const (
	PhaseLogin       Phase = iota // until the server has let the client in
	PhaseIdle                     // waiting for the client's next command
	PhaseTransaction              // the same, inside a transaction
	PhaseBusy                     // a command is under way
	PhaseWriting                  // the same, and the client is to take a part of its answer
	PhaseFile                     // the same, and the client is to send the next part of a local file
)

const phaseBits = 3

// Mark is a session's phase with a count that changes whenever the phase does,
// so that a watcher that sees the same mark twice knows that nothing happened
// in between.
type Mark uint64

// Phase is the phase of the mark.
func (m Mark) Phase() Phase { return Phase(m & (1<<phaseBits - 1)) }

// marker publishes the marks of one session: one atomic store a change.
type marker struct {
	count   uint64
	current atomic.Uint64
}

func (m *marker) set(p Phase) {
	m.count++
	m.current.Store(m.count<<phaseBits | uint64(p))
}

func (m *marker) load() Mark { return Mark(m.current.Load()) }
