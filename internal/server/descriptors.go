package server

import "syscall"

// Descriptors that a process needs: a client's connection and the one to the
// server, and besides them the listeners, the service account's connections,
// the admin pages' clients and what the runtime keeps open.
const (
	descriptorsPerClient = 2
	descriptorsBesides   = 64
)

// descriptorsNeeded is how many files must be open at --max-connections.
func descriptorsNeeded(connections int) uint64 {
	return uint64(max(connections, 0))*descriptorsPerClient + descriptorsBesides
}

// checkDescriptors warns of a limit of the operating system that is reached
// before --max-connections is. Go has raised the soft limit to the hard one when
// the process began.
func (s *Server) checkDescriptors() {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return // a system without the limit
	}
	s.warnDescriptors(limit.Cur)
}

func (s *Server) warnDescriptors(limit uint64) {
	needed := descriptorsNeeded(s.live.Load().Limits.Connections)
	if limit >= needed {
		return
	}
	s.log.Warn("the limit on open files is too low for --max-connections",
		"limit", limit, "needed", needed, "fix", "raise ulimit -n (LimitNOFILE of systemd), or lower --max-connections")
}
