package exec

import (
	"bytes"
	"encoding/binary"
	"slices"

	"tunic/internal/plan"
	"tunic/internal/show"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Asked is a prepared question about tables. Its number is the server's.
type Asked struct {
	inquiry *plan.Inquiry
	answer  *show.Answer
	columns []wire.ColumnDefinition
	params  int
	text    []byte
	// renewed is the server's number of what has taken the place of the statement that
	// the client has prepared; 0 if that is still good.
	renewed uint32
	types   []byte // of the parameters, as an execution has said them last
	untyped bool   // the server has not got them since it has prepared the question again
	ahead   bool   // parts of parameters were sent ahead, which only the server has
}

// PrepareAsked prepares a question at the server. It returns nil without an error if
// the server has refused, and the client knows. Otherwise the server's number of it
// is in Link.Response.
func (s *Session) PrepareAsked(q *plan.Inquiry, text []byte) (*Asked, error) {
	defer s.end()
	a, params, failure, err := s.prepareAsked(q, text)
	r := s.link.Response
	switch {
	case err != nil:
		return nil, err
	case failure != nil:
		s.link.Client.WriteMessage(failure)
		return nil, s.link.Write()
	case !r.Described:
		return nil, &BrokenError{wire.ErrMalformed}
	}
	p := r.Prepared
	for i, name := range a.answer.Names(len(a.columns)) {
		a.rename(i, name)
	}
	s.link.Client.WriteMessage(wire.PrepareOK{ID: p.ID, Params: p.Params, Columns: p.Columns, Warnings: r.Warnings})
	s.passDefinitions(params)
	s.passDefinitions(a.columns)
	return a, s.link.Write()
}

// RenewAsked prepares a question again, by another plan of its text: what it is about
// has got another definition. The client keeps its number.
//
// Parts of parameters that were sent ahead are with the statement before, and not here:
// then it has to be prepared by the client.
func (s *Session) RenewAsked(a *Asked, q *plan.Inquiry) error {
	if a.ahead {
		a.ahead = false
		return NeedsPreparing()
	}
	defer s.end()
	fresh, _, failure, err := s.prepareAsked(q, a.text)
	switch {
	case err != nil:
		return err
	case failure != nil:
		return &sqlerr.Error{Number: failure.Number, State: failure.State, Message: string(failure.Message)}
	case !s.link.Response.Described || fresh.params != a.params:
		return NeedsPreparing()
	}
	fresh.renewed, fresh.types, fresh.untyped = s.link.Response.Prepared.ID, a.types, true
	s.ForgetAsked(a)
	*a = *fresh
	return nil
}

// ForgetAsked closes what has taken the place of a prepared question at the server.
func (s *Session) ForgetAsked(a *Asked) {
	if a.renewed != 0 {
		s.closeStatement(a.renewed)
		a.renewed = 0
	}
}

// prepareAsked has the server prepare a question, and reads its answer: an error, or
// a description.
func (s *Session) prepareAsked(q *plan.Inquiry, text []byte) (a *Asked, params []wire.ColumnDefinition, failure *wire.Err, err error) {
	if a, err = s.answerTo(q); err != nil {
		return nil, nil, nil, err
	}
	a.text = bytes.Clone(text)
	if err := s.request(append([]byte{byte(wire.ComStmtPrepare)}, a.answer.Text(text)...)); err != nil {
		return nil, nil, nil, err
	}
	r := s.link.Response
	for !r.Done() {
		inColumns, described := r.InColumns(), r.Described
		left := len(params) < int(r.Prepared.Params)
		payload, err := s.next()
		switch {
		case err != nil:
			return nil, nil, nil, err
		case r.Failed:
			m, err := wire.DecodeErr(bytes.Clone(payload))
			if err != nil {
				return nil, nil, nil, &BrokenError{err}
			}
			failure = &m
		case described && r.Ended() == wire.EndedNothing && (left || inColumns):
			c, err := wire.DecodeColumn(bytes.Clone(payload), s.link.Server.Capabilities)
			if err != nil {
				return nil, nil, nil, &BrokenError{err}
			}
			if left {
				params = append(params, c)
			} else {
				a.columns = append(a.columns, c)
			}
		}
	}
	a.params = len(params)
	return a, params, failure, nil
}

// passDefinitions writes definitions as the server has them, and the EOF behind
// them.
func (s *Session) passDefinitions(all []wire.ColumnDefinition) {
	for i := range all {
		out := s.link.Client.OpenPacket()
		s.link.Client.ClosePacket(all[i].AppendColumn(out, s.link.Caps))
	}
	if len(all) > 0 && !s.link.Caps.Has(wire.ClientDeprecateEOF) {
		s.link.Client.WriteMessage(wire.EOF{Status: s.link.Response.Status})
	}
}

// flagsCursor ask for a cursor (MySQL source documentation, "COM_STMT_EXECUTE").
const flagsCursor = 0x07

// Inquiry is what is asked.
func (a *Asked) Inquiry() *plan.Inquiry { return a.inquiry }

// Text is what the client has prepared.
func (a *Asked) Text() []byte { return a.text }

// Command is a command about the question, with the server's number in it.
func (a *Asked) Command(payload []byte) []byte {
	payload = bytes.Clone(payload)
	if a.renewed != 0 {
		binary.LittleEndian.PutUint32(payload[1:], a.renewed)
	}
	return payload
}

// LongData is the command that sends a part of a parameter ahead, with the server's
// number in it.
func (a *Asked) LongData(payload []byte) []byte {
	a.ahead = true
	return a.Command(payload)
}

// Reset forgets what was sent ahead, as COM_STMT_RESET does.
func (a *Asked) Reset() { a.ahead = false }

// ExecuteAsked carries out an execution of a prepared question: m is a
// COM_STMT_EXECUTE that is not cut short. A cursor is not opened: the rows come at
// once, which clients have to expect.
func (s *Session) ExecuteAsked(a *Asked, m wire.Execute) error {
	defer s.end()
	defer a.Reset()
	s.last = nil
	if err := s.resume(); err != nil {
		return err
	}
	rest, err := a.withTypes(m.Rest, s.link.Caps)
	if err != nil {
		return err
	}
	m.Statement, m.Rest = a.number(m.Statement), rest
	command := m.AppendTo(nil)
	command[len(command)-len(rest)] &^= flagsCursor
	if err := s.request(command); err != nil {
		return err
	}
	return s.passAnswer(&asking{Asked: a, binary: true})
}

// number is the server's number of a question that the client knows by another.
func (a *Asked) number(known uint32) uint32 {
	if a.renewed != 0 {
		return a.renewed
	}
	return known
}

// withTypes is what follows the number of the statement in an execution, with the types
// of the parameters: a client that has said them before need not again, but the server
// has forgotten them if it has prepared the question again. Prepared.decode has the
// layout.
func (a *Asked) withTypes(rest []byte, caps wire.Capability) ([]byte, error) {
	if a.params == 0 {
		return rest, nil
	}
	named, body := caps.Has(wire.ClientQueryAttributes), rest[executeHead:]
	count := uint64(a.params)
	if named {
		var ok bool
		if count, body, ok = wire.TakeLenenc(body); !ok || count < uint64(a.params) || count > 1<<16-1 {
			return nil, wrongArguments()
		}
	}
	nulls := (int(count) + 7) / 8
	if len(body) < nulls+1 {
		return nil, wrongArguments()
	}
	body = body[nulls:]
	at := len(rest) - len(body) // of the byte that says whether there are types
	switch {
	case body[0] == 1:
		types, ok := takeTypes(body[1:], a.params, named)
		if !ok {
			return nil, wrongArguments()
		}
		a.types, a.untyped = bytes.Clone(types), false
	case !a.untyped: // the server knows what it makes of that
	case a.types == nil || count > uint64(a.params):
		return nil, wrongArguments()
	default:
		rest = slices.Insert(bytes.Clone(rest), at+1, a.types...)
		rest[at], a.untyped = 1, false
	}
	return rest, nil
}

// takeTypes takes the types of parameters, which have names beside query attributes.
func takeTypes(b []byte, params int, named bool) (types []byte, ok bool) {
	rest := b
	for range params {
		if len(rest) < 2 {
			return nil, false
		}
		if rest = rest[2:]; !named {
			continue
		}
		if _, rest, ok = wire.TakeLenencBytes(rest); !ok {
			return nil, false
		}
	}
	return b[:len(b)-len(rest)], true
}
