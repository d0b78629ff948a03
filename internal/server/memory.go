package server

import (
	"bytes"
	"math"
	"os"
	"runtime/debug"
	"strconv"

	"tunic/internal/exec"
)

// outsideBytes is what the process has that the runtime does not count: the pages of the program
// itself, some 30 MiB, and what the kernel has not taken back yet of what was freed.
const outsideBytes = 64 << 20

// memoryOf is the memory of statements of a process that is to stay below a number of
// bytes; 0 is half of what there is, and no bound where that is not known. The garbage
// collector is told of it, which else lets the heap grow to twice what is in use.
func memoryOf(whole int64) *exec.Memory {
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
	return exec.NewMemory(whole / 2)
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
	for _, path := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := read(path); err == nil { // "max" is no number
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
