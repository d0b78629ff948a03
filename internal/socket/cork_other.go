//go:build !linux

package socket

import "net"

// Cork does nothing here.
func Cork(net.Conn, bool) {}
