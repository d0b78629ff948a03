package keys

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"tunic/internal/secret"
)

func TestCreate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	for name, pass := range map[string]*secret.Bytes{"plain": nil, "wrapped": passphrase(goldenPassphrase)} {
		path := filepath.Join(t.TempDir(), name)
		made, err := Create(path, goldenProject, pass)
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := Load(path, pass)
		if err != nil || !loaded.root.Equal(made.root) || loaded.ID() != made.ID() || loaded.Project() != goldenProject {
			t.Errorf("%s: loaded another key than was made: %v", name, err)
		}
		expectOnly(t, path)
	}
}

// expectOnly checks that a key file is alone in its folder, mode 0600.
func expectOnly(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d files in the folder, %v", len(entries), err)
	}
	info, err := entries[0].Info()
	if err != nil || info.Mode() != 0o600 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("%s has mode %v, %v", entries[0].Name(), info.Mode(), err)
	}
}

func TestCreateReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	link, dangling := filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	for _, err := range []error{
		os.WriteFile(target, []byte("precious"), 0o600),
		os.Symlink(target, link),
		os.Symlink(filepath.Join(dir, "none"), dangling),
		os.Mkdir(filepath.Join(dir, "folder"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{target, link, dangling, filepath.Join(dir, "folder")} {
		_, err := Create(path, Project{}, nil)
		if !errors.Is(err, fs.ErrExist) || err.Error() != path+": file exists" {
			t.Errorf("%s: %v", path, err)
		}
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "precious" {
		t.Errorf("the file that was there holds %q, %v", text, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 4 {
		t.Errorf("something was left behind: %v, %v", entries, err)
	}
}

func TestCreateMistakes(t *testing.T) {
	dir := t.TempDir()
	if _, err := Create(filepath.Join(dir, "none", "key"), Project{}, nil); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "new-") {
		t.Errorf("no folder: %v", err)
	}
	for _, pass := range []string{"", strings.Repeat("x", PassphraseBytesMin-1)} {
		if _, err := Create(filepath.Join(dir, "key"), Project{}, passphrase(pass)); !errors.Is(err, ErrPassphraseShort) {
			t.Errorf("a passphrase of %d bytes: %v", len(pass), err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("something was left behind: %v, %v", entries, err)
	}
}

// TestCreateRace lets several make one file: one wins, and its key is in it.
func TestCreateRace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	won := make(chan *KEK, 8)
	var wg sync.WaitGroup
	for range cap(won) {
		wg.Go(func() {
			k, err := Create(path, Project{}, nil)
			switch {
			case err == nil:
				won <- k
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	close(won)
	if len(won) != 1 {
		t.Fatalf("%d have made the file", len(won))
	}
	loaded, err := Load(path, nil)
	if winner := <-won; err != nil || loaded.ID() != winner.ID() {
		t.Errorf("the file holds another key than that of its maker: %v", err)
	}
	expectOnly(t, path)
}

// What makes the test binary create a file and die at a step.
const (
	envKillStep = "TUNIC_TEST_KILL_STEP"
	envKillPath = "TUNIC_TEST_KILL_PATH"
)

// TestCreateKilled kills a process at every step: the file is whole or not
// there, what is left behind is private, and the next attempt says the truth.
func TestCreateKilled(t *testing.T) {
	if path := os.Getenv(envKillPath); path != "" {
		text := golden(t, "plain.key")
		err := writeNew(path, text, func(s step) {
			if string(s) == os.Getenv(envKillStep) {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			}
		})
		t.Fatalf("lived on after step %s: %v", os.Getenv(envKillStep), err)
	}
	there := map[step]bool{stepMade: false, stepWritten: false, stepSynced: false, stepLinked: true, stepRemoved: true}
	for at, want := range there {
		t.Run(string(at), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "key")
			killAt(t, path, at)
			_, err := Load(path, nil)
			if want && err != nil || !want && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("after the kill: %v", err)
			}
			expectPrivate(t, filepath.Dir(path))
			if _, err := Create(path, Project{}, nil); want != errors.Is(err, fs.ErrExist) || !want && err != nil {
				t.Errorf("the next attempt: %v", err)
			}
		})
	}
}

// killAt makes a process that writes the file and is killed at a step.
func killAt(t *testing.T, path string, at step) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run", "^TestCreateKilled$")
	child.Env = append(os.Environ(), envKillPath+"="+path, envKillStep+"="+string(at))
	out, err := child.CombinedOutput()
	status, ok := child.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("the child was not killed: %v %s", err, out)
	}
}

// expectPrivate checks that no file of a folder is open to others.
func expectPrivate(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s has mode %v, %v", e.Name(), info.Mode(), err)
		}
	}
}
