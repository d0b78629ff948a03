package socket

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// Cork has a TCP connection keep back what does not fill a segment, or send it: what was kept back
// when the connection is closed goes in one segment with the end of it (TCP_CORK of tcp(7)). The
// kernel keeps nothing for longer than 200 ms. Other connections send as they do.
func Cork(conn net.Conn, on bool) {
	source, ok := conn.(syscall.Conn)
	if !ok || conn.LocalAddr().Network() != "tcp" {
		return
	}
	raw, err := source.SyscallConn()
	if err != nil {
		return
	}
	value := 0
	if on {
		value = 1
	}
	_ = raw.Control(func(fd uintptr) { _ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_CORK, value) })
}
