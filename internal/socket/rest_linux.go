package socket

import (
	"errors"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// Rest is what is left of a connection whose side here has said all: it tells when the peer has closed its own.
type Rest struct{ fd int }

// Keep gives a connection another descriptor, which outlives it.
func Keep(conn net.Conn) (*Rest, error) {
	source, ok := conn.(syscall.Conn)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	raw, err := source.SyscallConn()
	if err != nil {
		return nil, err
	}
	fd, failed := -1, error(nil)
	err = raw.Control(func(of uintptr) { fd, failed = unix.FcntlInt(of, unix.F_DUPFD_CLOEXEC, 0) })
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	return &Rest{fd}, nil
}

// Finish tells the peer that nothing more comes, once the connection itself is closed.
func (r *Rest) Finish() { _ = unix.Shutdown(r.fd, unix.SHUT_WR) }

// HungUp reports whether the peer has closed its side. Only Linux tells.
func (r *Rest) HungUp() bool { return hungUp(uintptr(r.fd)) }

// Close gives the descriptor back. It is called once.
func (r *Rest) Close() { _ = unix.Close(r.fd) }
