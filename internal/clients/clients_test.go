package clients

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"tunic/internal/sandbox"
)

// scenarioTime bounds one run of a scenario.
const scenarioTime = 3 * time.Minute

func unavailable(err error) bool { return errors.Is(err, sandbox.ErrUnavailable) }

// TestClients runs every scenario on every server, directly and through tunic.
func TestClients(t *testing.T) {
	names := checkNames(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			f := newFixture(t, flavor)
			f.fillNumbers(t.Context(), t)
			for _, c := range scenarios {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					f.compare(t, c, names)
				})
			}
		})
	}
}

// compare runs a scenario on both routes.
func (f *fixture) compare(t *testing.T, c scenario, names []string) {
	command, why := c.command(t)
	mustHave(t, command != nil, why)
	direct := f.run(t, c, command, f.direct)
	for _, complaint := range direct.complaints(names) {
		t.Errorf("directly: %s", complaint)
	}
	through := f.run(t, c, command, f.tunic)
	for _, difference := range through.differences(direct) {
		t.Error(difference)
	}
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
