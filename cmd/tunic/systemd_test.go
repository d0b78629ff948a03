package main

import (
	"database/sql"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

// TestSystemdSockets: tunic serves at sockets that it was started with, as systemd starts it, and a client
// that has come before is served.
func TestSystemdSockets(t *testing.T) {
	db := sandboxtest.Own(t, sandbox.MariaDB)
	binary, err := sandbox.TunicBinary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var files []*os.File
	var addrs []string
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		file, err := l.(*net.TCPListener).File()
		if err != nil {
			t.Fatal(err)
		}
		_ = l.Close()
		files, addrs = append(files, file), append(addrs, l.Addr().String())
	}
	client, err := sql.Open("mysql", "app:app@tcp("+addrs[0]+")/test")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	waits := make(chan error, 1)
	go func() { waits <- client.PingContext(t.Context()) }() // nobody accepts yet

	const script = `LISTEN_PID=$$ exec "$@"`
	tunic := exec.CommandContext(t.Context(), "sh", "-c", script, "sh", binary, "serve", "--backend", db.Addr, "--service-user", sandbox.ServiceUser,
		"--policy-default", "plain", "--tls", "disabled", "--listen", "127.0.0.1:1", "--drain", "0")
	tunic.Env = append(sandbox.WithoutSettings(os.Environ()), "TUNIC_SERVICE_PASSWORD="+sandbox.ServicePassword, "LISTEN_FDS=2", "LISTEN_FDNAMES=tunic.socket:admin")
	tunic.ExtraFiles = files
	var log strings.Builder
	tunic.Stderr = &log
	if err := tunic.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		_ = f.Close()
	}
	if err := <-waits; err != nil {
		t.Error(err)
	}
	if text, err := pageAt("http://" + addrs[1] + "/healthz"); err != nil || !strings.HasPrefix(text, "200") {
		t.Errorf("the page for operators: %s, %v", text, err)
	}
	_ = client.Close()
	_ = tunic.Process.Signal(syscall.SIGTERM)
	ended := make(chan error, 1)
	go func() { ended <- tunic.Wait() }()
	select {
	case err := <-ended:
		if err != nil || !strings.Contains(log.String(), "listen="+addrs[0]) {
			t.Errorf("%v, and the log:\n%s", err, log.String())
		}
	case <-time.After(programLimit):
		_ = tunic.Process.Kill()
		t.Fatal("it did not end")
	}
}
