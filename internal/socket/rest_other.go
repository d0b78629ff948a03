//go:build !linux

package socket

import (
	"errors"
	"net"
)

// Rest is what is left of a connection whose side here has said all. Only Linux has it.
type Rest struct{}

// Keep is errors.ErrUnsupported.
func Keep(net.Conn) (*Rest, error) { return nil, errors.ErrUnsupported }

// Finish does nothing.
func (*Rest) Finish() {}

// Over is false.
func (*Rest) Over() bool { return false }

// Close does nothing.
func (*Rest) Close() {}
