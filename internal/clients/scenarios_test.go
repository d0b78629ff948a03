package clients

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tunic/internal/sandbox"
)

// buildTime bounds the compilation of a scenario.
const buildTime = 3 * time.Minute

// A scenario is one client's program.
type scenario struct {
	name   string // of letters only: databases and accounts are named after it
	folder string // below test/clients
	env    []string
	// build returns the command that runs it, or none and what is missing.
	build func(t *testing.T) (command []string, why string)
	// optional: it may be missing everywhere, as the server it comes with may.
	optional bool
	// short: the quick ones that between them use all of the protocol run even
	// with -short, which is how the race detector watches tunic.
	short bool
}

// has skips the test of a scenario that cannot be run, or fails it where every one
// must.
func (c scenario) has(t *testing.T, have bool, why string) {
	t.Helper()
	if !have && c.optional {
		t.Skip(why)
	}
	mustHave(t, have, why)
}

var scenarios = []scenario{
	{name: "go", folder: "go", build: buildGo, short: true},
	{name: "pymysql", folder: "python", build: buildPython},
	{name: "mysql2", folder: "node", build: buildNode},
	{name: "mariadbjava", folder: "java", build: buildJava, env: []string{"CLIENT_DRIVER=mariadb"}},
	{name: "mysqljava", folder: "java", build: buildJava, env: []string{"CLIENT_DRIVER=mysql"}},
	{name: "libmariadb", folder: "c", build: buildC, short: true},
	{name: "mariadb", folder: "mariadb", build: buildMariaDB, env: []string{"CLIENT_DRIVER=mariadb"}},
	{name: "mysql", folder: "mariadb", build: buildMySQL, env: []string{"CLIENT_DRIVER=mysql"}, optional: true},
}

// installed returns the path of something scripts/install-clients.sh puts below
// .tunic/clients.
func installed(elements ...string) string {
	return filepath.Join(append([]string{sandbox.StateDir(), "clients"}, elements...)...)
}

const install = "run scripts/install-clients.sh"

// missing returns what of these is not there: programs by name, files by path.
func missing(things ...string) string {
	for _, thing := range things {
		_, err := os.Stat(thing)
		if !filepath.IsAbs(thing) {
			_, err = exec.LookPath(thing)
		}
		if err != nil {
			return filepath.Base(thing) + " is not installed; " + install
		}
	}
	return ""
}

// workshop is where scenarios are compiled, once for all tests.
var workshop string

func TestMain(m *testing.M) {
	var err error
	if workshop, err = os.MkdirTemp("", "tunic-clients-"); err != nil {
		panic(err)
	}
	status := m.Run()
	_ = os.RemoveAll(workshop)
	os.Exit(status)
}

// compile runs a compiler in the folder of a scenario and returns where it put
// its output, which the arguments name OUTPUT.
func compile(folder string, command ...string) (output string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), buildTime)
	defer cancel()
	output = filepath.Join(workshop, folder)
	for i, argument := range command {
		command[i] = strings.ReplaceAll(argument, "OUTPUT", output)
	}
	build := exec.CommandContext(ctx, command[0], command[1:]...)
	build.Dir = scenarioPath(folder)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
	}
	return output, nil
}

var goProgram = sync.OnceValues(func() (string, error) {
	return compile("go", "go", "build", "-o", "OUTPUT", ".")
})

func buildGo(t *testing.T) ([]string, string) {
	t.Helper()
	program, err := goProgram()
	if err != nil {
		t.Fatal(err)
	}
	return []string{program}, ""
}

func buildPython(*testing.T) ([]string, string) {
	python := installed("python", "bin", "python")
	if why := missing(python); why != "" {
		return nil, why
	}
	return []string{python, "-B", "scenario.py"}, ""
}

func buildNode(*testing.T) ([]string, string) {
	if why := missing("node", installed("node", "node_modules", "mysql2")); why != "" {
		return nil, why
	}
	return []string{"env", "NODE_PATH=" + installed("node", "node_modules"), "node", "scenario.js"}, ""
}

// javaPath is a class path of the drivers and the compiled scenario.
var javaPath = sync.OnceValues(func() (string, error) {
	jars, _ := filepath.Glob(installed("java", "*.jar"))
	sources, _ := filepath.Glob(scenarioPath("java", "*.java"))
	path := strings.Join(jars, string(filepath.ListSeparator))
	classes, err := compile("java", slices.Concat(
		[]string{"javac", "-Xlint:all,-processing", "-Werror", "-d", "OUTPUT", "-cp", path}, sources)...)
	return path + string(filepath.ListSeparator) + classes, err
})

func buildJava(t *testing.T) ([]string, string) {
	t.Helper()
	if why := missing("java", "javac", installed("java")); why != "" {
		return nil, why
	}
	path, err := javaPath()
	if err != nil {
		t.Fatal(err)
	}
	return []string{"java", "-XX:TieredStopAtLevel=1", "-Xmx512m", "-cp", path, "Scenario"}, ""
}

var cProgram = sync.OnceValues(func() (string, error) {
	flags, err := exec.Command("mariadb_config", "--cflags", "--libs").Output()
	if err != nil {
		return "", err
	}
	sources, _ := filepath.Glob(scenarioPath("c", "*.c"))
	return compile("c", slices.Concat(
		[]string{"cc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-o", "OUTPUT"},
		sources, strings.Fields(string(flags)), []string{"-lpthread"})...)
})

func buildC(t *testing.T) ([]string, string) {
	t.Helper()
	if why := missing("cc", "mariadb_config"); why != "" {
		return nil, why
	}
	program, err := cProgram()
	if err != nil {
		t.Fatal(err)
	}
	return []string{program}, ""
}

func buildMariaDB(*testing.T) ([]string, string) {
	if why := missing("bash", "mariadb"); why != "" {
		return nil, why
	}
	return []string{"bash", "scenario.sh"}, ""
}

// buildMySQL makes a script that runs the client of the private MySQL tree with the
// tree's own libraries, as the sandbox does with the server.
func buildMySQL(t *testing.T) ([]string, string) {
	t.Helper()
	client := mysqlProgram("mysql")
	if client == nil {
		return nil, "MySQL's client is not there; run `make mysql`"
	}
	script := filepath.Join(t.TempDir(), "mysql")
	text := "#!/bin/sh\nexec '" + strings.Join(client, "' '") + "' \"$@\"\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{
		"env", "CLIENT_PROGRAM=" + script, "CLIENT_PLUGINS=" + filepath.Join(sandbox.StateDir(), "mysql", "usr", "lib", "mysql", "plugin"),
		"bash", "scenario.sh",
	}, ""
}
