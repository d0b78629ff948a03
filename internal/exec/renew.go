package exec

import (
	"bytes"
	"encoding/binary"

	"tunic/internal/environment"
	"tunic/internal/plan"
	"tunic/internal/sql"
)

// Numbered is a statement that a client has prepared. The client knows it by the
// number that the server has given it first.
type Numbered struct {
	text []byte // as the client has written it
	// renewed is the server's number of what has taken its place there; 0 for nothing.
	renewed uint32
}

// Text is what the client has prepared.
func (n *Numbered) Text() []byte { return n.text }

// number is the server's number of a statement that the client knows by another.
func (n *Numbered) number(known uint32) uint32 {
	if n.renewed != 0 {
		return n.renewed
	}
	return known
}

// Command is a command about the statement alone, with the server's number in it.
func (n *Numbered) Command(payload []byte) []byte {
	if n.renewed == 0 {
		return payload
	}
	payload = bytes.Clone(payload)
	binary.LittleEndian.PutUint32(payload[1:], n.renewed)
	return payload
}

// Forget closes what has taken the place of a prepared statement at the server.
func (s *Session) Forget(n *Numbered) {
	if n.renewed != 0 {
		s.dialogue.CloseStatement(n.renewed)
		n.renewed = 0
	}
}

// Outdated reports whether the table of a prepared statement has got another
// definition. It is then to be planned again, and renewed.
func (s *Session) Outdated(p *Prepared) bool { return s.outdated(p.st) }

// Renew prepares a statement again, by another plan of its text, as servers do
// themselves when a table has changed: the client keeps its number, and the types and
// the parts of parameters that it has sent.
func (s *Session) Renew(p *Prepared, st *Statement, literals *sql.Literals) error {
	defer s.end()
	b := s.binder
	b.Text, b.Literals = p.text, literals
	st, _, err := s.begin(st)
	if err != nil {
		return err
	}
	if p.Reading != (environment.Reading{}) && p.ReadOtherwise(s.env.Reading) { // else the server has read it
		return plan.NeedsPreparing()
	}
	fresh, command, err := s.readPrepared(st, p.text)
	if err != nil {
		return err
	}
	if err := s.prepareToExecute(fresh, command); err != nil {
		return err
	}
	s.replace(p, fresh)
	return nil
}

// replace puts what the server has just prepared in the place of a statement.
func (s *Session) replace(p, fresh *Prepared) {
	fresh.renewed = s.dialogue.Response.Prepared.ID
	fresh.described = p.described
	fresh.Inherit(&p.Execution)
	s.Forget(&p.Numbered)
	*p = *fresh // the session knows it by this
}
