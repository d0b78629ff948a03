package clients

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"tunic/internal/sandbox"
)

// sysbenchScripts are the workloads of sysbench that speak to tables, in an order
// in which one leaves rows for the next.
var sysbenchScripts = []string{
	"oltp_point_select", "oltp_read_only", "oltp_read_write", "oltp_write_only",
	"oltp_update_index", "oltp_update_non_index", "oltp_insert", "oltp_delete",
}

// A workload is one run of sysbench.
type workload struct {
	script   string
	prepared bool // prepared statements, or text
	threads  int
	time     time.Duration // how long it runs, unless events says how much
	database string

	events int // 0 for as many as there is time for
	seed   int // of what sysbench makes up; 0 for another one each time
	tables int // 0 for sysbenchTables
	rows   int // of a table, before the workload; -1 for none, 0 for sysbenchRows
}

const (
	sysbenchTables = 4
	sysbenchRows   = 10000
)

func (w workload) String() string {
	if w.prepared {
		return w.script + "/prepared"
	}
	return w.script + "/text"
}

// sysbench runs a command (prepare, run) of a workload on the address.
func (w workload) sysbench(ctx context.Context, addr, command string) (string, error) {
	host, port, _ := strings.Cut(addr, ":")
	mode := "disable"
	if w.prepared {
		mode = "auto"
	}
	program := exec.CommandContext(ctx, "sysbench", w.script, "--db-driver=mysql",
		"--mysql-host="+host, "--mysql-port="+port,
		"--mysql-user="+sandbox.AppUser, "--mysql-password="+sandbox.AppPassword, "--mysql-db="+w.database,
		"--tables="+strconv.Itoa(cmp.Or(w.tables, sysbenchTables)),
		"--table-size="+strconv.Itoa(max(cmp.Or(w.rows, sysbenchRows), 0)),
		"--db-ps-mode="+mode, "--threads="+strconv.Itoa(w.threads),
		"--events="+strconv.Itoa(w.events), "--time="+strconv.Itoa(int(w.time/time.Second)),
		"--rand-seed="+strconv.Itoa(w.seed), command)
	out, err := program.CombinedOutput()
	return string(out), err
}

// run runs the workload and returns how many statements were executed.
func (w workload) run(ctx context.Context, addr string) (queries int, err error) {
	out, err := w.sysbench(ctx, addr, "run")
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, out)
	}
	return w.judge(out)
}

var (
	transactions    = regexp.MustCompile(`(?m)^\s+transactions:\s+(\d+) `)
	totalQueries    = regexp.MustCompile(`(?m)^\s+total:\s+(\d+)$`)
	totalReconnects = regexp.MustCompile(`(?m)^\s+reconnects:\s+(\d+) `)
	complained      = regexp.MustCompile(`(?m)^(FATAL|ALERT|ERROR).*`)
)

// judge reads the summary. Deadlocks, which sysbench runs again, are as common
// without tunic; an error of any other kind ends sysbench.
func (w workload) judge(out string) (queries int, err error) {
	if said := complained.FindString(out); said != "" {
		return 0, fmt.Errorf("sysbench says %s", said)
	}
	total, reconnects := totalQueries.FindStringSubmatch(out), totalReconnects.FindStringSubmatch(out)
	if total == nil || reconnects == nil {
		return 0, fmt.Errorf("no summary in the output of sysbench:\n%s", out)
	}
	if reconnects[1] != "0" {
		return 0, fmt.Errorf("%s connections were lost", reconnects[1])
	}
	queries, err = strconv.Atoi(total[1])
	if err == nil && queries < w.threads {
		err = fmt.Errorf("%d statements by %d threads", queries, w.threads)
	}
	return queries, err
}

// prepare makes the tables of a workload through tunic, in a database of its own:
// rows come in texts of half a megabyte each.
func (f *fixture) prepareSysbench(ctx context.Context, t *testing.T, w workload) {
	t.Helper()
	if err := f.server.Exec(ctx, "CREATE DATABASE "+w.database); err != nil {
		t.Fatal(err)
	}
	if out, err := w.sysbench(ctx, f.tunic.addr, "prepare"); err != nil {
		t.Fatalf("prepare: %v\n%s", err, out)
	}
}

func needSysbench(t *testing.T) {
	t.Helper()
	why := missing("sysbench")
	mustHave(t, why == "", why)
}

// TestSysbench runs every script for a moment through tunic, with prepared
// statements and without.
func TestSysbench(t *testing.T) {
	needSysbench(t)
	plan := map[sandbox.Flavor][]string{sandbox.MariaDB: sysbenchScripts, sandbox.MySQL: {"oltp_read_write"}}
	if testing.Short() {
		plan = map[sandbox.Flavor][]string{sandbox.MariaDB: {"oltp_read_write"}}
	}
	for flavor, scripts := range plan {
		t.Run(string(flavor), func(t *testing.T) {
			f := newFixture(t, flavor)
			f.prepareSysbench(t.Context(), t, workload{script: scripts[0], threads: 4, database: "oltp"})
			for _, script := range scripts {
				for _, prepared := range []bool{true, false} {
					runSysbench(t, f, workload{script: script, prepared: prepared, threads: 16, time: time.Second, database: "oltp"})
				}
			}
			bulk := workload{script: bulkScript, threads: 8, time: time.Second, database: "bulk"}
			f.prepareSysbench(t.Context(), t, bulk)
			runSysbench(t, f, bulk)
		})
	}
}

func runSysbench(t *testing.T, f *fixture, w workload) {
	t.Run(w.String(), func(t *testing.T) {
		queries, err := w.run(t.Context(), f.tunic.addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d statements", queries)
	})
}
