package meter

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestField(t *testing.T) {
	path := filepath.Join(t.TempDir(), "info")
	text := "vendor\t: someone\nmodel\t: 85\nmodel name\t: A CPU: fast\nmodel name\t: Another\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"model name": "A CPU: fast", "model": "85", "none": ""} {
		if got := field(path, key, ":"); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	if got := field(path+".missing", "model", ":"); got != "" {
		t.Errorf("a file that is not there has %q", got)
	}
}

func TestThisMachine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIP: /proc is read on Linux only")
	}
	m := ThisMachine()
	if m.CPUs < 1 || m.MemoryMB < 64 || m.Kernel == "" {
		t.Errorf("this machine is %+v", m)
	}
	if m = AtStart(); m.BusyAtStart == nil || *m.BusyAtStart < 0 || *m.BusyAtStart > float64(m.CPUs) {
		t.Errorf("this machine is %+v", m)
	}
}

func TestBusy(t *testing.T) {
	if (Machine{CPUs: 4, LoadAtStart: 0.9}).Busy() {
		t.Error("a load of 0.9 on 4 CPUs counts as busy")
	}
	if !(Machine{CPUs: 4, LoadAtStart: 1.1}).Busy() {
		t.Error("a load of 1.1 on 4 CPUs does not count as busy")
	}
	none, some := 0.1, 1.5
	if (Machine{CPUs: 4, LoadAtStart: 16, BusyAtStart: &none}).Busy() {
		t.Error("the load that a benchmark before has left counts as busy")
	}
	if !(Machine{CPUs: 4, LoadAtStart: 0.1, BusyAtStart: &some}).Busy() {
		t.Error("1.5 of 4 CPUs at work do not count as busy")
	}
}
