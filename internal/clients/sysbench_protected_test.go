package clients

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"iter"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
)

const (
	bulkScript   = "bulk_insert"
	insertScript = "oltp_insert"
	deleteScript = "oltp_delete"
)

// TestSysbenchProtected runs every script of sysbench over protected tables: for
// seconds, and with TUNIC_LONG=1 (`make sysbench`) for minutes, with 200 threads as
// well and on all servers.
func TestSysbenchProtected(t *testing.T) {
	needSysbench(t)
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			if flavor != sandbox.MariaDB && testing.Short() {
				t.Skip("skipped: -short; one server is enough")
			}
			f := newProtectedFixture(t, flavor)
			t.Run("same", func(t *testing.T) { sameAsPlain(t, f) })
			if flavor == sandbox.MariaDB || long() {
				t.Run("load", func(t *testing.T) { underLoad(t, f) })
			}
		})
	}
}

func long() bool { return os.Getenv("TUNIC_LONG") == "1" }

// sameAsPlain runs the same statements directly over plain tables and through tunic
// over protected ones: by one thread, and with what sysbench makes up of one seed,
// the rows that are left are the same. Its prepare makes up others every time; the
// first rows are from a run as well.
func sameAsPlain(t *testing.T, f *fixture) {
	events := 60
	if long() {
		events = 2000
	}
	const plain, protected = "oltp_plain", "oltp_protected"
	f.makeDatabase(t, f.direct, plain)
	f.makeDatabase(t, f.tunic, protected)
	w := workload{script: insertScript, threads: 1, seed: 7, rows: -1, tables: 2}
	both := func(w workload, command string) {
		w.database = plain
		w.must(t, f.direct, command)
		w.database = protected
		w.must(t, f.tunic, command)
	}
	both(w, "prepare")
	w.rows, w.events = 300, 800 // of both tables
	both(w, "run")
	f.sameTables(t, w, plain, protected)
	for _, script := range sysbenchScripts {
		for _, prepared := range []bool{true, false} {
			w.script, w.prepared, w.events, w.seed = script, prepared, events, w.seed+1
			both(w, "run")
			f.sameTables(t, w, plain, protected)
		}
	}
	both(w, "cleanup")
	f.noTables(t, protected)

	bulk := workload{script: bulkScript, threads: 1, seed: 7, events: 30 * events, tables: 1}
	both(bulk, "prepare")
	both(bulk, "run")
	f.sameTables(t, bulk, plain, protected)
	both(bulk, "cleanup")
	f.noTables(t, protected)
}

// underLoad prepares, runs and cleans up with many threads at a time, and counts what
// is there afterwards.
func underLoad(t *testing.T, f *fixture) {
	threads, seconds, modes := []int{24}, time.Second, []bool{true}
	if long() {
		threads, seconds, modes = []int{24, 200}, 10*time.Second, []bool{true, false}
	}
	const database = "oltp_load"
	f.makeDatabase(t, f.tunic, database)
	for _, n := range threads {
		prepare := workload{script: sysbenchScripts[0], threads: sysbenchTables, database: database}
		prepare.must(t, f.tunic, "prepare")
		for _, script := range sysbenchScripts {
			for _, prepared := range modes {
				w := workload{script: script, prepared: prepared, threads: n, time: seconds, database: database}
				t.Run(fmt.Sprintf("%s/%d", w, n), func(t *testing.T) { f.counted(t, w) })
			}
		}
		prepare.must(t, f.tunic, "cleanup")
		f.noTables(t, database)

		bulkThreads := n
		if !long() {
			bulkThreads = bulkThreadsQuick
		}
		bulk := workload{script: bulkScript, threads: bulkThreads, tables: bulkThreads, time: time.Second, database: database}
		bulk.must(t, f.tunic, "prepare")
		t.Run(fmt.Sprintf("%s/%d", bulk, bulk.threads), func(t *testing.T) { f.counted(t, bulk) })
		bulk.must(t, f.tunic, "cleanup")
		f.noTables(t, database)
	}
}

// bulkThreadsQuick is how many threads insert in bulk where time is short: each sends tens
// of thousands of rows in one statement, however short the time is.
const bulkThreadsQuick = 2

// counted runs a workload and checks how many rows there are after it, and that every
// one of them can be read.
func (f *fixture) counted(t *testing.T, w workload) {
	before := f.rows(t, w)
	out, err := w.sysbench(t.Context(), f.tunic.addr, "run")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := w.judge(out); err != nil {
		t.Fatal(err)
	}
	done, _ := strconv.Atoi(transactions.FindStringSubmatch(out)[1])
	t.Logf("%d transactions", done)
	want := before
	switch w.script {
	case insertScript, bulkScript:
		want += done
	case deleteScript:
		want = f.rowsAt(t, w)
		if want > before || want < before-done { // none, where an earlier run has left none of those it names
			t.Errorf("%d rows after %d deletions, %d before", want, done, before)
		}
	}
	if got := f.rows(t, w); got != want {
		t.Errorf("%d rows can be read, want %d", got, want)
	}
}

