package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// fileLock is an exclusive lock between processes. The kernel drops it when its
// holder dies.
type fileLock struct{ file *os.File }

// lockFile waits for the lock on the file at path, which it creates if needed.
func lockFile(path string) (*fileLock, error) { return flock(path, syscall.LOCK_EX) }

// tryLockFile takes the lock or fails at once.
func tryLockFile(path string) (*fileLock, error) {
	return flock(path, syscall.LOCK_EX|syscall.LOCK_NB)
}

func flock(path string, how int) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return &fileLock{f}, nil
}

func (l *fileLock) unlock() { _ = l.file.Close() }

// folder is where a process keeps its files.
type folder struct {
	path  string
	owner *fileLock // held for as long as a temporary folder is in use; nil for a named one
}

// ownerFile marks a temporary folder as in use for as long as its lock is held.
const ownerFile = ".owner"

// openFolder returns the folder the caller named, made if needed, or a
// temporary one in runDir for "".
func openFolder(named, prefix string) (*folder, error) {
	if named == "" {
		return temporaryFolder(prefix)
	}
	path, err := filepath.Abs(named)
	if err != nil {
		return nil, err
	}
	return &folder{path: path}, os.MkdirAll(path, 0o700)
}

// temporaryFolder makes a folder and, while it is at it, removes those whose
// owners have died without doing so.
func temporaryFolder(prefix string) (*folder, error) {
	lock, err := lockFolders()
	if err != nil {
		return nil, err
	}
	defer lock.unlock()
	sweep(runDir())
	path, err := os.MkdirTemp(runDir(), prefix+"-")
	if err != nil {
		return nil, err
	}
	owner, err := tryLockFile(filepath.Join(path, ownerFile))
	return &folder{path: path, owner: owner}, err
}

// sweep removes the folders below run that no living process owns.
func sweep(run string) {
	owners, _ := filepath.Glob(filepath.Join(run, "*", ownerFile)) // the pattern is sound
	for _, path := range owners {
		owner, err := tryLockFile(path)
		if err != nil {
			continue
		}
		_ = os.RemoveAll(filepath.Dir(path))
		owner.unlock()
	}
}

// FreshFolder makes the folder of that name in StateDir, empty, and holds it for
// this process until release is called, which may remove it, or the process ends.
// It fails at once when another process holds the folder.
func FreshFolder(name string) (path string, release func(remove bool) error, err error) {
	lock, err := lockFolders()
	if err != nil {
		return "", nil, err
	}
	defer lock.unlock()
	path = filepath.Join(StateDir(), name)
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", nil, err
	}
	owner, err := tryLockFile(filepath.Join(path, ownerFile))
	if err != nil {
		return "", nil, fmt.Errorf("%s is in use by another process: %w", path, err)
	}
	if err := empty(path); err != nil {
		owner.unlock()
		return "", nil, err
	}
	return path, func(remove bool) error { return giveUp(path, owner, remove) }, nil
}

// empty removes what is in a folder but the mark of its owner.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() == ownerFile {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// giveUp ends the ownership of a folder. It is done under the lock of all
// folders: nobody may find the mark of an owner and lock it, which makes it anew, while it goes.
func giveUp(path string, owner *fileLock, remove bool) error {
	lock, err := lockFolders()
	if err != nil {
		return err
	}
	defer lock.unlock()
	defer owner.unlock()
	if !remove {
		return nil
	}
	return os.RemoveAll(path)
}

// lockFolders takes the lock under which folders are handed out and taken back.
func lockFolders() (*fileLock, error) {
	run := runDir()
	if err := os.MkdirAll(run, 0o700); err != nil {
		return nil, err
	}
	return lockFile(filepath.Join(run, ".lock"))
}

// runDir holds the temporary folders: .tunic/run, or the folder that TUNIC_RUN names. In one in
// memory, servers have no disk to wait for.
func runDir() string { return cmp.Or(os.Getenv("TUNIC_RUN"), filepath.Join(StateDir(), "run")) }

// file returns the path of a file in the folder.
func (f *folder) file(name string) string { return filepath.Join(f.path, name) }

// release removes the folder if it is a temporary one.
func (f *folder) release() error {
	if f.owner == nil {
		return nil
	}
	owner := f.owner
	f.owner = nil
	return giveUp(f.path, owner, true)
}

// socketPathMax is one less than the smallest sun_path of the systems we know
// (104 bytes on BSD, 108 on Linux, with the terminating zero).
const socketPathMax = 103

// socketIn returns a path for a socket: in dir, or in a short temporary folder
// (returned as well, to be removed) where dir's path is too long for one.
func socketIn(dir, name string) (path, temporary string, err error) {
	path = filepath.Join(dir, name)
	if len(path) <= socketPathMax {
		return path, "", nil
	}
	temporary, err = os.MkdirTemp("", "tunic-")
	return filepath.Join(temporary, name), temporary, err
}
