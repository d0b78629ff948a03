package server

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
)

// TestListenUnix: a socket file that a killed process has left is taken over,
// one at which somebody listens is not, and neither is another file.
func TestListenUnix(t *testing.T) {
	server := mariaDB(t)
	dir, err := os.MkdirTemp("", "tunic") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	cfg := proxySettings(t, server.Addr)
	cfg.Listen = "unix:" + path
	if err := (&Server{cfg: cfg}).Listen(); err == nil || !strings.Contains(err.Error(), "taken") {
		t.Errorf("while another listens: %v", err)
	}
	left.SetUnlinkOnClose(false)
	_ = left.Close()
	startProxy(t, cfg)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o777 {
		t.Errorf("the socket: %v, %v; want mode 0777, as the servers' own have", info, err)
	}
	db := client(t, path, "app", "app", func(c *mysql.Config) { c.Net = "unix" })
	if err := db.Ping(); err != nil {
		t.Error("over the socket: ", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg.Listen = "unix:" + file
	if err := (&Server{cfg: cfg}).Listen(); err == nil || !strings.Contains(err.Error(), "a file that is no socket has this path") {
		t.Errorf("at another file: %v", err)
	}
	if kept, err := os.ReadFile(file); err != nil || string(kept) != "kept" {
		t.Errorf("the file holds %q, %v", kept, err)
	}
}

// TestListenIPv4: an address of IPv4 is not one of IPv6 as well.
func TestListenIPv4(t *testing.T) {
	cfg := proxySettings(t, mariaDB(t).Addr)
	cfg.Listen = "0.0.0.0:0"
	_, addr := startProxy(t, cfg)
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	if err := client(t, "127.0.0.1:"+port, "app", "app", nil).Ping(); err != nil {
		t.Error(err)
	}
	if conn, err := net.Dial("tcp", "[::1]:"+port); err == nil {
		_ = conn.Close()
		t.Error("it listens by IPv6")
	}
}
