package keys

import (
	"errors"
	"os"
	"path/filepath"

	"tunic/internal/disk"
	"tunic/internal/secret"
)

// Create makes a KEK and its key file, mode 0600, for a project, or for any if that
// is zero, wrapped if the passphrase is not nil. It never replaces a file: [fs.ErrExist]. When it returns, the file
// survives a power failure; when it is killed, the file is whole or not there.
// Create does not wipe the passphrase. An error is a [*FileError].
func Create(path string, project Project, passphrase *secret.Bytes) (*KEK, error) {
	if passphrase != nil && passphrase.Len() < PassphraseBytesMin {
		return nil, &FileError{path, ErrPassphraseShort}
	}
	k, err := NewKEK()
	if err != nil {
		return nil, &FileError{path, err}
	}
	k.project = project
	f, err := seal(k, passphrase, newStretch(), newNonce())
	if err != nil {
		return nil, &FileError{path, err}
	}
	defer secret.Zero(f.body)
	text := f.text()
	defer secret.Zero(text)
	if err := writeNew(path, text, func(step) {}); err != nil {
		k.Wipe()
		return nil, &FileError{path, cause(err)}
	}
	return k, nil
}

// step is a point of writeNew, for tests that kill it there.
type step string

const (
	stepMade    step = "made"
	stepWritten step = "written"
	stepSynced  step = "synced"
	stepLinked  step = "linked"
	stepRemoved step = "removed"
)

// writeNew writes a file that is not there yet. It is written under another
// name and then linked to its own, which fails if there is such a name, whole
// or not at all. Killed in between it leaves the other name, .BASE.new-*, mode
// 0600, which nothing reads.
func writeNew(path string, text []byte, at func(step)) (err error) {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	f, err := os.CreateTemp(dir, "."+base+".new-*")
	if err != nil {
		return err
	}
	at(stepMade)
	err = writeSynced(f, text, at)
	if err == nil {
		err = os.Link(f.Name(), path)
		at(stepLinked)
	}
	err = errors.Join(err, os.Remove(f.Name())) //nolint:gosec // the operator names the folder
	at(stepRemoved)
	if err != nil {
		return err
	}
	return disk.SyncFolder(dir)
}

// writeSynced writes f to the disk and closes it.
func writeSynced(f *os.File, text []byte, at func(step)) error {
	err := f.Chmod(modeOwnerRW) // whatever the umask is
	if err == nil {
		_, err = f.Write(text)
		at(stepWritten)
	}
	if err == nil {
		err = f.Sync()
		at(stepSynced)
	}
	return errors.Join(err, f.Close())
}
