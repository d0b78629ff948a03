package config

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// samples are two values for each setting, by variable, so that tests can ask
// the same of all of them. A new setting needs a line here.
var samples = map[string][2]string{
	"TUNIC_LISTEN":                  {"0.0.0.0:4000", "unix:/run/tunic.sock"},
	"TUNIC_BACKEND":                 {"db.example:3306", "unix:/run/mysqld/mysqld.sock"},
	"TUNIC_ADMIN":                   {"127.0.0.1:9100", ":0"},
	"TUNIC_ADMIN_TOKEN_FILE":        {"/a/token", "/b/token"},
	"TUNIC_ADMIN_PPROF":             {"true", "false"},
	"TUNIC_BACKEND_TLS":             {"required", "verify-full"},
	"TUNIC_BACKEND_CA":              {"/a/ca.pem", "/b/ca.pem"},
	"TUNIC_BACKEND_CONNECT_TIMEOUT": {"2s", "3"},
	"TUNIC_SERVICE_USER":            {"tunic", "other"},
	"TUNIC_SERVICE_PASSWORD_FILE":   {"/a/password", "/b/password"},
	"TUNIC_SERVICE_PASSWORD":        {"one", "two"},
	"TUNIC_KEY":                     {"/a/key", "/b/key"},
	"TUNIC_KEY_PASSPHRASE_FILE":     {"/a/passphrase", "/b/passphrase"},
	"TUNIC_KEY_PASSPHRASE":          {"one", "two"},
	"TUNIC_PROJECT":                 {"000102030405060708090a0b0c0d0e0f", "ffeeddccbbaa99887766554433221100"},
	"TUNIC_PROJECT_STATE_FILE":      {"/a/state", "/b/state"},
	"TUNIC_POLICY_DEFAULT":          {"plain", "protect"},
	"TUNIC_POLICY_CEILING":          {"sealed", "equality"},
	"TUNIC_POLICY_KEYS":             {"refuse", "allow"},
	"TUNIC_POLICY_FAMILIES":         {"apart", "together"},
	"TUNIC_POLICY_LAYERS":           {"auto", "advise"},
	"TUNIC_POLICY_LAYERS_AFTER":     {"90s", "5m"},
	"TUNIC_CLIENTS_OTHERS":          {"plain", "refuse"},
	"TUNIC_TLS":                     {"required", "disabled"},
	"TUNIC_TLS_CERT":                {"/a/cert.pem", "/b/cert.pem"},
	"TUNIC_TLS_KEY":                 {"/a/key.pem", "/b/key.pem"},
	"TUNIC_TLS_CLIENT_CA":           {"/a/ca.pem", "/b/ca.pem"},
	"TUNIC_TLS_DIR":                 {"/a/tls", "/b/tls"},
	"TUNIC_MAX_CONNECTIONS":         {"1", "1000"},
	"TUNIC_MEMORY":                  {"1GiB", "2GiB"},
	"TUNIC_MAX_LOGINS":              {"3", "70"},
	"TUNIC_MAX_LOGINS_BY_ADDRESS":   {"2", "60"},
	"TUNIC_MAX_PACKET":              {"1GiB", "1048576"},
	"TUNIC_HANDSHAKE_TIMEOUT":       {"1", "2.5"},
	"TUNIC_IDLE_TIMEOUT":            {"0", "1h"},
	"TUNIC_WRITE_TIMEOUT":           {"0", "5s"},
	"TUNIC_DRAIN":                   {"0", "90"},
	"TUNIC_DRAIN_DELAY":             {"3", "5s"},
	"TUNIC_PROXY_PROTOCOL":          {"10.0.0.0/8", "10.1.2.3, fd00::/8"},
	"TUNIC_TAKEOVER_SOCKET":         {"/a/takeover", "/b/takeover"},
	"TUNIC_MAX_PREPARED_STATEMENTS": {"10", "20000"},
	"TUNIC_PLAN_CACHE_ENTRIES":      {"1", "100000"},
	"TUNIC_LOCAL_ROWS":              {"1", "5000000"},
	"TUNIC_LOCAL_BYTES":             {"1M", "2G"},
	"TUNIC_LOCAL_TOTAL_BYTES":       {"16M", "3G"},
	"TUNIC_PLAN_CACHE_BYTES":        {"64K", "1G"},
	"TUNIC_ROW_CACHE_BYTES":         {"0", "1G"},
	"TUNIC_LOG_FORMAT":              {"text", "json"},
	"TUNIC_LOG_LEVEL":               {"debug", "error"},
	"TUNIC_COMPRESSION":             {"true", "false"},
}

