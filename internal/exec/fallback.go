package exec

import (
	"tunic/internal/description"
	"tunic/internal/wire"

	"tunic/internal/binding"
)

// fallBack carries out an execution by the alternative for NoToken: it is prepared for
// this once, and closed.
func (s *Session) fallBack(p *Prepared, d *description.Description, m wire.Execute) error {
	f, b := p.fallback, s.binder
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
	m.Statement = s.dialogue.Response.Prepared.ID
	defer s.dialogue.CloseStatement(m.Statement)
	a := asked{prepared: f, execute: m}
	return s.carry(f.st, d, &a)
}
