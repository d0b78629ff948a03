package takeover

import (
	"errors"
	"fmt"
	"net"

	"github.com/coreos/go-systemd/v22/activation"
)

// Sockets are the listening sockets of a tunic; nil where there is none.
type Sockets struct {
	// Clients is where clients connect, Admin where the pages for operators are.
	Clients, Admin net.Listener
	// Asked is the takeover socket.
	Asked *net.UnixListener
}

// Close closes those that there are.
func (s *Sockets) Close() {
	for _, l := range []net.Listener{s.Clients, s.Admin} {
		if l != nil {
			_ = l.Close()
		}
	}
	if s.Asked != nil {
		_ = s.Asked.Close()
	}
}

// adminName is the FileDescriptorName= of the socket for operators.
const adminName = "admin"

// Systemd are the sockets that systemd has made for this process. There are none if it has not. The
// environment is read once: programs that tunic starts have no part in it.
func Systemd() (*Sockets, error) {
	named, err := activation.ListenersWithNames()
	if err != nil {
		return nil, err
	}
	return sorted(named)
}

// sorted says which socket is what.
func sorted(named map[string][]net.Listener) (*Sockets, error) {
	found := &Sockets{}
	problem := error(nil)
	for name, list := range named {
		for _, l := range list {
			into := &found.Clients
			if name == adminName {
				into = &found.Admin
			}
			if *into != nil {
				problem = fmt.Errorf("there is more than one socket for %s", map[bool]string{true: "operators", false: "clients"}[name == adminName])
				_ = l.Close()
				continue
			}
			*into = l
		}
	}
	if problem == nil && found.Admin != nil && found.Clients == nil {
		problem = errors.New("there is one for operators and none for clients")
	}
	if problem != nil {
		found.Close()
		return nil, problem
	}
	return found, nil
}