// TestLayers sets every setting in the file, then in the environment over the
// file, then with a flag over both, each time to another value than below.
func TestLayers(t *testing.T) {
	for i := range table {
		s := &table[i]
		t.Run(s.Env, func(t *testing.T) {
			sample, ok := samples[s.Env]
			if !ok {
				t.Fatal("no samples for this setting: add them")
			}
			l := loader{config: Default(), written: map[string]written{}}
			expect := func(layer, text string) {
				t.Helper()
				want := Default()
				mustSet(t, s, want, text)
				if diff := cmp.Diff(want, l.config, comparing); diff != "" {
					t.Errorf("after the %s:\n%s", layer, diff)
				}
			}
			if s.Key != "" {
				must(t, l.loadFile(tomlFile(t, s.Key, sample[0]), "--config"))
				expect("file", sample[0])
			}
			must(t, l.loadEnviron(map[string]string{s.Env: sample[1]}))
			expect("environment", sample[1])
			if s.Flag != "" {
				must(t, l.loadFlags(map[string]string{s.Flag: sample[0]}))
				expect("flag", sample[0])
			}
		})
	}
}

// comparing looks into what hides its fields.
var comparing = cmp.Options{cmp.AllowUnexported(Secret{}), cmpopts.EquateComparable(netip.Prefix{})}

func mustSet(t *testing.T, s *setting, c *Config, text string) {
	t.Helper()
	must(t, s.field(c).set(text))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tomlFile writes a file with one key below its tables.
func tomlFile(t *testing.T, key, value string) string {
	t.Helper()
	return writeFile(t, "tunic.toml", key+" = "+tomlValue(value)+"\n", 0o644)
}

// tomlValue writes booleans and whole numbers bare, as a person would.
func tomlValue(text string) string {
	if text == "true" || text == "false" || strings.Trim(text, "0123456789") == "" {
		return text
	}
	return `"` + text + `"`
}

func writeFile(t *testing.T, name, content string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, []byte(content), 0o600))
	must(t, os.Chmod(path, mode))
	return path
}

// TestSampleForEverySetting keeps samples from outliving their setting.
func TestSampleForEverySetting(t *testing.T) {
	if len(samples) != len(table) {
		t.Errorf("%d samples for %d settings", len(samples), len(table))
	}
}

// minimal is what a start needs, as flags.
func minimal() map[string]string {
	return map[string]string{"backend": "127.0.0.1:3306", "service-user": "tunic", "policy-default": "plain"}
}

const passwordSet = envPassword + "=hunter2"

// TestLoadMinimal is a whole start from the fewest flags: everything else has
// its default.
func TestLoadMinimal(t *testing.T) {
	got, err := Load(Sources{Flags: minimal(), Environ: []string{passwordSet, "HOME=/home/op"}})
	must(t, err)
	want := &Config{
		Listen:  "127.0.0.1:3307",
		Backend: Backend{Address: "127.0.0.1:3306", TLS: TLSPreferred, ConnectTimeout: 10 * time.Second},
		Service: Service{User: "tunic", Password: NewSecret("hunter2"), UserFrom: "--service-user", PasswordFrom: envPassword},
		Policy:  Policy{Default: PolicyPlain, Keys: KeysWarn, Families: FamiliesTogether, Layers: LayersOff, LayersAfter: time.Minute, Ceiling: CeilingOrder},
		Clients: Clients{Others: OthersRefuse},
		TLS:     ClientTLS{Mode: ClientTLSEnabled, Dir: "/home/op/.local/state/tunic/tls"},
		Limits: Limits{
			Connections: 4096, Logins: 64, LoginsByAddress: 32, PacketBytes: 64 << 20, PreparedStatements: 16382,
			HandshakeTimeout: 10 * time.Second, IdleTimeout: 8 * time.Hour,
			WriteTimeout: time.Minute, Drain: 30 * time.Second,
		},
		Local:       Local{Rows: 10_000_000, Bytes: 256 << 20, TotalBytes: 1 << 30},
		PlanCache:   PlanCache{Entries: 8192, Bytes: 32 << 20},
		RowCache:    RowCache{Bytes: 32 << 20},
		Log:         Log{Format: LogText, Level: LogInfo},
		Compression: true,
	}
	if diff := cmp.Diff(want, got, comparing); diff != "" {
		t.Error(diff)
	}
}

