package session

import (
	"slices"

	"tunic/internal/backend"
	"tunic/internal/kill"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// killing is a KILL QUERY of the command under way.
type killing struct {
	of   backend.Process
	at   int // the number of its result; atEnd where that is not known
	aims []kill.Aim
}

// atEnd is a result that has come when all have.
const atEnd = -1

func isKill(st plan.Statement) bool { return st.Kind == sql.Kill }

// kills notes a KILL QUERY before the server gets it. Of a server that has not told which it is nobody is told.
func (s *Session) kills(connection uint64, at int) {
	of := s.server.Process()
	if of.Server == "" || connection == 0 {
		return
	}
	of.Connection = connection
	if aims := s.shared.Kills.Aims(connection); len(aims) > 0 {
		s.killings = append(s.killings, killing{of, at, aims})
	}
}

// killsIn notes those of a text, whose plan is p.
func (s *Session) killsIn(p *plan.Plan, text []byte) {
	if !slices.ContainsFunc(p.Statements, isKill) {
		return
	}
	all, err := sql.Parse(text, s.state.Modes())
	if err != nil || len(all) != len(p.Statements) {
		return
	}
	for at, several := 0, false; at < len(all); at++ {
		if connection, ok := all[at].KilledQuery(); ok && several {
			s.kills(connection, atEnd)
		} else if ok {
			s.kills(connection, at)
		}
		several = several || p.Statements[at].Effects.Stale // it may have several results
	}
}

// killsPassed notes those of a COM_QUERY.
func (s *Session) killsPassed(p *plan.Plan, payload []byte) {
	if !slices.ContainsFunc(p.Statements, isKill) {
		return
	}
	if q, err := wire.DecodeQuery(payload, s.server.Capabilities); err == nil {
		s.killsIn(p, q.Text)
	}
}

// kills notes that of the execution of a prepared statement.
func (f *forwarded) kills(s *Session, st *statement, m wire.Execute) {
	if m.Command != wire.ComStmtExecute || !slices.ContainsFunc(st.plan.Statements, isKill) || f.text == nil {
		return
	}
	connection, ok := s.killedBy(st.plan, f.text)
	if ok && connection == 0 && f.params != nil && !f.long {
		connection, ok = f.params.Number(m, s.caps, s.state.Modes())
	}
	if ok {
		s.kills(connection, 0)
	}
}

// killedBy is the connection of the KILL QUERY that a text is; 0 if that is a parameter.
func (s *Session) killedBy(p *plan.Plan, text []byte) (connection uint64, ok bool) {
	if len(p.Statements) != 1 || !isKill(p.Statements[0]) {
		return 0, false
	}
	all, err := sql.Parse(text, s.state.Modes())
	if err != nil || len(all) != 1 {
		return 0, false
	}
	return all[0].KilledQuery()
}

// tellKilled is behind a part of the server's answer that the client has not got yet: it tells of what the
// server has executed by then. TiDB may have only warned that it does nothing.
func (s *Session) tellKilled() {
	r := &s.response
	for len(s.killings) > 0 {
		k := &s.killings[0]
		if k.at == atEnd && (!r.Done() || r.Failed) || k.at >= r.Succeeded {
			return
		}
		if s.state.Modes()&sql.TiDB == 0 || r.Warnings == 0 {
			for _, a := range k.aims {
				a.Tell(k.of)
			}
		}
		s.killings = s.killings[1:]
	}
}

// enterKills makes the session one that can be told of a KILL QUERY.
func (s *Session) enterKills() { s.shared.Kills.Enter(s.server.Handshake.ConnectionID, &s.killable) }

func (s *Session) leaveKills() {
	s.shared.Kills.Leave(s.server.Handshake.ConnectionID, &s.killable)
}

// wasKilled reports whether the session was told of a KILL QUERY for the command under way.
func (s *Session) wasKilled() bool { return s.killable.IsTold(s.server.Process()) }
