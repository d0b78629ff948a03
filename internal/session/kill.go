package session

import (
	"slices"
	"sync"
	"sync/atomic"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// kills are the sessions of this tunic by the numbers of their connections, for KILL QUERY. A server
// forgets one that comes between two statements of tunic's for one of the client's: it says that it
// is done, and nothing ends. So the session is told as well.
type kills struct {
	mu       sync.Mutex
	sessions map[uint32]*atomic.Bool
}

func (k *kills) enter(connection uint32, killed *atomic.Bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sessions == nil {
		k.sessions = map[uint32]*atomic.Bool{}
	}
	k.sessions[connection] = killed
}

// leave forgets a session, unless another one has its number by now.
func (k *kills) leave(connection uint32, killed *atomic.Bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sessions[connection] == killed {
		delete(k.sessions, connection)
	}
}

func (k *kills) tell(connection uint32) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if killed := k.sessions[connection]; killed != nil {
		killed.Store(true)
	}
}

// tellKilled is after a command that the server has carried out, which may be a KILL QUERY.
func (s *Session) tellKilled(p *plan.Plan, command wire.Command, payload []byte) {
	isKill := func(st plan.Statement) bool { return st.Kind == sql.Kill }
	if s.response.Failed || command != wire.ComQuery || !slices.ContainsFunc(p.Statements, isKill) {
		return
	}
	q, err := wire.DecodeQuery(payload, s.server.Capabilities)
	if err != nil {
		return
	}
	all, _ := sql.Parse(q.Text, s.state.modes)
	for i := range all {
		if connection, ok := all[i].KilledQuery(); ok {
			s.shared.Kills.tell(uint32(connection & (1<<32 - 1)))
		}
	}
}

// enterKills makes the session one that can be told of a KILL QUERY.
func (s *Session) enterKills() { s.shared.Kills.enter(s.server.Handshake.ConnectionID, &s.killed) }

func (s *Session) leaveKills() {
	s.shared.Kills.leave(s.server.Handshake.ConnectionID, &s.killed)
}

// wasKilled reports whether the session was told of a KILL QUERY, and forgets it.
func (s *Session) wasKilled() bool { return s.killed.Swap(false) }
