package crash

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestTarget: the passing that is named is hit, once, and no other.
func TestTarget(t *testing.T) {
	for _, of := range []struct {
		text   string
		passed []string
		hit    int // index of the passing; -1 for none
	}{
		{"", []string{"a", "b"}, -1},
		{"b", []string{"a", "b", "b"}, 1},
		{"a.b:3", []string{"a.b", "a", "a.b", "a.b", "a.b"}, 3},
		{"a:2", []string{"a"}, -1},
	} {
		x, err := parseTarget(of.text)
		if err != nil {
			t.Fatalf("%q: %v", of.text, err)
		}
		for i, name := range of.passed {
			if got := x.hit(name); got != (i == of.hit) {
				t.Errorf("%q: passing %d of %s: %v", of.text, i, name, got)
			}
		}
	}
	for _, bad := range []string{"a:", "a:0", "a:-1", "a:x", ":2"} {
		if _, err := parseTarget(bad); !errors.Is(err, errTarget) {
			t.Errorf("%q is taken: %v", bad, err)
		}
	}
}

// TestPointCostsNothing: as tunic is built for use, a point neither allocates nor ends
// anything, whatever the environment says.
func TestPointCostsNothing(t *testing.T) {
	if Enabled {
		t.Skip("skipped: built with the tag crashpoints")
	}
	t.Setenv(PointVariable, "a.point")
	if n := testing.AllocsPerRun(100, func() { Point("a.point") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// childVariable says that the process is the one to be killed.
const childVariable = "CRASH_TEST_CHILD"

// TestPointKills: built with the tag, a process ends by SIGKILL at the passing that is
// named, and the file has each point that was passed until then.
func TestPointKills(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		for range 3 {
			Point("first.point")
			Point("second.point")
		}
		return
	}
	program := filepath.Join(t.TempDir(), "crash.test")
	if out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-tags", "crashpoints", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file := filepath.Join(t.TempDir(), "passings")
	child := exec.CommandContext(t.Context(), program, "-test.run", "^TestPointKills$")
	child.Env = append(os.Environ(), childVariable+"=1", PointVariable+"=second.point:2", PassingsVariable+"="+file)
	err := child.Run()
	ended, _ := errors.AsType[*exec.ExitError](err)
	if ended == nil || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Errorf("it ended with %v, not by SIGKILL", err)
	}
	passed, err := os.ReadFile(file)
	if want := "first.point\nsecond.point\nfirst.point\nsecond.point\n"; err != nil || string(passed) != want {
		t.Errorf("passed %q, %v", passed, err)
	}
}
