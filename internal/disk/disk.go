// Package disk brings to the disk what has to survive a power failure.
//
// A file that is written and synced is on the disk, and its name need not be: the name is
// in the folder, which is synced by itself (fsync(2)).
package disk

import (
	"errors"
	"os"
)

// SyncFolder writes the names in a folder to the disk. An error is one of the operating
// system; the names are there then, and may be gone after a power failure.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
