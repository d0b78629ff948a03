package socket

import (
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"
)

// Conn is a net.Conn over a TCP or Unix stream socket. One goroutine may read
// and one may write at a time.
type Conn struct {
	net.Conn
	raw    syscall.RawConn
	reader operation
	writer operation
}

// SyscallConn gives access to the descriptor, as the wrapped connection does.
func (c *Conn) SyscallConn() (syscall.RawConn, error) { return c.raw, nil }

// operation is one read or write under way. The function is made once, so that
// a call allocates nothing.
type operation struct {
	run   func(fd uintptr) bool
	bytes []byte
	n     int
	errno syscall.Errno
}

// New wraps a connection. One that is no socket (a pipe in a test, say) is
// returned as it is.
func New(conn net.Conn) net.Conn {
	source, ok := conn.(syscall.Conn)
	if !ok {
		return conn
	}
	raw, err := source.SyscallConn()
	if err != nil {
		return conn
	}
	c := &Conn{Conn: conn, raw: raw}
	c.reader.run = c.reader.read
	c.writer.run = c.writer.write
	return c
}

// Read implements io.Reader.
func (c *Conn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	op := &c.reader
	op.bytes = p
	err := c.raw.Read(op.run)
	op.bytes = nil
	switch {
	case err != nil:
		return 0, err
	case op.errno != 0:
		return 0, c.fail("read", op.errno)
	case op.n == 0:
		return 0, io.EOF
	default:
		return op.n, nil
	}
}

// Write implements io.Writer.
func (c *Conn) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	op := &c.writer
	op.bytes, op.n = p, 0
	err := c.raw.Write(op.run)
	op.bytes = nil
	if err == nil && op.errno != 0 {
		err = c.fail("write", op.errno)
	}
	return op.n, err
}

func (c *Conn) fail(op string, errno syscall.Errno) error {
	return &net.OpError{
		Op: op, Net: c.LocalAddr().Network(), Source: c.LocalAddr(), Addr: c.RemoteAddr(),
		Err: os.NewSyscallError(op, errno),
	}
}

// read reads once. It reports whether there is nothing to wait for.
func (op *operation) read(fd uintptr) bool {
	for {
		n, _, errno := syscall.RawSyscall(syscall.SYS_READ, fd, uintptr(unsafe.Pointer(&op.bytes[0])), uintptr(len(op.bytes)))
		switch errno {
		case 0:
			op.n, op.errno = int(n), 0
			return true
		case syscall.EINTR:
		case syscall.EAGAIN:
			return false
		default:
			op.errno = errno
			return true
		}
	}
}

// write writes what is left. It reports whether there is nothing to wait for.
func (op *operation) write(fd uintptr) bool {
	for op.n < len(op.bytes) {
		rest := op.bytes[op.n:]
		n, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, fd, uintptr(unsafe.Pointer(&rest[0])), uintptr(len(rest)),
			syscall.MSG_NOSIGNAL|syscall.MSG_DONTWAIT, 0, 0)
		switch errno {
		case 0:
			op.n += int(n)
		case syscall.EINTR:
		case syscall.EAGAIN:
			return false
		default:
			op.errno = errno
			return true
		}
	}
	op.errno = 0
	return true
}
