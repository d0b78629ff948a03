package session

import (
	"encoding/binary"
	"errors"
	"time"

	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// errMemory ends a session that has sent too much ahead to be told so in another way.
var errMemory = errors.New("no memory for what was sent")

// reserve asks for the memory of a large packet before it is read, by the beginning of it: see budget.Allotment.
func (s *Session) reserve(head []byte, bytes int) error {
	if p := s.Mark().Phase(); p != PhaseIdle && p != PhaseTransaction {
		return nil // a part of a file, which is not kept
	}
	if wire.Command(head[0]) == wire.ComStmtLongData {
		if st, ok := s.prepared.Find(binary.LittleEndian.Uint32(head[1:])); ok && st.keeps() != nil {
			return s.reserveAhead(st, bytes)
		}
	}
	if !s.memory.Reserve(s.life, bytes, s.packetBytes()) {
		return s.refuseMemory(head[0])
	}
	s.expectBytes(bytes)
	return nil
}

// packetBytes is how large a packet may be.
func (s *Session) packetBytes() int { return int(s.current.Limits.PacketBytes) }

// expectBytes gives the client time to send so many.
func (s *Session) expectBytes(bytes int) {
	_ = s.ending.ReadsUntil(time.Now().Add(s.memory.Sending(bytes)))
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
	if !s.memory.Correct(len(payload)) {
		return s.refuseMemory(payload[0])
	}
	return nil
}

// giveMemory gives back what the statement before has taken, but for what was sent ahead of
// others.
func (s *Session) giveMemory() {
	if !s.memory.Any() {
		return
	}
	s.client.Narrow()
	s.fingerprinter.Release()
	if s.memory.Settle(); s.memory.Any() {
		s.expectBytes(0)
	}
}
