//go:build !linux

package socket

import "net"

// New returns the connection as it is: only Linux's system calls are made
// directly.
func New(conn net.Conn) net.Conn { return conn }

// HungUp is not known here.
func HungUp(net.Conn) bool { return false }
