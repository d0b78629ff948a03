package meter

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Machine is where a benchmark ran. What cannot be found out stays empty.
type Machine struct {
	OS          string  `json:"os"`
	Kernel      string  `json:"kernel"`
	CPU         string  `json:"cpu"` // the model's name
	CPUs        int     `json:"cpus"`
	MemoryMB    int64   `json:"memory_mb"`     // MiB
	LoadAtStart float64 `json:"load_at_start"` // processes that wanted a CPU over the last minute
	// BusyAtStart is how many CPUs were at work right before the benchmark, which the load does not tell
	// behind another one. Documents of older versions have none.
	BusyAtStart *float64 `json:"busy_at_start,omitempty"`
}

// busyFor is how long a machine is looked at before a benchmark begins.
const busyFor = 500 * time.Millisecond

// AtStart is this machine before a benchmark loads it, and waits for busyFor.
func AtStart() Machine {
	m := ThisMachine()
	if idle := idleTime(); idle >= 0 {
		began := time.Now()
		time.Sleep(busyFor)
		free := float64(idleTime()-idle) / float64(time.Since(began))
		busy := math.Round(100*max(0, float64(m.CPUs)-free)) / 100
		m.BusyAtStart = &busy
	}
	return m
}

// idleTime is how long the CPUs have had nothing to do, all together, since the machine was started:
// the second number of /proc/uptime (proc(5)); negative where there is none.
func idleTime() time.Duration {
	_, idle, _ := strings.Cut(strings.TrimSpace(contents("/proc/uptime")), " ")
	seconds, err := strconv.ParseFloat(idle, 64)
	if err != nil {
		return -1
	}
	return time.Duration(seconds * float64(time.Second))
}

// ThisMachine reads /proc (proc(5)) and os-release(5).
func ThisMachine() Machine {
	memoryKB, _ := strconv.ParseInt(strings.TrimSuffix(field("/proc/meminfo", "MemTotal", ":"), " kB"), 10, 64)
	load, _ := strconv.ParseFloat(firstWord(contents("/proc/loadavg")), 64)
	return Machine{
		OS:          strings.Trim(field("/etc/os-release", "PRETTY_NAME", "="), `"`),
		Kernel:      strings.TrimSpace(contents("/proc/sys/kernel/osrelease")),
		CPU:         field("/proc/cpuinfo", "model name", ":"),
		CPUs:        runtime.NumCPU(),
		MemoryMB:    memoryKB >> 10,
		LoadAtStart: load,
	}
}

// Busy tells whether the machine had something else to do when the benchmark
// began: more than a quarter of a CPU each.
func (m Machine) Busy() bool { return m.AtWork() > float64(m.CPUs)/4 }

// AtWork is how many CPUs others had at the start, by the load where that is all that is known.
func (m Machine) AtWork() float64 {
	if m.BusyAtStart != nil {
		return *m.BusyAtStart
	}
	return m.LoadAtStart
}

func (m Machine) String() string {
	busy := ""
	if m.BusyAtStart != nil {
		busy = fmt.Sprintf(", %.2f CPUs at work", *m.BusyAtStart)
	}
	return fmt.Sprintf("%s, %d CPUs, %.1f GiB, %s, kernel %s; load %.2f%s at the start",
		m.CPU, m.CPUs, float64(m.MemoryMB)/1024, m.OS, m.Kernel, m.LoadAtStart, busy)
}

// SameAs tells whether absolute numbers of two machines may be compared.
func (m Machine) SameAs(other Machine) bool {
	return m.CPU == other.CPU && m.CPUs == other.CPUs && m.Kernel == other.Kernel
}

// field returns the value of the first line "key separator value" of a file.
func field(path, key, separator string) string {
	for line := range strings.Lines(contents(path)) {
		name, value, found := strings.Cut(line, separator)
		if found && strings.TrimSpace(name) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// contents is empty for a file that is not there, as on other systems.
func contents(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return word
}
