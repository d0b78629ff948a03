package socket

import (
	"errors"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// Rest is what is left of a connection whose side here has said all: it tells when the peer has closed its own. It is for
// one goroutine.
type Rest struct {
	fd   int
	read int // bytes of the peer that nobody wants
}

// restMost is how many bytes of a peer are read that nobody wants. More are a long answer: the connection is reset then,
// since the peer would wait until somebody reads.
const restMost = 64 << 10

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
	return &Rest{fd: fd}, nil
}

// Finish tells the peer that nothing more comes, once the connection itself is closed.
func (r *Rest) Finish() { _ = unix.Shutdown(r.fd, unix.SHUT_WR) }

// Over reports whether the peer has closed its side, or has been told that nobody reads its answer. It reads what the
// peer has sent by then.
func (r *Rest) Over() bool {
	var unwanted [16 << 10]byte
	for {
		n, _, err := unix.Recvfrom(r.fd, unwanted[:], unix.MSG_DONTWAIT)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			return hungUp(uintptr(r.fd))
		case err != nil || n == 0:
			return true
		}
		if r.read += n; r.read > restMost {
			_ = unix.SetsockoptLinger(r.fd, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1}) // Close resets it
			return true
		}
	}
}

// Close gives the descriptor back. It is called once.
func (r *Rest) Close() { _ = unix.Close(r.fd) }
