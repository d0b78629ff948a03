package session

import (
	"slices"
	"sync"
	"sync/atomic"

	"tunic/internal/backend"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// A server forgets a KILL QUERY that comes between two statements of tunic's for one of the client's: it
// says that it is done, and nothing ends. So the session is told as well, by the one through which the
// KILL QUERY has come:
//
//	KILL QUERY 5 ──► which command is 5 at? ──► server: OK ──► tell that command ──► client: OK
//
// Who has got the OK may rely on it, and no command is told that has begun behind the KILL QUERY.

// kills are the sessions of this tunic by the lower half of the numbers of their connections, which is in
// the server's greeting. Behind a balancer several may have one.
type kills struct {
	mu       sync.Mutex
	sessions map[uint32][]*killable
}

// killable is what a session is told by.
type killable struct {
	command atomic.Uint64 // counts those of the client

	mu   sync.Mutex
	told []kill
}

// kill is a KILL QUERY that a server has carried out, for a command of a session.
type kill struct {
	of      backend.Process
	command uint64
}

func (k *kills) enter(connection uint32, s *killable) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sessions == nil {
		k.sessions = map[uint32][]*killable{}
	}
	k.sessions[connection] = append(k.sessions[connection], s)
}

func (k *kills) leave(connection uint32, s *killable) {
	k.mu.Lock()
	defer k.mu.Unlock()
	left := slices.DeleteFunc(k.sessions[connection], func(other *killable) bool { return other == s })
	if k.sessions[connection] = left; len(left) == 0 {
		delete(k.sessions, connection)
	}
}

// aim is a session that a KILL QUERY may be for, and the command that it was at before the server got
// that.
type aim struct {
	session *killable
	command uint64
}

func (k *kills) aim(connection uint64) (aims []aim) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range k.sessions[uint32(connection&(1<<32-1))] {
		aims = append(aims, aim{s, s.command.Load()})
	}
	return aims
}

// tell tells the session of a KILL QUERY. Whether it is the one, it knows itself.
func (a aim) tell(of backend.Process) {
	s := a.session
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.command.Load()
	s.told = slices.DeleteFunc(s.told, func(k kill) bool { return k.command != now })
	if k := (kill{of, a.command}); a.command == now && !slices.Contains(s.told, k) {
		s.told = append(s.told, k)
	}
}

// isTold reports whether the command under way, of a connection, is to end.
func (s *killable) isTold(of backend.Process) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.told, kill{of, s.command.Load()})
}

// killing is a KILL QUERY of the command under way.
type killing struct {
	of   backend.Process
	at   int // the number of its result; atEnd where that is not known
	aims []aim
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
	if aims := s.shared.Kills.aim(connection); len(aims) > 0 {
		s.killings = append(s.killings, killing{of, at, aims})
	}
}

// killsIn notes those of a text, whose plan is p.
func (s *Session) killsIn(p *plan.Plan, text []byte) {
	if !slices.ContainsFunc(p.Statements, isKill) {
		return
	}
	all, err := sql.Parse(text, s.state.modes)
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

// killsExecuted notes that of the execution of a prepared statement.
func (s *Session) killsExecuted(st *statement, m wire.Execute) {
	if m.Command != wire.ComStmtExecute || !slices.ContainsFunc(st.plan.Statements, isKill) || st.text == nil {
		return
	}
	connection, ok := s.killedBy(st.plan, st.text)
	if ok && connection == 0 && st.params != nil && !st.long {
		connection, ok = st.params.Number(m, s.caps, s.state.modes)
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
	all, err := sql.Parse(text, s.state.modes)
	if err != nil || len(all) != 1 {
		return 0, false
	}
	return all[0].KilledQuery()
}

// tellKilled is behind a part of the server's answer that the client has not got yet: it tells of what the
// server has carried out by then. TiDB may have only warned that it does nothing.
func (s *Session) tellKilled() {
	r := &s.response
	for len(s.killings) > 0 {
		k := &s.killings[0]
		if k.at == atEnd && (!r.Done() || r.Failed) || k.at >= r.Succeeded {
			return
		}
		if s.state.modes&sql.TiDB == 0 || r.Warnings == 0 {
			for _, a := range k.aims {
				a.tell(k.of)
			}
		}
		s.killings = s.killings[1:]
	}
}

// enterKills makes the session one that can be told of a KILL QUERY.
func (s *Session) enterKills() { s.shared.Kills.enter(s.server.Handshake.ConnectionID, &s.killable) }

func (s *Session) leaveKills() {
	s.shared.Kills.leave(s.server.Handshake.ConnectionID, &s.killable)
}

// wasKilled reports whether the session was told of a KILL QUERY for the command under way.
func (s *Session) wasKilled() bool { return s.killable.isTold(s.server.Process()) }
