package kill

import (
	"slices"
	"sync"
	"sync/atomic"

	"tunic/internal/backend"
)

// Registry are the sessions of this tunic by the lower half of the numbers of their connections, which is in
// the server's greeting. Behind a balancer several may have one.
type Registry struct {
	mu       sync.Mutex
	sessions map[uint32][]*Target
}

// Target is what a session is told by.
type Target struct {
	command atomic.Uint64 // counts those of the client

	mu   sync.Mutex
	told []kill
}

// Next is before a command of the client's.
func (s *Target) Next() { s.command.Add(1) }

// kill is a KILL QUERY that a server has carried out, for a command of a session.
type kill struct {
	of      backend.Process
	command uint64
}

// Enter makes a session one that can be told, by the number of its connection.
func (k *Registry) Enter(connection uint32, s *Target) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sessions == nil {
		k.sessions = map[uint32][]*Target{}
	}
	k.sessions[connection] = append(k.sessions[connection], s)
}

// Leave is the end of what Enter has begun.
func (k *Registry) Leave(connection uint32, s *Target) {
	k.mu.Lock()
	defer k.mu.Unlock()
	left := slices.DeleteFunc(k.sessions[connection], func(other *Target) bool { return other == s })
	if k.sessions[connection] = left; len(left) == 0 {
		delete(k.sessions, connection)
	}
}

// Aim is a session that a KILL QUERY may be for, and the command that it was at before the server got
// that.
type Aim struct {
	session *Target
	command uint64
}

// Aims are the sessions that a KILL QUERY of a connection may be for, before the server gets it.
func (k *Registry) Aims(connection uint64) (aims []Aim) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range k.sessions[uint32(connection&(1<<32-1))] {
		aims = append(aims, Aim{s, s.command.Load()})
	}
	return aims
}

// Tell tells the session of a KILL QUERY. Whether it is the one, it knows itself.
func (a Aim) Tell(of backend.Process) {
	s := a.session
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.command.Load()
	s.told = slices.DeleteFunc(s.told, func(k kill) bool { return k.command != now })
	if k := (kill{of, a.command}); a.command == now && !slices.Contains(s.told, k) {
		s.told = append(s.told, k)
	}
}

// IsTold reports whether the command under way, of a connection, is to end.
func (s *Target) IsTold(of backend.Process) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.told, kill{of, s.command.Load()})
}
