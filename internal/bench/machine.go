package bench

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Machine is where a benchmark ran. What cannot be found out stays empty.
type Machine struct {
	OS          string  `json:"os"`
	Kernel      string  `json:"kernel"`
	CPU         string  `json:"cpu"` // the model's name
	CPUs        int     `json:"cpus"`
	MemoryMB    int64   `json:"memory_mb"`     // MiB
	LoadAtStart float64 `json:"load_at_start"` // processes that wanted a CPU over the last minute
}

// thisMachine reads /proc (proc(5)) and os-release(5).
func thisMachine() Machine {
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

// busy tells whether the machine had something else to do when the benchmark
// began: more than a quarter of a CPU each.
func (m Machine) busy() bool { return m.LoadAtStart > float64(m.CPUs)/4 }

func (m Machine) String() string {
	return fmt.Sprintf("%s, %d CPUs, %.1f GiB, %s, kernel %s; load %.2f at the start",
		m.CPU, m.CPUs, float64(m.MemoryMB)/1024, m.OS, m.Kernel, m.LoadAtStart)
}

// sameAs tells whether absolute numbers of two machines may be compared.
func (m Machine) sameAs(other Machine) bool {
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
