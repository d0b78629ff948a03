package meter

import (
	"os"
	"runtime"
	"testing"
)

func TestVersionIn(t *testing.T) {
	for line, want := range map[string]string{
		"sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)":                  "1.0.20",
		"HAProxy version 2.6.12-1+deb12u4 2026/10/17 - https://haproxy.org/": "2.6.12-1+deb12u4",
		"tunic 50922df-dirty (commit 50922dfd48b1+) go1.26.8 linux/amd64\n":  "50922df-dirty",
		"none": "",
	} {
		if got := versionIn(line); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

func TestGoVersionOfThisTest(t *testing.T) {
	if got := GoVersionOf(os.Args[0]); got != runtime.Version() {
		t.Errorf("got %q, want %q", got, runtime.Version())
	}
	if commit := CommitOf("/dev/null"); commit != "" {
		t.Errorf("a file that is no program was built from %q", commit)
	}
}
