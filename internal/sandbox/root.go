package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
)

// stateDirName is the git-ignored folder, at the root of the repository, of
// everything that installing, testing and the demo leave behind.
const stateDirName = ".tunic"

// moduleLine begins the go.mod of this repository, and of no other module.
const moduleLine = "module tunic\n"

var findRoot = sync.OnceValues(func() (root string, inCheckout bool) {
	dir, err := os.Getwd()
	if err != nil {
		return os.TempDir(), false // the working directory was removed
	}
	if root, ok := rootAbove(dir); ok {
		return root, true
	}
	return dir, false
})

// rootAbove finds the root of the repository from a folder in it.
func rootAbove(dir string) (root string, ok bool) {
	for {
		module, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(module, []byte(moduleLine)) {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// Root returns the root of the repository that the working directory is in. A
// program that was installed runs elsewhere too: there it is the working
// directory. It is absolute, because what is started below it has other working
// directories.
func Root() string {
	root, _ := findRoot()
	return root
}

// StateDir returns the folder of private state below Root, .tunic. It may not
// exist yet.
func StateDir() string { return filepath.Join(Root(), stateDirName) }
