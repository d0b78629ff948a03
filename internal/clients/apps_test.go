package clients

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/canarytest"
)

// An application is a program below test/apps, which uses a framework as people use it.
type application struct {
	name string // of its folder, and of what scripts/install-apps.sh installs for it
	// build returns the command that runs it, or none and what is missing.
	build func(t *testing.T, flavor sandbox.Flavor) (command []string, why string)
	// smoke: the quick one that runs without TUNIC_LONG=1.
	smoke bool
}

var applications = []application{
	{name: "django", build: pythonApp("django")},
	{name: "sqlalchemy", build: pythonApp("sqlalchemy"), smoke: true},
	{name: "node", build: nodeApp},
	{name: "hibernate", build: hibernateApp},
}

// appTime bounds one run of an application.
const appTime = 5 * time.Minute

// TestApps runs every application on a plain server, and on another one through a tunic
// that protects every column that it can. What each step says is the same, and the
// server behind tunic has none of the values that were written.
func TestApps(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			for _, a := range applications {
				t.Run(a.name, func(t *testing.T) {
					if !long() && (!a.smoke || flavor != sandbox.MariaDB) {
						t.Skip("takes minutes; set TUNIC_LONG=1 or run `make apps`")
					}
					a.compare(t, flavor)
				})
			}
		})
	}
}

// compare runs an application on both servers.
func (a *application) compare(t *testing.T, flavor sandbox.Flavor) {
	command, why := a.build(t, flavor)
	if command == nil {
		t.Skip(why)
	}
	plain := canarytest.Start(t, flavor, sandbox.Options{TLS: true})
	direct := a.run(t, command, flavor, route{"directly", plain.Addr, plain.CAFile, ""})
	for _, step := range direct {
		if step.failed {
			t.Errorf("directly: %s ! %s", step.name, step.result)
		}
	}
	var log canarytest.Log
	f := &fixture{server: canarytest.Start(t, flavor, sandbox.Options{TLS: true})}
	_, through := f.start(t.Context(), t, "tunic", sandbox.TunicOptions{
		Backend: f.server.Addr, Protect: true, Args: []string{"--policy-default", "protect", "--log-level", "debug"}, Log: &log,
	})
	got := a.run(t, command, flavor, through)
	for _, complaint := range a.passRefusals(t, flavor, direct, got) {
		t.Error(complaint)
	}
	for _, difference := range stepDifferences(direct, got) {
		t.Error(difference)
	}
	t.Logf("%d steps", len(direct))
	clean(t, plain, f.server, &log)
}

// clean looks for what the application has written: in all that the plain server
// writes, or the search proves nothing, and nowhere behind tunic.
func clean(t *testing.T, plain, stored *sandbox.Server, log *canarytest.Log) {
	t.Helper()
	places := slices.DeleteFunc(canarytest.PlacesOf(plain.Flavor, appDatabase), func(p canarytest.Place) bool {
		return p.Name != "binary log" && p.Name != "general log" && p.Name != "redo log" // what no application can take back
	})
	if missing := canarytest.Unseen(places, canarytest.Written(t, plain)); len(missing) > 0 {
		t.Errorf("a plain server has no canary in its %s: the search does not see", strings.Join(missing, ", "))
	}
	for _, s := range canarytest.Written(t, stored) {
		t.Errorf("behind tunic: %s", s)
	}
	for _, s := range canarytest.LookInto("tunic's log", log.Bytes()) {
		t.Error(s)
	}
}

// appDatabase is the database of an application, on either server.
const appDatabase = "app"

// run runs an application once, in an empty database.
func (a *application) run(t *testing.T, command []string, flavor sandbox.Flavor, r route) []appStep {
	t.Helper()
	f := &fixture{}
	f.makeDatabase(t, r, appDatabase)
	ctx, cancel := context.WithTimeout(t.Context(), appTime)
	defer cancel()
	host, port, _ := net.SplitHostPort(r.addr)
	program := exec.CommandContext(ctx, command[0], command[1:]...)
	program.Dir = appPath(a.name)
	program.Env = append(os.Environ(), "APP_HOST="+host, "APP_PORT="+port, "APP_USER="+sandbox.AppUser, "APP_PASSWORD="+sandbox.AppPassword,
		"APP_DATABASE="+appDatabase, "APP_CA="+r.ca, "APP_FLAVOR="+strings.ToLower(string(flavor)))
	var output, complaints bytes.Buffer
	program.Stdout, program.Stderr = &output, &complaints
	err := program.Run()
	if status := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &status) || status.ExitCode() != 1) {
		t.Errorf("%s: the application ended with %v", r.name, err)
	}
	if said := strings.TrimSpace(complaints.String()); said != "" {
		t.Logf("%s: standard error:\n%.8000s", r.name, said)
	}
	return parseSteps(output.String())
}

// An appStep is one line of an application's report.
type appStep struct {
	name, result string
	failed       bool // by an error that the step did not expect
}

// parseSteps reads the lines `NAME = RESULT` and `NAME ! ERROR`, and passes over all
// others.
func parseSteps(output string) (steps []appStep) {
	for line := range strings.Lines(output) {
		name, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		sign, result, ok := strings.Cut(rest, " ")
		if ok && (sign == "=" || sign == "!") {
			steps = append(steps, appStep{name, result, sign == "!"})
		}
	}
	return steps
}

