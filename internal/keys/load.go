package keys

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"tunic/internal/secret"
)

// fileBytesMax bounds a key file; a real one has about 300 bytes.
const fileBytesMax = 4 << 10

// Modes that a file with a secret may have.
const (
	modeOwnerRW fs.FileMode = 0o600
	modeOwnerR  fs.FileMode = 0o400
	modeGroupR  fs.FileMode = 0o040
)

// ErrMode is a file that others than its owner may use.
var ErrMode = errors.New("not 0600 or 0400")

var errEmpty = errors.New("is empty")

// FileError is a file with a secret that cannot be used. Err is one of the
// errors of this package, [fs.ErrNotExist], [fs.ErrPermission], [fs.ErrExist]
// or another of the operating system.
type FileError struct {
	Path string
	Err  error
}

// Error is the path and what is wrong.
func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap is what is wrong.
func (e *FileError) Unwrap() error { return e.Err }

// Load reads the KEK of a key file. The passphrase is nil when there is none;
// Load does not wipe it. An error is a [*FileError].
func Load(path string, passphrase *secret.Bytes) (*KEK, error) {
	text, err := readPrivate(path, fileBytesMax)
	if err != nil {
		return nil, &FileError{path, err}
	}
	defer secret.Zero(text)
	f, err := parseFile(text)
	if err != nil {
		return nil, &FileError{path, err}
	}
	k, err := f.open(passphrase)
	if err != nil {
		return nil, &FileError{path, err}
	}
	return k, nil
}

// readPrivate reads a regular file that is private. Mode and owner are those
// of the file opened, not of one that took its name since. The caller zeroes
// what it gets.
func readPrivate(path string, bytesMax int) ([]byte, error) {
	// A pipe without a writer would block an open that is not O_NONBLOCK.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, cause(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	case !isPrivate(info.Mode().Perm(), ownedByRoot(info)):
		return nil, fmt.Errorf("has mode %04o, %w", info.Mode().Perm(), ErrMode)
	}
	return readAll(f, bytesMax)
}

// isPrivate reports whether a file with a secret may have the mode: read by
// its owner, perhaps written, and nothing else.
//
// A file of root's may also be read by a group. That is how Kubernetes gives a
// secret to a container that does not run as root (fsGroup), and only root
// can have set it up.
func isPrivate(mode fs.FileMode, rootOwned bool) bool {
	if rootOwned {
		mode &^= modeGroupR
	}
	return mode == modeOwnerRW || mode == modeOwnerR
}

// readAll reads up to bytesMax bytes into one buffer: one that grows would
// leave copies behind.
func readAll(f io.Reader, bytesMax int) ([]byte, error) {
	buf := make([]byte, bytesMax+1)
	n, err := io.ReadFull(f, buf)
	switch {
	case err == nil:
		secret.Zero(buf)
		return nil, fmt.Errorf("is larger than %d bytes", bytesMax)
	case n == 0 && errors.Is(err, io.EOF):
		return nil, errEmpty
	case !errors.Is(err, io.ErrUnexpectedEOF):
		secret.Zero(buf)
		return nil, cause(err)
	}
	return buf[:n], nil
}

// cause drops the operation and the path, which the FileError has already.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}
