package main

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tunic/internal/status"
)

// TestSettingsOfTunic: commands that ask a tunic find it by its settings, and a flag is above them.
func TestSettingsOfTunic(t *testing.T) {
	const token = "0123456789abcdef0123"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_ = json.NewEncoder(w).Encode(status.Snapshot{Format: status.Format, Health: status.Health{State: status.Ready}})
	}))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "tunic.toml")
	settings := "listen = \"0.0.0.0:4444\"\n[backend]\naddress = \"127.0.0.1:1\"\n[service]\nuser = \"u\"\n[policy]\ndefault = \"plain\"\n" +
		"[admin]\naddress = \"0.0.0.0:" + port + "\"\ntoken_file = \"" + filepath.Join(dir, "token") + "\"\n"
	for name, text := range map[string]string{"tunic.toml": settings, "token": token + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, v := range os.Environ() { // what the tests are told is no setting, and a developer's own is not this tunic's
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "TUNIC_") {
			t.Setenv(name, "") // which puts it back
			_ = os.Unsetenv(name)
		}
	}
	var out strings.Builder
	if err := run([]string{"status", "--config", file}, &out, &out); err != nil || !strings.Contains(out.String(), "ready") {
		t.Errorf("%v, %s", err, out.String())
	}
	if err := run([]string{"status", "--config", file, "--admin", "127.0.0.1:1"}, &out, &out); err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Errorf("a flag: %v", err)
	}
	for _, c := range []struct {
		explainCmd
		host string
		port int
	}{
		{explainCmd{Config: file}, "127.0.0.1", 4444},
		{explainCmd{Config: file, Port: 5}, "127.0.0.1", 5},
		{explainCmd{Config: file, Host: "db"}, "db", 3307},
		{explainCmd{}, "127.0.0.1", 3307},
	} {
		if err := c.findTunic(); err != nil || c.Host != c.host || c.Port != c.port || c.Socket != "" {
			t.Errorf("%s:%d %s, want %s:%d: %v", c.Host, c.Port, c.Socket, c.host, c.port, err)
		}
	}
}
