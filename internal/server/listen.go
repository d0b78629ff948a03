package server

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"

	"tunic/internal/config"
	"tunic/internal/sqlerr"
)

// Listen opens the listening socket.
func (s *Server) Listen() error {
	network, address := config.Network(s.cfg.Listen)
	listener, err := net.Listen(network, address)
	if network == "unix" && errors.Is(err, syscall.EADDRINUSE) && abandoned(address) {
		if err = os.Remove(address); err == nil {
			listener, err = net.Listen(network, address)
		}
	}
	if err != nil {
		return sqlerr.StartListen("--listen", s.cfg.Listen, err)
	}
	s.listener = listener
	return nil
}

// abandoned reports whether a socket file is what a killed process has left
// behind: a socket at which nobody answers.
func abandoned(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Type() != os.ModeSocket {
		return false
	}
	conn, err := net.Dial("unix", path)
	if err == nil {
		_ = conn.Close()
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

// acceptPause is how long accept waits when the process is out of descriptors.
const acceptPause = 50 * time.Millisecond

func (s *Server) accept() error {
	for {
		conn, err := s.listener.Accept()
		if err == nil {
			s.open(conn)
			continue
		}
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if !temporary(err) {
			return fmt.Errorf("accept a client: %w", err)
		}
		s.log.Error("cannot accept a client", "error", err)
		time.Sleep(acceptPause)
	}
}

// temporary reports whether accepting may work again later.
func temporary(err error) bool {
	return errors.Is(err, os.ErrDeadlineExceeded) || isResourceError(err)
}

// isResourceError reports whether the process or the machine is out of what a
// connection needs, or the client was gone before it was accepted.
func isResourceError(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
