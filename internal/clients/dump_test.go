package clients

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// dumpTime bounds a dump, or loading one.
const dumpTime = 2 * time.Minute

// The account that dumps: one that may lock all tables and read who is connected.
const (
	dumpUser     = "dumper"
	dumpPassword = "dump"
)

// programs are a server's own client and its program that dumps. Options are those that
// they need, whoever they connect to.
type programs struct {
	client, dump  []string
	clientOptions []string
	dumpOptions   []string
}

// dumpOptions are how people dump. By its own choice a server reads the rows of a table
// in the order of an index, which is another one over stored forms: rows are asked for
// in the order of the primary key.
var dumpOptions = [][]string{
	{},
	{"--single-transaction"},
	{"--hex-blob"},
	{"--skip-opt", "--add-locks", "--disable-keys", "--add-drop-table", "--create-options", "--complete-insert"},
	{"--lock-all-tables", "--triggers", "--routines", "--events"},
}

// TestDumps dumps a protected database through tunic as its plain twin is dumped
// directly, and loads what comes out into a plain database, and into a protected one.
func TestDumps(t *testing.T) {
	racetest.InOrder(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			p := dumpPrograms(t, flavor)
			f := newProtectedFixture(t, flavor)
			account := "'" + dumpUser + "'@'%'"
			err := f.server.Exec(t.Context(), "CREATE USER "+account+" IDENTIFIED BY '"+dumpPassword+"'", "GRANT ALL ON *.* TO "+account)
			if err != nil {
				t.Fatal(err)
			}
			dumps(t, f, p)
		})
	}
}

func dumps(t *testing.T, f *fixture, p *programs) {
	const plain, protected = "dump_plain", "dump_protected"
	text := dumped(t)
	f.load(t, p, f.direct, plain, text)
	f.load(t, p, f.tunic, protected, text)
	whole := f.dump(t, p, f.direct, plain)
	if n := bytes.Count(whole, []byte("canary")); n != 2 {
		t.Fatalf("the plain dump has %d values of the one that is looked for", n)
	}
	if bytes.Contains(f.dump(t, p, f.direct, protected), []byte("canary")) {
		t.Fatal("the server has a protected value")
	}
	for i, options := range dumpOptions {
		t.Run(strings.Join(options, " "), func(t *testing.T) {
			want, got := f.dump(t, p, f.direct, plain, options...), f.dump(t, p, f.tunic, protected, options...)
			sameDump(t, got, want)
			number := strconv.Itoa(i)
			f.load(t, p, f.direct, plain+number, got)
			sameDump(t, f.dump(t, p, f.direct, plain+number), whole)
			f.load(t, p, f.tunic, protected+number, got)
			sameDump(t, f.dump(t, p, f.tunic, protected+number), whole)
			f.answers(t, p, plain, protected+number)
		})
	}
	t.Run("--tab", func(t *testing.T) { f.refusesTab(t, p, protected) })
}

// dumped is what is dumped: a table of every kind, and rows for several statements of
// INSERT, which are of a megabyte each.
func dumped(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "dump.sql"))
	if err != nil {
		t.Fatal(err)
	}
	const statements, rows, width = 5, 500, 1000
	for s := range statements {
		text = append(text, "INSERT INTO bulk VALUES "...)
		for r := range rows {
			text = fmt.Appendf(text, "(%d,'%0*d'),", s*rows+r, width, s*r)
		}
		text = append(text[:len(text)-1], ";\n"...)
	}
	return text
}

// answers compares the rows of a view, which stands in a dump before the one that it reads.
func (f *fixture) answers(t *testing.T, p *programs, plain, protected string) {
	t.Helper()
	const ask = "SELECT * FROM a_first ORDER BY 1"
	want, err := f.client(t, p.client, f.direct, nil, p.clientOptions, "--default-character-set=utf8mb4", "--execute="+ask, plain)
	if err != nil || len(want) == 0 {
		t.Fatalf("%q, %v", want, err)
	}
	got, err := f.client(t, p.client, f.tunic, nil, p.clientOptions, "--default-character-set=utf8mb4", "--execute="+ask, protected)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("rows of a view over a view: %q, %v, want %q", got, err, want)
	}
}

