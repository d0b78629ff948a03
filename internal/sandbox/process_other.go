//go:build !linux

package sandbox

import "syscall"

// childAttributes cannot tie the child's life to ours here; Stop is all there is.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