// TestLoadFile reads a file as the manual shows one, found by TUNIC_CONFIG and
// overridden by --config.
func TestLoadFile(t *testing.T) {
	password := writeFile(t, "password", "from file\n", 0o600)
	file := writeFile(t, "tunic.toml", `
listen = "127.0.0.1:4406"
compression = false

[backend]
address = "unix:/run/mysqld/mysqld.sock"
tls = "disabled"

[service]
user = "tunic_service"
password_file = "`+password+`"

[policy]
default = "plain"

[limits]
drain = 5          # whole seconds
idle_timeout = 1.5 # or parts of one
packet = "16MiB"
`, 0o644)
	environ := []string{envConfig + "=" + file}
	c, err := Load(Sources{Environ: environ})
	must(t, err)
	if c.Listen != "127.0.0.1:4406" || c.Backend.Address != "unix:/run/mysqld/mysqld.sock" || c.Compression {
		t.Errorf("not read from the file: %+v", c)
	}
	if c.Service.Password.Reveal() != "from file" {
		t.Error("the password is not that of the file")
	}
	if as := "service.password_file in " + file; c.Service.PasswordFrom != as || c.Service.UserFrom != "service.user in "+file {
		t.Errorf("the account is said to be from %q and %q", c.Service.UserFrom, c.Service.PasswordFrom)
	}
	if c.Limits.Drain != 5*time.Second || c.Limits.IdleTimeout != 1500*time.Millisecond || c.Limits.PacketBytes != 16<<20 {
		t.Errorf("limits not read: %+v", c.Limits)
	}

	other := writeFile(t, "other.toml", `listen = "127.0.0.1:5506"`, 0o644)
	flags := minimal()
	flags["service-password-file"] = password
	c, err = Load(Sources{Environ: environ, File: other, Flags: flags})
	must(t, err)
	if c.Listen != "127.0.0.1:5506" {
		t.Errorf("listen is %s: --config does not override %s", c.Listen, envConfig)
	}
}

// TestRelativePaths: a path in the file starts at the file's folder, a flag or a
// variable at the working folder.
func TestRelativePaths(t *testing.T) {
	for i := range table {
		s := &table[i]
		if s.Key == "" || !strings.Contains(s.Value, "PATH") {
			continue
		}
		prefix := ""
		if s.Value != "PATH" {
			prefix = unixPrefix
		}
		for _, c := range []struct{ path, want string }{
			{"here", "conf/here"}, {"./a/../here", "conf/here"}, {"../here", "here"}, {"/abs/here", "/abs/here"},
		} {
			t.Chdir(t.TempDir())
			must(t, os.Mkdir("conf", 0o700))
			must(t, os.WriteFile("conf/tunic.toml", []byte(s.Key+" = '"+prefix+c.path+"'"), 0o600))
			l := loader{config: Default(), written: map[string]written{}}
			must(t, l.loadFile("conf/tunic.toml", "--config"))
			expectSetting(t, s, l.config, prefix+c.want)
			must(t, l.loadEnviron(map[string]string{s.Env: prefix + c.path}))
			expectSetting(t, s, l.config, prefix+c.path)
		}
	}
	l := loader{config: Default(), written: map[string]written{}}
	must(t, l.loadFile(tomlFile(t, "listen", "unix:@abstract"), "--config"))
	if l.config.Listen != "unix:@abstract" {
		t.Errorf("an abstract socket became %s", l.config.Listen)
	}
}

// expectSetting wants got to have text in one setting.
func expectSetting(t *testing.T, s *setting, got *Config, text string) {
	t.Helper()
	want := Default()
	mustSet(t, s, want, text)
	if diff := cmp.Diff(want, got, comparing); diff != "" {
		t.Errorf("%s: %s", s.Env, diff)
	}
}

func TestNetwork(t *testing.T) {
	for _, c := range []struct{ in, network, addr string }{
		{"127.0.0.1:3306", "tcp", "127.0.0.1:3306"},
		{"[::1]:3306", "tcp", "[::1]:3306"},
		{"unix:/run/x.sock", "unix", "/run/x.sock"},
		{"unix:relative", "unix", "relative"},
	} {
		network, addr := Network(c.in)
		if network != c.network || addr != c.addr {
			t.Errorf("Network(%q) = %q, %q; want %q, %q", c.in, network, addr, c.network, c.addr)
		}
	}
}

func TestStateDir(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "HOME": "/h"}, "/var/lib/a"},
		{map[string]string{"XDG_STATE_HOME": "/x", "HOME": "/h"}, "/x/tunic"},
		{map[string]string{"HOME": "/h"}, "/h/.local/state/tunic"},
		{nil, "/var/lib/tunic"},
	} {
		if got := stateDir(c.env); got != c.want {
			t.Errorf("stateDir(%v) = %s, want %s", c.env, got, c.want)
		}
	}
}
