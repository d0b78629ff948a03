package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"maps"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"tunic/internal/config"
	"tunic/internal/plan"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// parseServe parses the arguments of serve and gives the settings they make.
func parseServe(t *testing.T, args ...string) map[string]string {
	t.Helper()
	cli := commandLine{Serve: serveCmd{Settings: settingFlags(everySetting)}}
	parser, err := kong.New(&cli, kong.Name("tunic"))
	if err != nil {
		t.Fatal(err)
	}
	command, err := parser.Parse(append([]string{"serve"}, args...))
	if err != nil {
		t.Fatal(err)
	}
	return givenFlags(command)
}

// TestEverySettingIsAFlag gives each setting on the command line, and nothing
// else.
func TestEverySettingIsAFlag(t *testing.T) {
	racetest.InOrder(t)
	if got := parseServe(t); len(got) != 0 {
		t.Errorf("settings that nobody gave: %v", got)
	}
	for _, s := range config.Settings() {
		if s.Flag == "" {
			continue
		}
		arg, want := "--"+s.Flag+"=x y", "x y"
		if s.Bool {
			arg, want = "--"+s.Flag, "true"
		}
		if diff := cmp.Diff(map[string]string{s.Flag: want}, parseServe(t, arg)); diff != "" {
			t.Errorf("%s: %s", arg, diff)
		}
	}
}

// TestFlagForms are the ways a flag can be written.
func TestFlagForms(t *testing.T) {
	got := parseServe(t, "--listen", "a:1", "--drain=", "--no-compression", "--admin-pprof=false", "--listen", "b:2")
	want := map[string]string{"listen": "b:2", "drain": "", "compression": "false", "admin-pprof": "false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestConfigErrors: every kind of mistake in the configuration has a code, and
// with it an exit status.
func TestConfigErrors(t *testing.T) {
	for kind := config.UnknownSetting; kind <= config.OpenPasswordFile; kind++ {
		err := configError(&config.Error{Kind: kind, Setting: "--x", Problem: "is wrong", Fix: "mend it"})
		start, ok := errors.AsType[*sqlerr.StartError](err)
		if !ok || start.Code.Class() != sqlerr.Startup {
			t.Errorf("kind %d has no code: %v", kind, err)
		}
		if !strings.Contains(err.Error(), ": --x: is wrong; mend it (") {
			t.Errorf("kind %d lost its text: %v", kind, err)
		}
	}
	if codes := slices.Compact(slices.Sorted(maps.Values(configCodes))); len(codes) != len(configCodes) {
		t.Errorf("two kinds have one code: %v", configCodes)
	}
}

func TestLogger(t *testing.T) {
	for _, c := range []struct {
		cfg  config.Log
		want string
	}{
		{config.Log{Format: config.LogText, Level: config.LogInfo}, "level=INFO msg=i\nlevel=WARN msg=w\nlevel=ERROR msg=e\n"},
		{config.Log{Format: config.LogJSON, Level: config.LogError}, `{"level":"ERROR","msg":"e"}` + "\n"},
		{config.Log{Format: config.LogText, Level: config.LogWarn}, "level=WARN msg=w\nlevel=ERROR msg=e\n"},
		{config.Log{Format: config.LogText, Level: config.LogDebug}, "level=DEBUG msg=d\nlevel=INFO msg=i\nlevel=WARN msg=w\nlevel=ERROR msg=e\n"},
	} {
		var out bytes.Buffer
		log := newLogger(c.cfg, &out)
		log.Debug("d")
		log.Info("i")
		log.Warn("w")
		log.Error("e")
		if diff := cmp.Diff(c.want, withoutTime(out.String())); diff != "" {
			t.Errorf("%v:\n%s", c.cfg, diff)
		}
	}
}

// withoutTime takes the time from each line.
func withoutTime(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if _, rest, ok := strings.Cut(line, "Z level"); ok {
			line = "level" + rest
		} else if _, rest, ok := strings.Cut(line, `Z",`); ok {
			line = "{" + rest
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestCommitOf(t *testing.T) {
	const full = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct {
		settings []debug.BuildSetting
		want     string
	}{
		{nil, "unknown"},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: full}, {Key: "vcs.modified", Value: "false"}}, "0123456789ab"},
		{[]debug.BuildSetting{{Key: "vcs.modified", Value: "true"}, {Key: "vcs.revision", Value: full}}, "0123456789ab+"},
		{[]debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}}, "abc"},
	} {
		if got := commitOf(c.settings); got != c.want {
			t.Errorf("commitOf(%v) = %s, want %s", c.settings, got, c.want)
		}
	}
}

