package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// passwordBytesMax bounds a password file; more is the wrong file.
const passwordBytesMax = 4 << 10

// Permissions that only the owner may have on a file with a secret, and the one
// that its group may have where root has chosen the group.
const (
	permOthers    fs.FileMode = 0o077
	permGroupRead fs.FileMode = 0o040
)

// Private reports whether a file with a secret is closed to others. A file that
// belongs to root may also be read by its group: Kubernetes mounts secrets so
// (fsGroup), and Debian keeps TLS keys so (ssl-cert). PostgreSQL has the same
// rule.
func Private(info fs.FileInfo) bool {
	open := info.Mode() & permOthers
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid == 0 {
		open &^= permGroupRead
	}
	return open == 0
}

// errOpen is a private file that others have permissions on.
type errOpen struct{ mode fs.FileMode }

func (e errOpen) Error() string { return fmt.Sprintf("has mode %04o", e.mode) }

// readPrivate reads a regular file that is Private. The mode is that of the file
// opened, not of one that took its name since.
func readPrivate(path string, bytesMax int64) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil {
		return nil, pathCause(err)
	}
	if !Private(info) {
		return nil, errOpen{info.Mode().Perm()}
	}
	return readUpTo(f, bytesMax)
}

func readUpTo(f *os.File, bytesMax int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(f, bytesMax+1))
	if err != nil {
		return nil, pathCause(err)
	}
	if int64(len(data)) > bytesMax {
		return nil, fmt.Errorf("is larger than %s", sizeText(bytesMax))
	}
	return data, nil
}

// pathCause drops the operation and the path, which the line has already.
func pathCause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// readPassword reads a password file: one line.
func readPassword(path, setting string) (Secret, error) {
	data, err := readPrivate(path, passwordBytesMax)
	if open, ok := errors.AsType[errOpen](err); ok {
		return Secret{}, &Error{
			Kind: OpenPasswordFile, Setting: setting,
			Problem: path + " " + open.Error() + ", which lets other users at it", Fix: "chmod 600 " + path,
		}
	}
	bad := func(problem string) error {
		return &Error{Kind: BadPasswordFile, Setting: setting, Problem: path + ": " + problem}
	}
	if err != nil {
		return Secret{}, bad(err.Error())
	}
	line := bytes.TrimSuffix(bytes.TrimSuffix(data, []byte("\n")), []byte("\r"))
	switch {
	case len(line) == 0:
		return Secret{}, bad("is empty")
	case bytes.ContainsAny(line, "\n\x00"):
		return Secret{}, bad("has more than one line")
	default:
		return NewSecret(string(line)), nil
	}
}
