package clients

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// scenarioTime bounds one run of a scenario.
const scenarioTime = 3 * time.Minute

// TestClients runs every scenario on every server, directly and through tunic.
func TestClients(t *testing.T) {
	racetest.InOrder(t)
	names := checkNames(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			f := newFixture(t, flavor)
			f.fillNumbers(t.Context(), t)
			for _, c := range scenarios {
				t.Run(c.name, func(t *testing.T) {
					if testing.Short() && !c.short {
						t.Skip("left out with -short")
					}
					t.Parallel()
					f.compare(t, c, names, "", f.tunic)
				})
			}
		})
	}
}

// loginScenarios are of the libraries that log in by code of their own.
var loginScenarios = []string{"go", "pymysql", "mysql2", "mariadbjava", "mysqljava", "libmariadb", "mysql"}

// TestLogins logs in where tunic reaches the server otherwise than TestClients
// does, by TLS over TCP: how a password may travel depends on both links.
func TestLogins(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: TestClients logs in as well")
	}
	names := slices.DeleteFunc(checkNames(t), func(name string) bool { return !strings.HasPrefix(name, "login.") })
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			f := newFixture(t, flavor)
			_, tcp := f.startTunic(t.Context(), t, "tcp", f.server.Addr, "--backend-tls", "disabled")
			_, socket := f.startTunic(t.Context(), t, "socket", "unix:"+f.server.Socket, "--backend-tls", "disabled")
			if err := f.server.Exec(t.Context(), "CREATE DATABASE clients"); err != nil {
				t.Fatal(err)
			}
			for _, c := range scenarios {
				if !slices.Contains(loginScenarios, c.name) {
					continue
				}
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					f.compare(t, c, names, "login.", tcp, socket)
				})
			}
		})
	}
}

// compare runs the checks of a scenario whose names begin with only, directly and
// on the routes.
func (f *fixture) compare(t *testing.T, c scenario, names []string, only string, routes ...route) {
	command, why := c.build(t)
	c.has(t, command != nil, why)
	c.env = append(slices.Clip(c.env), "CLIENT_ONLY="+only)
	direct := f.runDirectly(t, c, command, names)
	t.Logf("directly %s", direct)
	for _, r := range routes {
		for _, difference := range f.run(t, c, command, r).differences(direct) {
			t.Errorf("%s: %s", r.name, difference)
		}
	}
}

// runDirectly runs a scenario without tunic, where every check has to pass. A second
// time decides: under load, a server and a library have been seen to misunderstand
// each other once in thousands of logins.
func (f *fixture) runDirectly(t *testing.T, c scenario, command, names []string) report {
	direct := f.run(t, c, command, f.direct)
	complaints := direct.complaints(names)
	if len(complaints) == 0 {
		return direct
	}
	t.Logf("directly, at first: %q", complaints)
	again := f.direct
	again.name += "_again" // its databases and accounts are others
	direct = f.run(t, c, command, again)
	for _, complaint := range direct.complaints(names) {
		t.Errorf("directly: %s", complaint)
	}
	return direct
}

// run runs a scenario once and returns its report.
func (f *fixture) run(t *testing.T, c scenario, command []string, r route) report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), scenarioTime)
	defer cancel()
	name := c.name + "_" + r.name
	f.prepare(ctx, t, name)
	program := exec.CommandContext(ctx, command[0], command[1:]...)
	program.Dir = scenarioPath(c.folder)
	program.Env = append(os.Environ(), append(f.environment(r, name, t.TempDir()), c.env...)...)
	var output, complaints bytes.Buffer
	program.Stdout, program.Stderr = &output, &complaints
	err := program.Run()
	all, parseErr := parseReport(&output)
	if parseErr != nil {
		t.Errorf("%s: %v", r.name, parseErr)
	}
	// A scenario with a failed check ends with status 1; any other end, or none in
	// time, is a crash, and the checks that follow it are missing.
	if status := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &status) || status.ExitCode() != 1) {
		t.Errorf("%s: the scenario ended with %v", r.name, err)
	}
	if said := strings.TrimSpace(complaints.String()); said != "" {
		t.Logf("%s: standard error:\n%.4000s", r.name, said)
	}
	return all
}
