package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Sizes of files that hold secrets; more is the wrong file.
const (
	passwordBytesMax = 4 << 10
	keyBytesMax      = 64 << 10
)

// Permissions of others on a file, and those a key file may have at all.
const (
	permOthers fs.FileMode = 0o077
	permKeyRW  fs.FileMode = 0o600
	permKeyR   fs.FileMode = 0o400
)

// errOpen is a private file that others have permissions on.
type errOpen struct{ mode fs.FileMode }

func (e errOpen) Error() string { return fmt.Sprintf("has mode %04o", e.mode) }

// readPrivate reads a regular file whose permissions private accepts. The mode
// is that of the file opened, not of one that took its name since.
func readPrivate(path string, bytesMax int64, private func(fs.FileMode) bool) ([]byte, error) {
	f, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil {
		return nil, pathCause(err)
	}
	if mode := info.Mode().Perm(); !private(mode) {
		return nil, errOpen{mode}
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
	data, err := readPrivate(path, passwordBytesMax, func(mode fs.FileMode) bool { return mode&permOthers == 0 })
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

// checkKey checks that a key file could be used. This version does not use it.
func checkKey(path, setting string) error {
	data, err := readPrivate(path, keyBytesMax, func(mode fs.FileMode) bool { return mode == permKeyRW || mode == permKeyR })
	defer clear(data)
	if open, ok := errors.AsType[errOpen](err); ok {
		return &Error{
			Kind: OpenKeyFile, Setting: setting,
			Problem: path + " " + open.Error() + ", not 0600 or 0400", Fix: "chmod 600 " + path,
		}
	}
	if err == nil && len(data) == 0 {
		err = errors.New("is empty")
	}
	if err != nil {
		return &Error{Kind: BadKeyFile, Setting: setting, Problem: path + ": " + err.Error()}
	}
	return nil
}