// must runs a command of sysbench that is to work.
func (w workload) must(t *testing.T, r route, command string) {
	t.Helper()
	out, err := w.sysbench(t.Context(), r.addr, command)
	if err != nil {
		t.Fatalf("%s %s, %s: %v\n%s", w, command, r.name, err, out)
	}
	if command == "run" {
		if _, err := w.judge(out); err != nil {
			t.Fatalf("%s, %s: %v", w, r.name, err)
		}
	}
}

// open is a connection on a route.
func (f *fixture) open(t *testing.T, r route, database string) *sql.DB {
	t.Helper()
	config := mysql.NewConfig()
	config.Net, config.Addr, config.DBName = "tcp", r.addr, database
	config.User, config.Passwd = sandbox.AppUser, sandbox.AppPassword
	connector, err := mysql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	return sql.OpenDB(connector)
}

func (f *fixture) makeDatabase(t *testing.T, r route, name string) {
	t.Helper()
	db := f.open(t, r, "")
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
}

// noTables checks that a database is empty again, also at the server.
func (f *fixture) noTables(t *testing.T, database string) {
	t.Helper()
	for _, r := range []route{f.tunic, f.direct} {
		db := f.open(t, r, database)
		defer db.Close()
		rows, err := db.QueryContext(t.Context(), "SHOW TABLES")
		if err != nil {
			t.Fatal(err)
		}
		if rows.Next() {
			t.Errorf("%s has tables after cleanup, %s", database, r.name)
		}
		if err := errorsOf(rows); err != nil {
			t.Error(err)
		}
	}
}

// rows reads all rows of a workload's tables through tunic and counts them.
func (f *fixture) rows(t *testing.T, w workload) (n int) {
	t.Helper()
	db := f.open(t, f.tunic, w.database)
	defer db.Close()
	for table := range w.tableNames() {
		if err := eachRow(t.Context(), db, table, func([]sql.RawBytes) { n++ }); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// rowsAt counts them at the server.
func (f *fixture) rowsAt(t *testing.T, w workload) (n int) {
	t.Helper()
	db := f.open(t, f.direct, w.database)
	defer db.Close()
	for table := range w.tableNames() {
		var count int
		if err := db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&count); err != nil {
			t.Fatal(err)
		}
		n += count
	}
	return n
}

// sameTables compares the rows of two databases: one read directly, the other one
// through tunic.
func (f *fixture) sameTables(t *testing.T, w workload, plain, protected string) {
	t.Helper()
	direct, tunic := f.open(t, f.direct, plain), f.open(t, f.tunic, protected)
	defer direct.Close()
	defer tunic.Close()
	for table := range w.tableNames() {
		var want []string
		if err := eachRow(t.Context(), direct, table, func(row []sql.RawBytes) { want = append(want, fmt.Sprintf("%q", row)) }); err != nil {
			t.Fatal(err)
		}
		at, differs := 0, false
		err := eachRow(t.Context(), tunic, table, func(row []sql.RawBytes) {
			if got := fmt.Sprintf("%q", row); at < len(want) && got != want[at] && !differs {
				differs = true
				t.Errorf("after %s, %s: row %d is %s, want %s", w, table, at, got, want[at])
			}
			at++
		})
		if err != nil {
			t.Fatal(err)
		}
		if at != len(want) || at == 0 {
			t.Errorf("after %s, %s has %d rows, want %d", w, table, at, len(want))
		}
	}
}

// tableNames yields the names of a workload's tables.
func (w workload) tableNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range cmp.Or(w.tables, sysbenchTables) {
			if !yield("sbtest" + strconv.Itoa(i+1)) {
				return
			}
		}
	}
}

// eachRow reads a table in the order of its key.
func eachRow(ctx context.Context, db *sql.DB, table string, do func([]sql.RawBytes)) error {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+table+" ORDER BY id")
	if err != nil {
		return fmt.Errorf("read %s: %w", table, err)
	}
	columns, err := rows.Columns()
	if err != nil {
		return fmt.Errorf("read %s: %w", table, err)
	}
	row := make([]sql.RawBytes, len(columns))
	places := make([]any, len(columns))
	for i := range row {
		places[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return fmt.Errorf("read %s: %w", table, err)
		}
		do(row)
	}
	return errorsOf(rows)
}

// errorsOf ends rows and returns what has gone wrong with them.
func errorsOf(rows *sql.Rows) error {
	if err := rows.Err(); err != nil {
		return err
	}
	return rows.Close()
}
