package release

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tunic/internal/config"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m, sandboxtest.NoLeaks)) }

// read is the text of a file of the repository.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(sandbox.Root(), path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// write makes a file that is closed to others.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSettings: the settings that are handed out are read, and say what they are to.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		file, secrets string
		environ       []string
		listen, admin string
		key           string
		state         string
	}{
		{"deploy/packages/tunic.toml", "", nil, "127.0.0.1:3307", "127.0.0.1:9307", "tunic.key", "/var/lib/tunic/ledger-seen"},
		{"deploy/kubernetes/tunic.toml", "/etc/tunic-secret/", []string{"TUNIC_LISTEN=0.0.0.0:3307", "TUNIC_ADMIN=0.0.0.0:9307"}, "0.0.0.0:3307", "0.0.0.0:9307", "tunic.key", ""},
	} {
		dir := t.TempDir()
		text := read(t, c.file)
		if c.secrets != "" {
			text = strings.ReplaceAll(text, c.secrets, dir+"/")
		}
		write(t, filepath.Join(dir, "tunic.toml"), text)
		write(t, filepath.Join(dir, "service-password"), "service\n")
		cfg, err := config.Load(config.Sources{Environ: c.environ, File: filepath.Join(dir, "tunic.toml")})
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if cfg.Listen != c.listen || cfg.Admin.Address != c.admin || cfg.Key.File != filepath.Join(dir, c.key) || cfg.Project.StateFile != c.state || cfg.Service.User != sandbox.ServiceUser {
			t.Errorf("%s: %+v", c.file, cfg)
		}
		if cfg.Policy.Default != config.PolicyProtect || cfg.Limits.Drain != config.Default().Limits.Drain {
			t.Errorf("%s: policy %s, drain %v", c.file, cfg.Policy.Default, cfg.Limits.Drain)
		}
	}
}

// TestCommentedSettings: what is commented out in the package's settings would be read as well.
func TestCommentedSettings(t *testing.T) {
	dir := t.TempDir()
	text := regexp.MustCompile(`(?m)^#((?:\w+ = |\[\[).*)$`).ReplaceAllString(read(t, "deploy/packages/tunic.toml"), "$1")
	text = strings.Replace(text, `tls = "preferred"`, `tls = "verify-full"`, 1) // as the comment says of ca
	write(t, filepath.Join(dir, "tunic.toml"), text)
	write(t, filepath.Join(dir, "service-password"), "service\n")
	cfg, err := config.Load(config.Sources{File: filepath.Join(dir, "tunic.toml")})
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.Clients.Accounts) != 1 || cfg.TLS.Cert == "" || cfg.TLS.Key == "" || cfg.Backend.CA == "" {
		t.Errorf("not all is there: %+v", cfg)
	}
}

// unit is a service of systemd: its settings by their keys, the last one of each.
func unit(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for line := range strings.Lines(read(t, "deploy/packages/tunic.service")) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(key, "#") {
			found[key] = value
		}
	}
	return found
}

// TestService: the limits of the service are above those of the program's defaults.
func TestService(t *testing.T) {
	u, limits := unit(t), config.Default().Limits
	stop, err := strconv.Atoi(u["TimeoutStopSec"])
	if err != nil || time.Duration(stop)*time.Second < limits.Drain+5*time.Second {
		t.Errorf("TimeoutStopSec is %q, --drain %v", u["TimeoutStopSec"], limits.Drain)
	}
	files, err := strconv.Atoi(u["LimitNOFILE"])
	if err != nil || files < 2*limits.Connections {
		t.Errorf("LimitNOFILE is %q, and each of %d clients takes two", u["LimitNOFILE"], limits.Connections)
	}
	for key, want := range map[string]string{
		"KillSignal": "SIGTERM", "ExecReload": "/bin/kill -HUP $MAINPID", "User": "tunic", "Group": "tunic",
		"ProtectSystem": "strict", "NoNewPrivileges": "yes", "CapabilityBoundingSet": "", "StateDirectory": "tunic",
	} {
		if got, ok := u[key]; !ok || got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}
