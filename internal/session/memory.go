package session

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"tunic/internal/exec"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

const (
	// largeBytes is from which size a statement counts for the budget of memory. Smaller
	// ones never wait: a thousand sessions with one each have less than a few large ones.
	largeBytes = 1 << 20
	// relayedForOne is exec.BytesForOne of what is passed on as it came: its packet, in a buffer that
	// may be half as large again.
	relayedForOne = 2
	// slowestBytes is how many bytes of a large statement are to come in a second, beside
	// [budget.Memory.Sending]: what others wait for is not to be held by who sends nothing.
	slowestBytes = 64 << 10
)

// errMemory ends a session that has sent too much ahead to be told so in another way.
var errMemory = errors.New("no memory for what was sent")

// reserve asks for the memory of a large packet before it is read, by the beginning of it.
// Where its size is not known yet it asks for the most, at once and not as it comes: of several
// that have a part each none could go on.
func (s *Session) reserve(head []byte, bytes int) error {
	if p := s.Mark().Phase(); p != PhaseIdle && p != PhaseTransaction {
		return nil // a part of a file, which is not kept
	}
	if wire.Command(head[0]) == wire.ComStmtLongData {
		if st, ok := s.prepared.Find(binary.LittleEndian.Uint32(head[1:])); ok && st.keeps() != nil {
			return s.reserveAhead(st, bytes)
		}
	}
	if s.ahead.covers(bytes) {
		s.expectBytes(bytes)
		return nil
	}
	if !s.take(s.most(bytes)) {
		return s.refuseMemory(head[0])
	}
	s.expectBytes(bytes)
	return nil
}

// most is how much memory a packet of so many bytes takes. One of as many as a packet may have
// has perhaps less.
func (s *Session) most(bytes int) int64 {
	need := int64(bytes) * exec.BytesForOne
	if bytes == int(s.current.Limits.PacketBytes) {
		need = min(need, s.shared.Memory.Bytes())
	}
	return need
}

// take takes so much memory, for which it waits.
func (s *Session) take(need int64) bool {
	m := s.shared.Memory
	ctx, cancel := context.WithTimeout(s.life, m.Patience)
	defer cancel()
	if !m.TryTake(need) {
		s.shared.Metrics.Memory.Waited.Inc()
		if !m.Take(ctx, need) {
			s.shared.Metrics.Memory.Refused.Inc()
			return false
		}
	}
	s.taken += need
	return true
}

// expectBytes gives the client time to send so many.
func (s *Session) expectBytes(bytes int) {
	_ = s.ending.ReadsUntil(time.Now().Add(s.shared.Memory.Sending + time.Duration(bytes/slowestBytes)*time.Second))
}

// refuseMemory refuses a packet by its first byte, before anything is done about it. To a part of a
// parameter there is no answer: the client reads the refusal as that to its next command.
func (s *Session) refuseMemory(first byte) error {
	e := sqlerr.MemoryTaken(s.shared.Memory.Bytes())
	if wire.Command(first) == wire.ComStmtLongData {
		s.client.SetSequence(1)
		return s.refuseAndEnd(e, errMemory)
	}
	return e
}

// correct corrects what was taken for a packet by how large it has come to be. What is more than
// all memory is refused, now that this is known.
func (s *Session) correct(payload []byte) error {
	_ = s.socket.SetReadDeadline(time.Time{})
	own := s.taken - s.ahead.taken
	if own == 0 {
		return nil // nothing was taken for it alone
	}
	need := int64(len(payload)) * exec.BytesForOne
	if need > own {
		s.shared.Metrics.Memory.Refused.Inc()
		return s.refuseMemory(payload[0])
	}
	s.giveBack(own - need)
	return nil
}

// relays gives back what the packet under way does not need while the server is at it, as it was
// passed on as it came. A command of tunic's own is not that packet.
func (s *Session) relays(bytes int) {
	if n := int64(bytes); s.taken-s.ahead.taken == n*exec.BytesForOne {
		s.giveBack(n * (exec.BytesForOne - relayedForOne))
		s.fingerprinter.Release()
	}
}

// giveMemory gives back what the statement before has taken, but for what was sent ahead of
// others.
func (s *Session) giveMemory() {
	if s.taken == 0 {
		return
	}
	s.client.Narrow()
	s.fingerprinter.Release()
	if s.ahead.bytes == 0 {
		s.ahead.taken = 0
	}
	s.giveBack(s.taken - s.ahead.taken)
	if s.taken > 0 {
		s.expectBytes(0)
	}
}

func (s *Session) giveBack(n int64) {
	s.shared.Memory.Give(n)
	s.taken -= n
}
