package exec

import (
	"encoding/binary"

	"tunic/internal/sql"
	"tunic/internal/wire"
)

// Outdated reports whether the table of a prepared statement has got another
// definition. It is then to be planned again, and renewed.
func (s *Session) Outdated(p *Prepared) bool { return s.outdated(p.st) }

// Text is what the client has prepared.
func (p *Prepared) Text() []byte { return p.text }

// Renew prepares a statement again, by another plan of its text, as servers do
// themselves when a table has changed: the client keeps its number, and the types and
// the parts of parameters that it has sent.
func (s *Session) Renew(p *Prepared, st *Statement, literals *sql.Literals) error {
	defer s.end()
	b := s.binder
	b.text, b.literals = p.text, literals
	st, _, err := s.begin(st)
	if err != nil {
		return err
	}
	fresh, command, err := s.readPrepared(st, p.text)
	if err != nil {
		return err
	}
	fresh.command = command
	if err := s.prepareFallback(fresh); err != nil {
		return err
	}
	fresh.renewed = s.link.Response.Prepared.ID
	fresh.bound, fresh.long, fresh.longBytes, fresh.longMost = p.bound, p.long, p.longBytes, p.longMost
	s.Forget(p)
	*p = *fresh
	return nil
}

// Forget closes what has taken the place of a prepared statement at the server.
func (s *Session) Forget(p *Prepared) {
	if p.renewed != 0 {
		s.closeStatement(p.renewed)
		p.renewed = 0
	}
}

// number is the server's number of a statement that the client knows by another.
func (p *Prepared) number(known uint32) uint32 {
	if p.renewed != 0 {
		return p.renewed
	}
	return known
}

// Command is a command about the statement alone, with the server's number in it.
func (p *Prepared) Command(payload []byte) wire.Bytes {
	if p.renewed == 0 {
		return payload
	}
	payload = append([]byte(nil), payload...)
	binary.LittleEndian.PutUint32(payload[1:], p.renewed)
	return payload
}
