package server

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"tunic/internal/budget"
)

// outsideBytes is what the process has that the runtime does not count: the pages of the program
// itself, some 30 MiB, and what the kernel has not taken back yet of what was freed.
const outsideBytes = 64 << 20

// memoryOf is the memory of statements of a process that is to stay below a number of
// bytes; 0 is half of what there is, and no bound where that is not known. The garbage
// collector is told of it, which else lets the heap grow to twice what is in use.
func memoryOf(whole int64) *budget.Memory {
	if whole == 0 {
		whole = machineBytes(os.ReadFile) / 2
	}
	if whole == 0 {
		return nil
	}
	// GOMEMLIMIT, an operator's own word, has set another one already.
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(whole - min(whole/8, outsideBytes))
	}
	return budget.NewMemory(whole / 2)
}

// rowCacheBytes is the memory of the row cache: what is asked for, up to an eighth of the process's.
func rowCacheBytes(asked int64, memory *budget.Memory) int {
	if statements := memory.Bytes(); statements > 0 {
		asked = min(asked, statements/4)
	}
	return int(asked)
}

// machineBytes is the memory of the machine, or that of the process's cgroup if that is
// less; 0 if neither can be read.
func machineBytes(read func(string) ([]byte, error)) int64 {
	least := int64(math.MaxInt64)
	if info, err := read("/proc/meminfo"); err == nil {
		if fields := bytes.Fields(info); len(fields) > 1 && string(fields[0]) == "MemTotal:" {
			if n, err := strconv.ParseInt(string(fields[1]), 10, 64); err == nil {
				least = n << 10
			}
		}
	}
	for _, limit := range cgroupLimits(read) {
		if text, err := read(limit); err == nil { // "max" is no number
			if n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil && n > 0 {
				least = min(least, n)
			}
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// cgroupLimits are the files that bound the memory of the process's cgroup: those of the root
// that it sees, which in a container is its own, and those of the folders down to the one that
// /proc/self/cgroup names, which in a service of systemd is that of the service. See
// cgroups(7); lines are 0::/path of version 2, and N:memory:/path of version 1.
func cgroupLimits(read func(string) ([]byte, error)) []string {
	limits := []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}
	text, err := read("/proc/self/cgroup")
	if err != nil {
		return limits
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 {
			continue
		}
		root, name := "/sys/fs/cgroup", "memory.max"
		if slices.Contains(strings.Split(fields[1], ","), "memory") {
			root, name = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if fields[1] != "" {
			continue
		}
		for dir := filepath.Clean("/" + fields[2]); dir != "/"; dir = filepath.Dir(dir) {
			limits = append(limits, filepath.Join(root, dir, name))
		}
	}
	return limits
}
