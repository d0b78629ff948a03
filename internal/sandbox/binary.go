package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

var (
	buildMutex  sync.Mutex
	builtBinary = map[string]string{} // by their tags
)

// TunicBinary builds tunic from the repository's present sources, once in a
// process, and returns the path of the program: a test must never pass or fail
// for a binary of yesterday. When nothing has changed since another process did
// so, the go command only looks. In a test under the race detector tunic is under it
// as well.
func TunicBinary(ctx context.Context) (string, error) { return TaggedBinary(ctx, "") }

// TaggedBinary is TunicBinary, built with a build tag that its name tells of.
func TaggedBinary(ctx context.Context, tag string) (string, error) {
	buildMutex.Lock()
	defer buildMutex.Unlock()
	if built := builtBinary[tag]; built != "" {
		return built, nil
	}
	if _, inCheckout := findRoot(); !inCheckout {
		return "", errors.New("tunic's sources are not in the working directory or above it: run this in a checkout, or name a binary")
	}
	if err := readSources(); err != nil {
		return "", err
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
	path := filepath.Join(dir, binaryName(tag))
	if err := build(ctx, path, tag); err != nil {
		return "", err
	}
	builtBinary[tag] = path
	return path, nil
}

// readSources lists the folders of the sources. The go command repeats a test
// whose result it has cached when a folder that the test read has changed; from
// the program that a test runs it would learn nothing.
func readSources() error {
	for _, top := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join(Root(), top), func(_ string, _ os.DirEntry, err error) error { return err })
		if err != nil {
			return fmt.Errorf("sources of tunic: %w", err)
		}
	}
	_, err := os.Stat(filepath.Join(Root(), "go.sum"))
	return err
}

func binaryName(tag string) string {
	name := "tunic"
	if tag != "" {
		name += "-" + tag
	}
	if raceDetector {
		name += "-race"
	}
	return name
}

// build uses the flags of `make build`, and so what that has compiled; under the
// race detector its own.
func build(ctx context.Context, path, tag string) error {
	args, cgo := []string{"build", "-trimpath", "-buildvcs=false", "-tags", tag, "-o", path}, "CGO_ENABLED=0"
	if raceDetector {
		args, cgo = append(args, "-race"), "CGO_ENABLED=1"
	}
	c := exec.CommandContext(ctx, "go", append(args, "./cmd/tunic")...)
	c.Dir = Root()
	c.Env = append(c.Environ(), cgo)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("build tunic: %w:\n%s", err, indent(string(out)))
	}
	return nil
}
