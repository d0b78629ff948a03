package exec

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/wire"
)

// outdated reports whether a table of a statement has got another definition.
func (s *Session) outdated(st *Statement) bool {
	now := s.link.Owner.Catalog()
	return now != nil && slices.ContainsFunc(st.Run.Tables, func(t *catalog.Table) bool {
		return !t.Plain() && !now.Knows(t)
	})
}

// Execute carries out an execution of a prepared statement: m is a COM_STMT_EXECUTE
// that is not cut short.
//
// After an error of which translation.MayBeStale is true, the parts of parameters that were sent ahead
// are still there: it may be executed again.
func (s *Session) Execute(p *Prepared, m wire.Execute) (err error) {
	defer s.end()
	defer func() {
		if !translation.MayBeStale(err) {
			p.ForgetExecuted()
		}
	}()
	if s.outdated(p.st) { // since it was looked at: it is prepared again behind the scenes
		return translation.Moved()
	}
	if err := p.Decode(m.Rest, s.link.Caps, s.link.Modes); err != nil {
		return err
	}
	if err := s.attributes(p); err != nil {
		return err
	}
	s.words.Last = &p.st.Statement
	p.st.page.Used()
	s.executes(p)
	if err := s.resume(); err != nil {
		return err
	}
	if p.ReadOtherwise(s.env.Reading) {
		return plan.NeedsPreparing()
	}
	switch st, err := s.readVariables(p.st); {
	case err != nil:
		return err
	case st != p.st:
		return sqlerr.VariableSecret() // when it was prepared, it had no such value
	}
	d, err := s.describe(p.st)
	if err != nil {
		return err
	}
	if p.once != nil && s.namesOnce() {
		return s.fallBack(p.once, p, d, m)
	}
	m.Statement = p.number(m.Statement)
	a := asked{prepared: p, execute: m}
	err = s.recalling(p.st, d, &a)
	for _, f := range [...]*Prepared{p.fallback, p.once} {
		if f != nil && p.st.alternative(facts{failed: err}) == f.st {
			return s.fallBack(f, p, d, m)
		}
	}
	return err
}

// Fetch carries out a COM_STMT_FETCH: payload is the command.
func (s *Session) Fetch(p *Prepared, payload []byte) error {
	defer s.end()
	if err := s.resume(); err != nil {
		return err
	}
	if err := s.rows.Begin(&p.st.Statement, &s.env); err != nil {
		return err
	}
	s.binder.ForgetSought() // its values may be those of another cursor of the statement
	if err := s.dialogue.Request(p.Command(payload)); err != nil {
		return err
	}
	s.rows.Types = append(s.rows.Types[:0], p.types...)
	return s.answer(p.st, nil, true)
}

// sendExecute sends the execution of the stored statement.
func (s *Session) sendExecute(p *Prepared, m wire.Execute) error {
	if err := s.dialogue.Told(); err != nil {
		return err
	}
	server := s.link.Server
	server.SetSequence(0)
	out := server.OpenPacket()
	out, err := s.binder.AppendExecute(out, &p.Execution, m, server.Capabilities)
	return s.dialogue.SendPacket(out, s.env.PacketBytes, err)
}

// attributes takes over the query attributes of an execution for the texts that it comes to, which only one that writes does.
func (s *Session) attributes(p *Prepared) (err error) {
	if p.st.Run.Kind == sql.Insert || p.st.Run.Writes() {
		s.dialogue.Attributes, err = p.AppendAttributes(nil)
	}
	return err
}