// refusesTab checks that no file is written by the server: of rows, it could only be
// the stored ones.
func (f *fixture) refusesTab(t *testing.T, p *programs, database string) {
	folder := t.TempDir()
	out, err := f.client(t, p.dump, f.tunic, nil, p.dumpOptions, "--tab="+folder, database, "kinds")
	if err == nil || !strings.Contains(err.Error(), "TUNIC-2001") {
		t.Errorf("--tab: %v\n%s", err, out)
	}
	if files, _ := filepath.Glob(filepath.Join(folder, "*.txt")); len(files) > 0 {
		t.Errorf("--tab has left %q", files)
	}
}

// sameDump compares dumps but for comments, which have dates and names in them.
func sameDump(t *testing.T, got, want []byte) {
	t.Helper()
	a, b := statementsOf(got), statementsOf(want)
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			t.Errorf("line %d is missing: %.300q", i, b[i])
		case i >= len(b):
			t.Errorf("line %d is too many: %.300q", i, a[i])
		case a[i] != b[i]:
			t.Errorf("line %d is %.2000q, want %.2000q", i, a[i], b[i])
		default:
			continue
		}
		return
	}
}

func statementsOf(dump []byte) (lines []string) {
	for line := range strings.Lines(string(dump)) {
		if !strings.HasPrefix(line, "--") {
			lines = append(lines, line)
		}
	}
	return lines
}

// load makes a database on a route and loads a dump into it.
func (f *fixture) load(t *testing.T, p *programs, r route, database string, dump []byte) {
	t.Helper()
	f.makeDatabase(t, r, database)
	if _, err := f.client(t, p.client, r, dump, p.clientOptions, "--default-character-set=utf8mb4", database); err != nil {
		t.Fatalf("load %s, %s: %v", database, r.name, err)
	}
}

// dump dumps a database on a route.
func (f *fixture) dump(t *testing.T, p *programs, r route, database string, options ...string) []byte {
	t.Helper()
	out, err := f.client(t, p.dump, r, nil, p.dumpOptions, append(append([]string{"--order-by-primary"}, options...), database)...)
	if err != nil {
		t.Fatalf("dump %s, %s: %v", database, r.name, err)
	}
	return out
}

// client runs a program on a route.
func (f *fixture) client(t *testing.T, program []string, r route, input []byte, options []string, arguments ...string) ([]byte, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), dumpTime)
	defer cancel()
	host, port, _ := strings.Cut(r.addr, ":")
	all := append(program[1:len(program):len(program)], "--no-defaults", "--protocol=TCP", "--host="+host, "--port="+port, "--user="+dumpUser)
	command := exec.CommandContext(ctx, program[0], append(append(all, options...), arguments...)...)
	command.Env = append(os.Environ(), "MYSQL_PWD="+dumpPassword)
	var out, complaints bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(input), &out, &complaints
	if err := command.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("%w: %s", err, complaints.String())
	}
	return out.Bytes(), nil
}

// dumpPrograms are the programs that a server comes with.
func dumpPrograms(t *testing.T, flavor sandbox.Flavor) *programs {
	t.Helper()
	if flavor == sandbox.MariaDB {
		why := missing("mariadb", "mariadb-dump")
		mustHave(t, why == "", why)
		plain := []string{"--skip-ssl"}
		return &programs{client: []string{"mariadb"}, dump: []string{"mariadb-dump"}, clientOptions: plain, dumpOptions: plain}
	}
	client, dump := mysqlProgram("mysql"), mysqlProgram("mysqldump")
	if client == nil || dump == nil {
		t.Skip("MySQL's programs are not there; run `make mysql`")
	}
	return &programs{client: client, dump: dump, dumpOptions: []string{"--set-gtid-purged=OFF"}}
}

// mysqlProgram is the command that runs a program of the private MySQL tree with the
// tree's own libraries, as the sandbox does with the server; nil if it is not there.
func mysqlProgram(name string) []string {
	tree := filepath.Join(sandbox.StateDir(), "mysql", "usr")
	program := filepath.Join(tree, "bin", name)
	linkers, err := filepath.Glob(filepath.Join(tree, "lib", "*", "ld-linux-*.so.*"))
	if err != nil || len(linkers) == 0 || missing(program) != "" {
		return nil
	}
	return []string{linkers[0], "--library-path", filepath.Dir(linkers[0]) + ":" + filepath.Join(tree, "lib", "mysql", "private"), program}
}
