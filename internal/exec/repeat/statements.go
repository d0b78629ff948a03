package repeat

import (
	"encoding/binary"
	"slices"

	"tunic/internal/binding"
	"tunic/internal/exec/change"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// most is how many statements a session has here. The server has as many prepared of them at most, beside those of the
// client, and they count for its max_prepared_stmt_count.
const most = 32

// Statements are those that a session has sent. The zero value is none.
type Statements struct {
	Room *Room        // of all sessions; nil has no bound
	all  []*Statement // the one that was sent last is the last
}

// Statement is one of them: it writes a row back, or is a change that is done as a whole.
type Statement struct {
	printed *sql.Printed
	room    *Room
	params  []param           // of the first
	whole   binding.Execution // of the second
	id      uint32            // the server's number of it
	state   state
}

// state is what the server has of a statement.
type state uint8

const (
	sentOnce state = iota
	prepared
	asText // the server does not prepare it
)

// Sends is before a statement is sent that writes rows of w back: one that was sent before, nil for the first time and for
// one that is to be text.
func (s *Statements) Sends(w *change.Write, p *sql.Printed) *Statement {
	st := s.find(p)
	if st == nil && writesForms(w, p) {
		s.all = append(s.all, &Statement{printed: p, room: s.Room, params: paramsOf(w, p)})
	}
	return st.unlessText()
}

// SendsWhole is Sends for a change that is done as a whole, of one row if it inserts.
func (s *Statements) SendsWhole(of *binding.Statement) *Statement {
	p := of.Run.Remote
	st := s.find(p)
	if st == nil && hasForms(of) {
		s.all = append(s.all, &Statement{printed: p, room: s.Room, whole: binding.Execution{Inputs: inputsOf(of)}})
	}
	return st.unlessText()
}

// find is a statement that was sent before: it is the last one now.
func (s *Statements) find(p *sql.Printed) *Statement {
	at := slices.IndexFunc(s.all, func(st *Statement) bool { return st.printed == p })
	if at < 0 {
		return nil
	}
	st := s.all[at]
	if last := len(s.all) - 1; at < last {
		copy(s.all[at:], s.all[at+1:])
		s.all[last] = st
	}
	return st
}

// unlessText is nil for one that is to be text.
func (st *Statement) unlessText() *Statement {
	if st == nil || st.state == asText || st.state == sentOnce && st.room.isFull() {
		return nil
	}
	return st
}

// Surplus takes out a statement that there is no room for, and returns its number if the server has it prepared.
func (s *Statements) Surplus() (id uint32, ok bool) {
	for len(s.all) > most {
		st := s.all[0]
		if s.all = slices.Delete(s.all, 0, 1); st.state == prepared {
			st.Lose()
			return st.id, true
		}
	}
	return 0, false
}

// Close takes out a statement that the server has prepared, and returns its number; false if there is none any more.
func (s *Statements) Close() (id uint32, ok bool) {
	at := slices.IndexFunc(s.all, func(st *Statement) bool { return st.state == prepared })
	if at < 0 {
		return 0, false
	}
	id = s.all[at].id
	s.all[at].Lose()
	s.all = slices.Delete(s.all, at, at+1)
	return id, true
}

// Clear forgets them all: the server has.
func (s *Statements) Clear() {
	for _, st := range s.all {
		st.Lose()
	}
	s.all = nil
}

// Prepared reports whether the server has it prepared.
func (st *Statement) Prepared() bool { return st.state == prepared }

// Has says that the server has prepared it, under a number.
func (st *Statement) Has(id uint32) {
	st.id, st.state = id, prepared
	st.room.take(1)
}

// Lose says that the server does not have it, and is not to be asked again.
func (st *Statement) Lose() {
	if st.state == prepared {
		st.room.take(-1)
	}
	st.state = asText
}

// Params is how many parameters it has.
func (st *Statement) Params() int { return len(st.params) + len(st.whole.Inputs) }

// Of reports whether it is what a text is sent for.
func (st *Statement) Of(p *sql.Printed) bool { return st.printed == p }

// AppendPrepare appends the command that prepares it.
func (st *Statement) AppendPrepare(dst []byte) ([]byte, error) {
	one := func(int) int { return 1 }
	return st.printed.Fill(append(dst, byte(wire.ComStmtPrepare)), one, func(dst []byte, _ sql.Hole, _ int) ([]byte, error) {
		return append(dst, '?'), nil
	})
}

// Value is what a slot is filled with, nil for NULL: a form as it is stored, or the canonical value of an integer.
type Value func(slot int) ([]byte, error)

// AppendExecute appends the command that executes it. named says that parameters have names.
func (st *Statement) AppendExecute(out []byte, named bool, value Value) (_ []byte, err error) {
	out, nulls := binding.AppendExecuteHead(out, st.id, 0, once, len(st.params), named)
	for i := range st.params {
		if out = st.params[i].Append(out); named {
			out = append(out, 0) // no name
		}
	}
	for i := range st.params {
		p := &st.params[i]
		v, err := value(p.slot)
		switch {
		case err != nil:
			return out, err
		case v == nil:
			out[nulls+i/8] |= 1 << (i % 8)
		case p.Kind == wire.TypeLongLong:
			out = binary.LittleEndian.AppendUint64(out, binary.BigEndian.Uint64(v))
		default:
			out = wire.AppendLenencBytes(out, v)
		}
	}
	return out, nil
}

// AppendWhole is AppendExecute for a change that is done as a whole, with the values of a text.
func (st *Statement) AppendWhole(out []byte, b *binding.Binder, caps wire.Capability) ([]byte, error) {
	return b.AppendExecute(out, &st.whole, wire.Execute{Command: wire.ComStmtExecute, Statement: st.id, Rest: noCursorOnce}, caps)
}

// once is how often a statement is executed, as the command has it, and noCursorOnce what stands before it as well.
var (
	noCursorOnce = []byte{0, 1, 0, 0, 0}
	once         = noCursorOnce[1:]
)
