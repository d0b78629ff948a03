// Package disk brings to the disk what has to survive a power failure.
//
// A file that is written and synced is on the disk, and its name need not be: the name is
// in the folder, which is synced by itself (fsync(2)).
package disk

import (
	"errors"
	"os"
	"path/filepath"
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

// ReplaceFile writes a file that only its owner can read (mode 0600), in the place of one of that
// name if there is one. After a kill or a power failure it is as before or as after, and .NAME.new-*
// may be left beside it. Errors are those of the operating system.
func ReplaceFile(path string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-*")
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name()) // the first error is the one to tell
		return err
	}
	return SyncFolder(filepath.Dir(path))
}
