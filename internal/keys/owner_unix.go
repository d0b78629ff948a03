//go:build unix

package keys

import (
	"io/fs"
	"syscall"
)

// ownedByRoot reports whether only root can have set the file's group.
func ownedByRoot(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == 0
}
