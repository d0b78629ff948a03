package secret

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestChunk looks at what the kernel says of the pages: locked (lo) where the
// limit lets them be, and left out of dumps (dd) always (proc_pid_smaps(5)).
func TestChunk(t *testing.T) {
	chunk, locked := newChunk(chunkBytes)
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip("no /proc/self/smaps:", err)
	}
	address, err := strconv.ParseUint(strings.TrimPrefix(fmt.Sprintf("%p", chunk), "0x"), 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	flags := flagsOf(t, string(smaps), address)
	if !strings.Contains(flags, " dd") {
		t.Errorf("flags %q: dumps would hold the chunk", flags)
	}
	if locked != strings.Contains(flags, " lo") {
		t.Errorf("flags %q, and newChunk says locked is %t", flags, locked)
	}
}

// flagsOf is the VmFlags line of the mapping that holds address.
func flagsOf(t *testing.T, smaps string, address uint64) string {
	t.Helper()
	within := false
	for line := range strings.Lines(smaps) {
		var from, to uint64
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			within = from <= address && address < to
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && within {
			return flags
		}
	}
	t.Fatal("the chunk is in no mapping")
	return ""
}

// envDenied makes the test binary call DenyDumps and crash.
const envDenied = "TUNIC_TEST_DENY_DUMPS"

// TestDenyDumps crashes a process as Go programs do under GOTRACEBACK=crash,
// and asks the kernel whether it dumped.
func TestDenyDumps(t *testing.T) {
	if os.Getenv(envDenied) != "" {
		denyAndCrash()
		return
	}
	child := exec.Command(os.Args[0], "-test.run", "^TestDenyDumps$")
	child.Env = append(os.Environ(), envDenied+"=1", "GOTRACEBACK=crash")
	child.Dir = t.TempDir()
	out, err := child.Output()
	if want := "dumpable 0 limit 0 0\n"; string(out) != want {
		t.Errorf("the child says %q (%v), want %q", out, err, want)
	}
	status, ok := child.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || status.Signal() != syscall.SIGABRT {
		t.Fatalf("the child ended with %v, not by SIGABRT", child.ProcessState)
	}
	if status.CoreDump() {
		t.Error("the child dumped core")
	}
}
