package session

import (
	"tunic/internal/kill"
	"tunic/internal/plan"
	"tunic/internal/wire"
)

// kills notes a KILL QUERY before the server gets it.
func (s *Session) kills(connection uint64) {
	s.killings.Note(&s.shared.Kills, s.server.Process(), connection, 0)
}

// killsIn notes those of a text, whose plan is p.
func (s *Session) killsIn(p *plan.Plan, text []byte) {
	s.killings.NoteText(&s.shared.Kills, s.server.Process(), p, text, s.state.Modes())
}

// killsPassed notes those of a COM_QUERY.
func (s *Session) killsPassed(p *plan.Plan, payload []byte) {
	if !kill.Has(p) {
		return
	}
	if q, err := wire.DecodeQuery(payload, s.server.Capabilities); err == nil {
		s.killsIn(p, q.Text)
	}
}

// kills notes that of the execution of a prepared statement.
func (f *forwarded) kills(s *Session, st *statement, m wire.Execute) {
	if m.Command != wire.ComStmtExecute || !kill.Has(st.plan) || f.text == nil {
		return
	}
	connection, ok := kill.Killed(st.plan, f.text, s.state.Modes())
	if ok && connection == 0 && f.params != nil && !f.long {
		connection, ok = f.params.Number(m, s.caps, s.state.Modes())
	}
	if ok {
		s.kills(connection)
	}
}
