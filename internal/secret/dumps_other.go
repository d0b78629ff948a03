//go:build !linux

package secret

import "errors"

// DenyDumps is done on Linux only.
func DenyDumps() error { return errors.New("core dumps are switched off on Linux only") }
