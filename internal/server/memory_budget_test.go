package server

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/waittest"
)

// lengthOf asks for the length of a text of n bytes in one statement.
func lengthOf(n int) string { return "SELECT LENGTH('" + strings.Repeat("x", n) + "')" }

// TestLargeStatementsShareMemory: where no memory is left a large statement waits, or is
// refused and its session goes on; small ones of all sessions do not wait. What was taken
// is given back.
func TestLargeStatementsShareMemory(t *testing.T) {
	server := database(t, sandbox.MariaDB)
	cfg := proxySettings(t, server.Addr)
	cfg.Limits.Memory = 1 << 30
	proxy, addr, _ := startChangedProxy(t, cfg, func(s *Server) { s.memory.Patience = 50 * time.Millisecond })
	rest := proxy.memory.Bytes() - 20*mebibyte
	if !proxy.memory.TryTake(rest) {
		t.Fatal("there is no memory")
	}
	db := client(t, addr, "app", "app", func(c *mysql.Config) { c.MaxAllowedPacket = 64 * mebibyte })
	db.SetMaxOpenConns(1)
	var length int
	for _, n := range []int{4 * mebibyte, 17 * mebibyte} {
		err := db.QueryRow(lengthOf(n)).Scan(&length)
		if refusal, ok := errors.AsType[*mysql.MySQLError](err); !ok || refusal.Number != 1041 || !strings.Contains(refusal.Message, "TUNIC-4008") {
			t.Errorf("a statement of %d bytes: %v, want TUNIC-4008", n, err)
		}
	}
	for _, n := range []int{10, mebibyte / 2, 2 * mebibyte} {
		if err := db.QueryRow(lengthOf(n)).Scan(&length); err != nil || length != n {
			t.Errorf("a statement of %d bytes: %d, %v", n, length, err)
		}
	}
	if n := proxy.metrics.Backend.Connects.Value(); n != 1 {
		t.Errorf("%d sessions, want 1: a refusal ends none", n)
	}
	_ = db.QueryRow("SELECT 1").Scan(&length)
	waittest.Until(t, "memory to be given back", func() bool { return proxy.memory.Taken() == rest })
	proxy.memory.Give(rest)
}

// TestLargeStatementWaits: it is served when others have ended.
func TestLargeStatementWaits(t *testing.T) {
	server := database(t, sandbox.MariaDB)
	cfg := proxySettings(t, server.Addr)
	cfg.Limits.Memory = 1 << 30
	proxy, addr := startProxy(t, cfg)
	proxy.memory.TryTake(proxy.memory.Bytes())
	db := client(t, addr, "app", "app", func(c *mysql.Config) { c.MaxAllowedPacket = 64 * mebibyte })
	answer := make(chan error, 1)
	go func() {
		var length int
		answer <- db.QueryRow(lengthOf(4 * mebibyte)).Scan(&length)
	}()
	waittest.Until(t, "a statement to wait", func() bool { return proxy.metrics.Memory.Waited.Value() == 1 })
	if err := client(t, addr, "app", "app", nil).Ping(); err != nil {
		t.Errorf("a small statement beside it: %v", err)
	}
	proxy.memory.Give(proxy.memory.Bytes())
	if err := <-answer; err != nil {
		t.Error(err)
	}
}

// TestRelayedStatementTakesLess: a large statement that is passed on as it came takes less memory
// while the server is at it, and none behind it.
func TestRelayedStatementTakesLess(t *testing.T) {
	server := database(t, sandbox.MariaDB)
	cfg := proxySettings(t, server.Addr)
	cfg.Limits.Memory = 1 << 30
	proxy, addr := startProxy(t, cfg)
	holds := app(t, server.Addr)
	run(t, holds, "SELECT GET_LOCK('relayed', 0)")
	text := "SELECT GET_LOCK('relayed', 60), LENGTH('" + strings.Repeat("x", 20*mebibyte) + "')"
	db := client(t, addr, "app", "app", func(c *mysql.Config) { c.MaxAllowedPacket = 64 * mebibyte })
	db.SetMaxOpenConns(1)
	answer := make(chan error, 1)
	go func() {
		var locked, length int
		answer <- db.QueryRow(text).Scan(&locked, &length)
	}()
	waittest.Until(t, "the server to be at it", func() bool { return proxy.memory.Taken() == 2*int64(1+len(text)) })
	run(t, holds, "DO RELEASE_LOCK('relayed')")
	if err := <-answer; err != nil {
		t.Error(err)
	}
	waittest.Until(t, "memory to be given back", func() bool { return proxy.memory.Taken() == 0 })
}

// TestMachineBytes: the least of what limits the process counts.
func TestMachineBytes(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  int64
	}{
		{map[string]string{"/proc/meminfo": "MemTotal:  2048 kB\nMemFree: 1 kB\n"}, 2 << 20},
		{map[string]string{"/proc/meminfo": "MemTotal:  2048 kB\n", "/sys/fs/cgroup/memory.max": "1024\n"}, 1024},
		{map[string]string{"/proc/meminfo": "MemTotal:  2048 kB\n", "/sys/fs/cgroup/memory.max": "max\n"}, 2 << 20},
		// A service of systemd, whose MemoryMax is that of its cgroup, and one whose slice has less.
		{map[string]string{"/proc/meminfo": "MemTotal:  2048 kB\n", "/proc/self/cgroup": "0::/system.slice/tunic.service\n", "/sys/fs/cgroup/system.slice/tunic.service/memory.max": "4096\n"}, 4096},
		{map[string]string{
			"/proc/meminfo": "MemTotal:  2048 kB\n", "/proc/self/cgroup": "0::/system.slice/tunic.service\n",
			"/sys/fs/cgroup/system.slice/tunic.service/memory.max": "4096\n", "/sys/fs/cgroup/system.slice/memory.max": "2048\n",
		}, 2048},
		// Version 1, where each controller has a line and a tree of its own.
		{map[string]string{
			"/proc/meminfo": "MemTotal:  2048 kB\n", "/proc/self/cgroup": "12:cpu,cpuacct:/a\n5:memory:/docker/b\n1:name=systemd:/c\n",
			"/sys/fs/cgroup/memory/docker/b/memory.limit_in_bytes": "8192\n",
		}, 8192},
		{map[string]string{"/proc/meminfo": "MemTotal:  2048 kB\n", "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "1024\n"}, 1024},
		{nil, 0},
	} {
		read := func(name string) ([]byte, error) {
			if text, ok := c.files[name]; ok {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		}
		if got := machineBytes(read); got != c.want {
			t.Errorf("%v: %d bytes, want %d", c.files, got, c.want)
		}
	}
}
