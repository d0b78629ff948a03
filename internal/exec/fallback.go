package exec

import "tunic/internal/wire"

// fallBack carries out an execution by the statement's fallback: it is prepared for
// this once, and closed.
func (s *Session) fallBack(p *Prepared, d *Description, m wire.Execute) error {
	f, b := p.fallback, s.binder
	b.notices.begin(s.env.NoticesMax)
	f.shareAll(&p.execution)
	s.executes(f)
	if f.st.from != nil { // nothing of it is prepared
		return s.carry(f.st, d, &asked{prepared: f, execute: m})
	}
	if !f.st.rewrites() && !f.st.local() {
		return errComparison
	}
	if err := s.prepareToExecute(f, f.command); err != nil {
		return err
	}
	m.Statement = s.link.Response.Prepared.ID
	defer s.closeStatement(m.Statement)
	a := asked{prepared: f, execute: m}
	return s.carry(f.st, d, &a)
}
