package server

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"tunic/internal/config"
	"tunic/internal/sqlerr"
)

// ListenAt takes a listening socket that is there, in place of Listen.
func (s *Server) ListenAt(l net.Listener) {
	s.listener = l
	s.listens()
}

// Listen opens the listening socket.
func (s *Server) Listen() error {
	network, address := config.Listening(s.cfg.Listen)
	listen := net.Listen
	if network == "unix" {
		listen = listenUnix
	}
	listener, err := listen(network, address)
	if err != nil {
		return sqlerr.StartListen("--listen", s.cfg.Listen, err)
	}
	s.ListenAt(listener)
	return nil
}

// Listener is what Listen has opened, or ListenAt has got.
func (s *Server) Listener() net.Listener { return s.listener }

// listens says what an operator is to know of a tunic that listens.
func (s *Server) listens() {
	if s.protection != nil {
		s.warnUnpinned(s.protection.ledger.Tree().Project())
		s.warnWaiting()
	}
}

// socketMode lets every user of the machine connect, as MySQL and MariaDB do with
// their sockets: the accounts say who gets in. A folder can keep users out.
const socketMode = 0o777

// listenUnix listens at a path, and takes over what a killed process has left
// there, and nothing else.
func listenUnix(network, path string) (net.Listener, error) {
	listener, err := net.Listen(network, path)
	if errors.Is(err, syscall.EADDRINUSE) {
		switch {
		case !isSocket(path):
			return nil, errOtherFile
		case !abandoned(path):
			return nil, err
		}
		if err = os.Remove(path); err == nil {
			listener, err = net.Listen(network, path)
		}
	}
	if err != nil || strings.HasPrefix(path, "@") { // an abstract socket has no mode
		return listener, err
	}
	if err := os.Chmod(path, socketMode); err != nil {
		_ = listener.Close()
		return nil, err
	}
	return listener, nil
}

// errOtherFile is a path at which there is something else than a socket.
var errOtherFile = errors.New("a file that is no socket has this path")

// isSocket reports whether what has the path is a socket; an abstract one has
// none and is.
func isSocket(path string) bool {
	info, err := os.Lstat(path) //nolint:gosec // the operator's path, to look at
	return err != nil || info.Mode().Type() == os.ModeSocket
}

// abandoned reports whether a socket file is what a killed process has left
// behind: nobody answers at it.
func abandoned(path string) bool {
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
		if s.leaving.Load() && errors.Is(err, os.ErrDeadlineExceeded) {
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