// TestReloadOn: a failed reload is told with its code, and is not the last.
func TestReloadOn(t *testing.T) {
	var out bytes.Buffer
	hangups := make(chan os.Signal)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	answers := []error{nil, configError(&config.Error{Kind: config.BadValue, Setting: "x", Problem: "is wrong", Fix: "mend it"}), errors.New("broken"), nil}
	again := func() (config.Changes, error) {
		err := answers[0]
		answers = answers[1:]
		return config.Changes{Applied: []string{"limits.drain"}, Restart: []string{"listen"}}, err
	}
	go func() {
		defer close(done)
		reloadOn(ctx, hangups, again, newLogger(config.Log{Format: config.LogText, Level: config.LogInfo}, &out))
	}()
	for range 4 {
		hangups <- syscall.SIGHUP
	}
	cancel()
	<-done
	want := `level=INFO msg=reloaded changed=[limits.drain] needs_restart=[listen]
level=ERROR msg="nothing reloaded: all stays as it was" code=TUNIC-1003 error="TUNIC-1003: x: is wrong; mend it (see tunic help TUNIC-1003)"
level=ERROR msg="nothing reloaded: all stays as it was" code=TUNIC-1901 error=broken
level=INFO msg=reloaded changed=[limits.drain] needs_restart=[listen]
`
	if diff := cmp.Diff(want, withoutTime(out.String())); diff != "" {
		t.Error(diff)
	}
}

// TestServeGivesBack: a start that fails after tunic listens leaves nobody who
// listens, and no account logged in.
func TestServeGivesBack(t *testing.T) {
	db := sandboxtest.Own(t, sandbox.MariaDB)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	cfg := config.Default()
	cfg.Listen = freeAddr(t)
	cfg.Backend.Address, cfg.Backend.TLS = db.Addr, config.TLSDisabled
	cfg.Service.User, cfg.Service.Password = sandbox.ServiceUser, config.NewSecret(sandbox.ServicePassword)
	cfg.TLS.Mode, cfg.Policy.Default, cfg.Admin.Address = config.ClientTLSDisabled, config.PolicyPlain, taken.Addr().String()
	p := &process{cfg: cfg, log: slog.New(slog.DiscardHandler), drain: func() {}}
	err = p.serve(t.Context(), t.Context(), nil)
	if start, ok := errors.AsType[*sqlerr.StartError](err); !ok || start.Setting != "--admin" {
		t.Fatalf("%v, want a mistake of --admin", err)
	}
	if _, err := net.Dial("tcp", cfg.Listen); err == nil {
		t.Error("somebody still listens")
	}
	admin, err := sql.Open("mysql", db.DSN("root", "root", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	const left = "SELECT COUNT(*) FROM information_schema.processlist WHERE user = '" + sandbox.ServiceUser + "'"
	n := -1
	for end := time.Now().Add(programLimit); n != 0 && time.Now().Before(end); {
		if err := admin.QueryRowContext(t.Context(), left).Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	if n != 0 {
		t.Errorf("%d connections of the service account stay", n)
	}
}

// TestCommandLabels: the metrics count each command under the name that the
// protocol gives it.
func TestCommandLabels(t *testing.T) {
	want, got := map[string]float64{}, map[string]float64{}
	m := newMetrics()
	for b := range 256 {
		for range b + 1 {
			m.Command(byte(b)).Inc()
		}
		name := wire.Command(b).String()
		want[strings.ToLower(strings.TrimPrefix(name, "COM_"))] += float64(b + 1)
	}
	families, err := m.Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != "tunic_commands_total" {
			continue
		}
		for _, sample := range family.GetMetric() {
			got[sample.GetLabel()[0].GetValue()] = sample.GetCounter().GetValue()
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestMetricLabels: the lists that other rooms own have no value twice, which
// would spoil every scrape.
func TestMetricLabels(t *testing.T) {
	m := newMetrics()
	for kind := range statementKinds() {
		for action := range plan.ActionNames() {
			m.Statement(kind, action).Inc()
		}
	}
	for _, code := range clientCodes() {
		m.Refusal(code).Inc()
	}
	if _, err := m.Gatherer().Gather(); err != nil {
		t.Error(err)
	}
}
