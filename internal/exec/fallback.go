package exec

import (
	"tunic/internal/description"
	"tunic/internal/wire"

	"tunic/internal/binding"
)

// fallBack carries out an execution by an alternative: it is prepared for this once, and closed.
func (s *Session) fallBack(f, p *Prepared, d *description.Description, m wire.Execute) error {
	b := s.binder
	b.Notices.Begin(s.env.NoticesMax)
	f.ShareAll(&p.Execution)
	s.executes(f)
	if f.st.from != nil { // nothing of it is prepared
		return s.carry(f.st, d, &asked{prepared: f, execute: m})
	}
	if !f.st.rewrites() && !f.st.local() {
		return binding.ErrComparison
	}
	if err := s.prepareToExecute(f, f.command); err != nil {
		return err
	}
	of := m
	of.Statement = s.dialogue.Response.Prepared.ID
	defer s.dialogue.CloseStatement(of.Statement)
	a := asked{prepared: f, execute: of}
	err := s.carry(f.st, d, &a)
	if f.fallback != nil && f.st.alternative(facts{failed: err}) == f.fallback.st {
		return s.fallBack(f.fallback, p, d, m)
	}
	return err
}
