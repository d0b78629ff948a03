package clients

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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

// compile runs a compiler in the folder of a scenario.
func compile(t *testing.T, folder string, command ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), buildTime)
	defer cancel()
	build := exec.CommandContext(ctx, command[0], command[1:]...)
	build.Dir = scenarioPath(folder)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
}

func buildGo(t *testing.T) ([]string, string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "scenario")
	compile(t, "go", "go", "build", "-o", program, ".")
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

// buildJava compiles the classes once for each of the two drivers.
func buildJava(t *testing.T) ([]string, string) {
	t.Helper()
	jars, err := filepath.Glob(installed("java", "*.jar"))
	if err != nil || len(jars) == 0 {
		return nil, "the Java drivers are not installed; " + install
	}
	if why := missing("java", "javac"); why != "" {
		return nil, why
	}
	sources, err := filepath.Glob(scenarioPath("java", "*.java"))
	if err != nil {
		t.Fatal(err)
	}
	classes := t.TempDir()
	path := strings.Join(append(jars, classes), string(filepath.ListSeparator))
	compile(t, "java", slices.Concat([]string{"javac", "-Xlint:all,-processing", "-Werror", "-d", classes, "-cp", path}, sources)...)
	return []string{"java", "-XX:TieredStopAtLevel=1", "-Xmx512m", "-cp", path, "Scenario"}, ""
}

func buildC(t *testing.T) ([]string, string) {
	t.Helper()
	if why := missing("cc", "mariadb_config"); why != "" {
		return nil, why
	}
	flags, err := exec.CommandContext(t.Context(), "mariadb_config", "--cflags", "--libs").Output()
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob(scenarioPath("c", "*.c"))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "scenario")
	compile(t, "c", slices.Concat([]string{"cc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-o", program},
		sources, strings.Fields(string(flags)), []string{"-lpthread"})...)
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
	tree := filepath.Join(sandbox.StateDir(), "mysql", "usr")
	client := filepath.Join(tree, "bin", "mysql")
	linkers, err := filepath.Glob(filepath.Join(tree, "lib", "*", "ld-linux-*.so.*"))
	if err != nil || len(linkers) == 0 || missing(client) != "" {
		return nil, "MySQL's client is not there; run `make mysql`"
	}
	script := filepath.Join(t.TempDir(), "mysql")
	text := fmt.Sprintf("#!/bin/sh\nexec '%s' --library-path '%s:%s' '%s' \"$@\"\n",
		linkers[0], filepath.Dir(linkers[0]), filepath.Join(tree, "lib", "mysql", "private"), client)
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{
		"env", "CLIENT_PROGRAM=" + script, "CLIENT_PLUGINS=" + filepath.Join(tree, "lib", "mysql", "plugin"),
		"bash", "scenario.sh",
	}, ""
}
