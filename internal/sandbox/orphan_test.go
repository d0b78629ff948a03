package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// parentVariable makes the test program play the parent that is going to die.
const parentVariable = "SANDBOX_TEST_PARENT"

func TestMain(m *testing.M) {
	if os.Getenv(parentVariable) != "" {
		playParent()
	}
	goleak.VerifyTestMain(m)
}

// playParent starts a server, says which and waits to be killed.
func playParent() {
	s, err := StartMariaDB(context.Background(), Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(s.PID, s.Dir)
	select {}
}

// A test that is killed, by a timeout or a hasty developer, must leave neither
// server nor folder behind.
func TestServerDiesWithItsParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the parent-death signal is Linux's")
	}
	parent := exec.Command(os.Args[0])
	parent.Env = append(parent.Environ(), parentVariable+"=1")
	parent.Stderr = os.Stderr
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	var dir string
	if _, err := fmt.Fscan(out, &pid, &dir); err != nil {
		t.Fatalf("the parent said nothing: %v, %v", err, parent.Wait())
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	awaitEnd(t, pid)

	// The next temporary folder that anybody makes sweeps the orphaned one.
	next, err := temporaryFolder("test")
	if err != nil {
		t.Fatal(err)
	}
	defer next.release()
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the orphaned folder: %v", err)
	}
}

func awaitEnd(t *testing.T, pid int) {
	t.Helper()
	for range 1000 {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || isZombie(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("process %d outlived its parent", pid)
}

// isZombie: in a container nobody may be there to wait for orphans.
func isZombie(pid int) bool {
	stat, err := os.ReadFile(procFile(pid, "stat"))
	return err == nil && len(stat) > 0 && stateOf(stat) == 'Z'
}

func stateOf(stat []byte) byte {
	for i := len(stat) - 1; i > 0; i-- {
		if stat[i] == ')' {
			return stat[i+2]
		}
	}
	return 0
}

func TestSweepSparesFoldersInUse(t *testing.T) {
	used, err := temporaryFolder("test")
	if err != nil {
		t.Fatal(err)
	}
	defer used.release()
	other, err := temporaryFolder("test")
	if err != nil {
		t.Fatal(err)
	}
	defer other.release()
	if _, err := os.Stat(used.path); err != nil {
		t.Errorf("a folder in use was swept: %v", err)
	}
}

// TestFoldersGoBesideSweeps: who makes a folder sweeps the others, and must not put the mark
// of an owner back into one that is going.
func TestFoldersGoBesideSweeps(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				f, err := temporaryFolder("test")
				if err == nil {
					err = f.release()
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestFreshFolderHasOneHolder(t *testing.T) {
	name := fmt.Sprintf("test-%d", os.Getpid())
	path, release, err := FreshFolder(name)
	if err != nil {
		t.Fatal(err)
	}
	left := path + "/left"
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := FreshFolder(name); err == nil {
		t.Error("a folder in use was handed out again")
	}
	if err := release(false); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(left); err != nil {
		t.Errorf("released, not removed, and yet: %v", err)
	}
	path, release, err = FreshFolder(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is not empty: %v", err)
	}
	if err := release(true); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the removed folder: %v", err)
	}
}
