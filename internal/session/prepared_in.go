package session

import (
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/statements"
)

// Names of a prepared statement are of the schema that was the current one when it was prepared, and
// so is what DATABASE() says in it, whatever USE has made the current one since (sql_prepare.cc of MySQL
// and MariaDB). Where tunic plans such a statement again, it reads it in that schema, and in modes in
// which it means the same; what it sends of its own has all names with their schemas.

// preparesIn is that of a statement that is prepared now.
func (s *Session) preparesIn() statements.In {
	return statements.In{Schema: s.state.Schema(), Modes: s.state.Modes()}
}

// schema is the schema of names that are without one, in the statement under way.
func (s *Session) schema() string {
	if s.in != nil {
		return s.in.Schema
	}
	return s.state.Schema()
}

// executesIn has names be those of a statement that was prepared, until back is called.
func (s *Session) executesIn(in *statements.In) (back func()) {
	outer := s.in
	s.in = in
	return func() { s.in = outer }
}

// moved reports whether the current schema is another one than that of the statement under way: the
// server would read a text of the client's otherwise than it was prepared.
func (s *Session) moved() bool { return s.in != nil && s.in.Schema != s.state.Schema() }

// planPrepared plans the text of a prepared statement again. It is false if the modes of the session
// make another statement of it by now, or if the server would have to read it in another schema than the
// current one.
func (s *Session) planPrepared(text []byte) (p *plan.Plan, ok bool, err error) {
	if s.in != nil && !sql.ReadAlike(text, s.in.Modes, s.state.Modes()) {
		return nil, false, nil
	}
	p, err = s.plan(text)
	return p, err == nil && (!s.moved() || wayOf(p.Action).is(moves)), err
}
