package socket

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// HungUp reports whether the peer has closed the connection, or its side of it,
// without reading what may stand before that.
func HungUp(conn net.Conn) bool {
	source, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := source.SyscallConn()
	if err != nil {
		return false
	}
	gone := false
	err = raw.Control(func(fd uintptr) { gone = hungUp(fd) })
	return err == nil && gone
}

func hungUp(fd uintptr) bool {
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
	n, err := unix.Poll(poll, 0)
	return err == nil && n > 0 && poll[0].Revents&(unix.POLLRDHUP|unix.POLLHUP|unix.POLLERR) != 0
}
