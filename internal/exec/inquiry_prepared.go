package exec

import (
	"bytes"
	"slices"

	"tunic/internal/binding"
	"tunic/internal/dialogue"
	"tunic/internal/plan"
	"tunic/internal/show"
	"tunic/internal/wire"
)

// Asked is a prepared question about tables.
type Asked struct {
	Numbered
	inquiry   *plan.Inquiry
	answer    *show.Answer
	columns   []wire.ColumnDefinition
	described []wire.ColumnDefinition // as they are of the server's own tables; nil if that is not known
	params    int
	types     []byte // of the parameters, as an execution has said them last
	untyped   bool   // the server has not got them since it has prepared the question again
	ahead     bool   // parts of parameters were sent ahead, which only the server has
}

// PrepareAsked prepares a question at the server. It returns nil without an error if
// the server has refused, and the client knows. Otherwise the server's number of it
// is in Link.Response.
func (s *Session) PrepareAsked(q *plan.Inquiry, text []byte) (*Asked, error) {
	defer s.end()
	a, made, err := s.prepareAsked(q, bytes.Clone(text))
	switch {
	case err != nil:
		return nil, err
	case made.Refusal != nil:
		s.link.Client.WriteMessage(*made.Refusal)
		return nil, s.link.Waiter.Write()
	}
	a.name(a.columns)
	r := s.dialogue.Response
	s.link.Client.WriteMessage(wire.PrepareOK{
		ID: r.Prepared.ID, Params: r.Prepared.Params, Columns: r.Prepared.Columns, Warnings: r.Warnings,
	})
	s.passDefinitions(made.Params)
	s.passDefinitions(a.columns)
	return a, s.link.Waiter.Write()
}

// prepareAsked has the server prepare a question. What is made may be a refusal.
func (s *Session) prepareAsked(q *plan.Inquiry, text []byte) (*Asked, *dialogue.Preparation, error) {
	a, err := s.answerTo(q)
	if err != nil {
		return nil, nil, err
	}
	if refusal, err := s.describeAsked(a, text); err != nil || refusal != nil {
		return a, &dialogue.Preparation{Refusal: refusal}, err
	}
	made, err := s.dialogue.PrepareRemote(append([]byte{byte(wire.ComStmtPrepare)}, a.answer.Text(text)...))
	if err != nil {
		return nil, nil, err
	}
	a.describe(made.Columns, true)
	a.text, a.params, a.columns = text, len(made.Params), made.Columns
	return a, made, nil
}

// RenewAsked prepares a question again, by another plan of its text: what it is about
// has got another definition. The client keeps its number.
//
// Parts of parameters that were sent ahead are with the statement before, and not here:
// then it has to be prepared by the client.
func (s *Session) RenewAsked(a *Asked, q *plan.Inquiry) error {
	if a.ahead {
		a.ahead = false
		return plan.NeedsPreparing()
	}
	defer s.end()
	fresh, made, err := s.prepareAsked(q, a.text)
	switch {
	case err != nil:
		return err
	case made.Refusal != nil:
		return dialogue.ErrorOf(made.Refusal)
	}
	fresh.renewed, fresh.types, fresh.untyped = s.dialogue.Response.Prepared.ID, a.types, true
	if fresh.params != a.params {
		s.Forget(&fresh.Numbered)
		return plan.NeedsPreparing()
	}
	s.Forget(&a.Numbered)
	*a = *fresh
	return nil
}

// passDefinitions writes definitions as the server has them, and the EOF behind
// them.
func (s *Session) passDefinitions(all []wire.ColumnDefinition) {
	for i := range all {
		out := s.link.Client.OpenPacket()
		s.link.Client.ClosePacket(all[i].AppendColumn(out, s.link.Caps))
	}
	if len(all) > 0 && !s.link.Caps.Has(wire.ClientDeprecateEOF) {
		s.link.Client.WriteEOF(wire.EOF{Status: s.dialogue.Response.Status})
	}
}

// flagsCursor ask for a cursor (MySQL source documentation, "COM_STMT_EXECUTE").
const flagsCursor = 0x07

// Inquiry is what is asked.
func (a *Asked) Inquiry() *plan.Inquiry { return a.inquiry }

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
	s.words.Last = nil
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
	if err := s.dialogue.Request(command); err != nil {
		return err
	}
	answer := &asking{asked: a, changing: changing{binary: true, columns: a.columns}}
	err = s.passAsked(answer)
	a.columns = answer.columns
	return err
}

// withTypes is what follows the number of the statement in an execution, with the types
// of the parameters: a client that has said them before need not again, but the server
// has forgotten them if it has prepared the question again. Prepared.decode has the
// layout.
func (a *Asked) withTypes(rest []byte, caps wire.Capability) ([]byte, error) {
	if a.params == 0 {
		return rest, nil
	}
	named, body := caps.Has(wire.ClientQueryAttributes), rest[binding.ExecuteHead:]
	count := uint64(a.params)
	if named {
		var ok bool
		if count, body, ok = wire.TakeLenenc(body); !ok || count < uint64(a.params) || count > 1<<16-1 {
			return nil, binding.WrongArguments()
		}
	}
	nulls := (int(count) + 7) / 8
	if len(body) < nulls+1 {
		return nil, binding.WrongArguments()
	}
	body = body[nulls:]
	at := len(rest) - len(body) // of the byte that says whether there are types
	switch {
	case body[0] == 1:
		types, ok := takeTypes(body[1:], a.params, named)
		if !ok {
			return nil, binding.WrongArguments()
		}
		a.types, a.untyped = bytes.Clone(types), false
	case !a.untyped: // the server knows what it makes of that
	case a.types == nil || count > uint64(a.params):
		return nil, binding.WrongArguments()
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
