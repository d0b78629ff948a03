package session

import (
	"slices"
	"sync"
	"sync/atomic"

	"tunic/internal/backend"
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

// next is before a command of the client's.
func (s *killable) next() { s.command.Add(1) }

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
