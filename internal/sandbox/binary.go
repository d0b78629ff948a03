package sandbox

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

var (
	buildMutex  sync.Mutex
	builtBinary string
)

// TunicBinary builds tunic from the repository's present sources, once in a
// process, and returns the path of the program: a test must never pass or fail
// for a binary of yesterday. When nothing has changed since another process did
// so, the go command only looks.
func TunicBinary(ctx context.Context) (string, error) {
	buildMutex.Lock()
	defer buildMutex.Unlock()
	if builtBinary != "" {
		return builtBinary, nil
	}
	dir := filepath.Join(StateDir(), "bin")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	lock, err := lockFile(filepath.Join(dir, ".lock"))
	if err != nil {
		return "", err
	}
	defer lock.unlock()
	path := filepath.Join(dir, "tunic")
	if err := build(ctx, path); err != nil {
		return "", err
	}
	builtBinary = path
	return path, nil
}

func build(ctx context.Context, path string) error {
	c := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", path, "./cmd/tunic")
	c.Dir = Root()
	c.Env = append(c.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("build tunic: %w:\n%s", err, indent(string(out)))
	}
	return nil
}
