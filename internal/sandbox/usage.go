package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// clockTick is the unit of the times in /proc/PID/stat: Linux shows them to user
// space in hundredths of a second on every architecture that Go runs on.
const clockTick = 10 * time.Millisecond

// CPU returns the processor time, user and system, that the process has used
// since it started, all its threads together, in steps of 10 ms (proc_pid_stat(5),
// fields 14 and 15). It works on Linux only.
func CPU(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return 0, fmt.Errorf("processor time: %w", err)
	}
	// Field 2 is the program's name in parentheses and may itself hold blanks
	// and parentheses: count from behind the last one.
	end := bytes.LastIndexByte(stat, ')')
	if end < 0 {
		return 0, fmt.Errorf("processor time: no program name in %s", procFile(pid, "stat"))
	}
	ticks, err := sumFields(bytes.Fields(stat[end+1:]), 14-3, 15-3)
	return time.Duration(ticks) * clockTick, err
}

// RSS returns the resident memory of the process in bytes, shared pages included
// (proc_pid_statm(5), field 2). It works on Linux only.
func RSS(pid int) (int64, error) {
	statm, err := os.ReadFile(procFile(pid, "statm"))
	if err != nil {
		return 0, fmt.Errorf("resident memory: %w", err)
	}
	pages, err := sumFields(bytes.Fields(statm), 1)
	return pages * int64(os.Getpagesize()), err
}

// PeakRSS returns the most resident memory that the process has had, in bytes
// (proc_pid_status(5), VmHWM). It works on Linux only.
func PeakRSS(pid int) (int64, error) {
	status, err := os.ReadFile(procFile(pid, "status"))
	if err != nil {
		return 0, fmt.Errorf("most resident memory: %w", err)
	}
	_, after, _ := bytes.Cut(status, []byte("\nVmHWM:"))
	kib, err := sumFields(bytes.Fields(after), 0)
	return kib << 10, err
}

func procFile(pid int, name string) string { return fmt.Sprintf("/proc/%d/%s", pid, name) }

func sumFields(fields [][]byte, indexes ...int) (int64, error) {
	var sum int64
	for _, i := range indexes {
		if i >= len(fields) {
			return 0, fmt.Errorf("process statistics have %d fields, need %d", len(fields), i+1)
		}
		n, err := strconv.ParseInt(string(fields[i]), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("process statistics: %w", err)
		}
		sum += n
	}
	return sum, nil
}
