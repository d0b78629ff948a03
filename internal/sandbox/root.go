package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// stateDirName is the git-ignored folder, at the root of the repository, of
// everything that installing, testing and the demo leave behind.
const stateDirName = ".tunic"

var findRoot = sync.OnceValues(func() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod in the working directory or above it")
		}
		dir = parent
	}
})

// Root returns the root of the repository: the nearest folder, from the working
// directory upwards, that holds a go.mod. Outside of a module it is the working
// directory.
func Root() string {
	if root, err := findRoot(); err == nil {
		return root
	}
	return "."
}

// StateDir returns the folder of the repository's private state, .tunic. It may
// not exist yet.
func StateDir() string { return filepath.Join(Root(), stateDirName) }
