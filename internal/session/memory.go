package session

import (
	"context"
	"errors"
	"time"

	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

const (
	// largeBytes is from which size a statement counts for the budget of memory. Smaller
	// ones never wait: a thousand sessions with one each have less than a few large ones.
	largeBytes = 1 << 20
	// bytesForOne is how much memory a byte of a statement takes at its peak, where it is
	// about a protected table: as it came, joined from its frames, as literals, sealed,
	// and as it is sent. Without a bound, 20 sessions of 60 MiB each took seven times that,
	// with the room of the garbage collector, which the limit of the runtime bounds.
	bytesForOne = 8
	// sendPatience is how long a client may take to send a large statement,
	// and slowestBytes how many of it are to come in a second beside that: what others
	// wait for is not to be held by who sends nothing.
	sendPatience = 30 * time.Second
	slowestBytes = 64 << 10
)

// errMemory ends a session that has sent too much ahead to be told so in another way.
var errMemory = errors.New("no memory for what was sent")

// reserve asks for the memory of a large statement before it is read. Where its size is not
// known yet it asks for the most, at once and not as it comes: of several that have a
// part each none could go on.
func (s *Session) reserve(first byte, bytes int) error {
	if p := s.Mark().Phase(); p != PhaseIdle && p != PhaseTransaction {
		return nil // a part of a file, which is not kept
	}
	m := s.shared.Memory
	need := int64(bytes) * bytesForOne
	if bytes == int(s.shared.Limits.PacketBytes) { // or less
		need = min(need, m.Bytes())
	}
	ctx, cancel := context.WithTimeout(s.life, m.Patience)
	defer cancel()
	if !m.TryTake(need) {
		s.shared.Metrics.Memory.Waited.Inc()
		if !m.Take(ctx, need) {
			return s.refuseMemory(first)
		}
	}
	s.taken += need
	_ = s.socket.SetReadDeadline(time.Now().Add(sendPatience + time.Duration(bytes/slowestBytes)*time.Second))
	return nil
}

// refuseMemory refuses a statement that is not read. To a part of a parameter there is no
// answer.
func (s *Session) refuseMemory(first byte) error {
	s.shared.Metrics.Memory.Refused.Inc()
	e := sqlerr.MemoryTaken(s.shared.Memory.Bytes())
	if wire.Command(first) == wire.ComStmtLongData {
		return s.refuseAndEnd(e, errMemory)
	}
	return e
}

// correct corrects what was taken for a statement by how large it has come to be. What
// is more than all memory is refused, now that this is known.
func (s *Session) correct(bytes int) error {
	_ = s.socket.SetReadDeadline(time.Time{})
	need := int64(bytes) * bytesForOne
	if need > s.taken {
		s.shared.Metrics.Memory.Refused.Inc()
		return sqlerr.MemoryTaken(s.shared.Memory.Bytes())
	}
	s.shared.Memory.Give(s.taken - need)
	s.taken = need
	return nil
}

// giveMemory gives back what the statement before has taken.
func (s *Session) giveMemory() {
	if s.taken > 0 {
		s.client.Narrow()
		s.shared.Memory.Give(s.taken)
		s.taken = 0
	}
}