// stepDifferences says where two runs of an application are not the same.
func stepDifferences(want, got []appStep) (all []string) {
	if len(want) == 0 {
		return []string{"no step was reported"}
	}
	for i, w := range want {
		switch {
		case i >= len(got):
			all = append(all, w.name+": not reported through tunic")
		case got[i].name != w.name:
			return append(all, fmt.Sprintf("step %d is %s directly, %s through tunic", i, w.name, got[i].name))
		case got[i] != w:
			all = append(all, fmt.Sprintf("%s:\n%s", w.name, sideBySide(w.result, got[i].result)))
		}
	}
	if len(got) > len(want) {
		all = append(all, got[len(want)].name+": not reported directly")
	}
	return all
}

// passRefusals takes the steps that are known to be refused out of the comparison: those
// of testdata/apps-refused.txt. It complains of one that is refused no more.
func (a *application) passRefusals(t *testing.T, flavor sandbox.Flavor, want, got []appStep) (complaints []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "apps-refused.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 4 || f[0] == "#" || f[0] != "both" && f[0] != strings.ToLower(string(flavor)) || f[1] != a.name {
			continue
		}
		i := slices.IndexFunc(got, func(s appStep) bool { return s.name == f[2] })
		switch {
		case i < 0 || i >= len(want) || want[i].name != f[2]:
			complaints = append(complaints, f[2]+": is to be refused, and is no step")
		case !strings.Contains(got[i].result, f[3]):
			complaints = append(complaints, f[2]+": is refused with "+f[3]+" no more; take it out of apps-refused.txt")
		default:
			got[i] = want[i]
		}
	}
	return complaints
}

// sideBySide is where two texts begin to differ.
func sideBySide(directly, through string) string {
	const before, behind = 60, 300
	at := 0
	for at < min(len(directly), len(through)) && directly[at] == through[at] {
		at++
	}
	from := max(0, at-before)
	cut := func(s string) string { return s[from:min(len(s), at+behind)] }
	return "  directly       …" + cut(directly) + "\n  through tunic  …" + cut(through)
}

// appPath returns a path below test/apps.
func appPath(elements ...string) string {
	return filepath.Join(append([]string{sandbox.Root(), "test", "apps"}, elements...)...)
}

// appInstalled returns the path of something scripts/install-apps.sh puts below
// .tunic/apps.
func appInstalled(elements ...string) string {
	return filepath.Join(append([]string{sandbox.StateDir(), "apps"}, elements...)...)
}

// lacking returns what of these is not there, as missing does.
func lacking(things ...string) string {
	if why := missing(things...); why != "" {
		return strings.Replace(why, install, "run `make apps`", 1)
	}
	return ""
}

func pythonApp(name string) func(*testing.T, sandbox.Flavor) ([]string, string) {
	return func(*testing.T, sandbox.Flavor) ([]string, string) {
		python := appInstalled(name, "bin", "python")
		if why := lacking(python); why != "" {
			return nil, why
		}
		return []string{python, "-B", "scenario.py"}, ""
	}
}

func nodeApp(*testing.T, sandbox.Flavor) ([]string, string) {
	if why := lacking("node", appInstalled("node", "node_modules", "sequelize")); why != "" {
		return nil, why
	}
	return []string{"env", "NODE_PATH=" + appInstalled("node", "node_modules"), "node", "scenario.js"}, ""
}

// hibernateApp compiles the entities and the scenario.
func hibernateApp(t *testing.T, _ sandbox.Flavor) ([]string, string) {
	t.Helper()
	if why := lacking("java", "javac", appInstalled("hibernate")); why != "" {
		return nil, why
	}
	jars, _ := filepath.Glob(appInstalled("hibernate", "*.jar"))
	sources, _ := filepath.Glob(appPath("hibernate", "*.java"))
	path, classes := strings.Join(jars, string(filepath.ListSeparator)), t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), buildTime)
	defer cancel()
	arguments := append([]string{"-Xlint:all,-processing,-classfile,-serial,-deprecation", "-Werror", "-proc:none", "-d", classes, "-cp", path}, sources...)
	if out, err := exec.CommandContext(ctx, "javac", arguments...).CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	return []string{"java", "-XX:TieredStopAtLevel=1", "-Xmx512m", "-cp", path + string(filepath.ListSeparator) + classes, "Scenario"}, ""
}

func TestStepDifferences(t *testing.T) {
	want := parseSteps("noise\na = 1\nb = [2]\nc ! Error: x\nd = 4\n")
	got := parseSteps("a = 1\nb = [3]\nc ! Error: x\n")
	all := stepDifferences(want, got)
	if len(all) != 2 || !strings.HasPrefix(all[0], "b:\n") || all[1] != "d: not reported through tunic" {
		t.Errorf("got %q", all)
	}
	if all := stepDifferences(want, parseSteps("a = 1\nc = 2\n")); len(all) != 1 || !strings.Contains(all[0], "step 1 is b directly, c through") {
		t.Errorf("got %q", all)
	}
	if all := stepDifferences(nil, nil); len(all) != 1 {
		t.Error("an application without steps passes")
	}
}
