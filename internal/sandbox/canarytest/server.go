package canarytest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"slices"
	"testing"

	"tunic/internal/sandbox"
)

// talkative makes a server write down all that it is given, and keep little in memory.
var talkative = map[sandbox.Flavor][]string{
	sandbox.MariaDB: {"--binlog-annotate-row-events=ON"},
	sandbox.MySQL:   {"--binlog-rows-query-log-events=ON"},
	"": {
		"--log-bin=binlog", "--server-id=1", "--binlog-format=ROW", "--general-log=1", "--general-log-file=general.log",
		"--slow-query-log=1", "--slow-query-log-file=slow.log", "--long-query-time=0", "--log-output=FILE",
		"--performance-schema=ON", "--performance-schema-instrument=statement/%=ON", "--performance-schema-consumer-events-statements-current=ON",
		"--performance-schema-consumer-events-statements-history-long=ON",
		"--performance-schema-events-statements-history-long-size=5000", "--innodb-buffer-pool-size=8M",
		"--max-allowed-packet=64M",
	},
}

// Start starts a server that writes down all that it is given and keeps its folder
// until the test ends, which also stops it. Where it is not installed the test is
// skipped.
func Start(t *testing.T, flavor sandbox.Flavor, o sandbox.Options) *sandbox.Server {
	t.Helper()
	start := map[sandbox.Flavor]func(context.Context, sandbox.Options) (*sandbox.Server, error){
		sandbox.MariaDB: sandbox.StartMariaDB, sandbox.MySQL: sandbox.StartMySQL,
	}[flavor]
	o.Dir, o.NoSync, o.Args = t.TempDir(), true, slices.Concat(talkative[""], talkative[flavor], o.Args)
	s, err := start(t.Context(), o)
	if errors.Is(err, sandbox.ErrUnavailable) {
		t.Skipf("SKIP: canaries in %s: %v", flavor, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Written is where canaries are in what a server has written: what it tells by SQL,
// its files as a crash leaves them, and its files after it has ended in order.
func Written(t *testing.T, s *sandbox.Server) []Sighting {
	t.Helper()
	found := told(t, s)
	ends := []func() error{
		s.Kill,
		func() error { return errors.Join(s.Restart(context.WithoutCancel(t.Context())), s.Stop()) },
	}
	for _, end := range ends {
		if err := end(); err != nil {
			t.Fatal(err)
		}
		seen, files, err := LookThrough(s.Dir)
		if err != nil || files < filesMin {
			t.Fatalf("%d files read: %v", files, err)
		}
		found = append(found, seen...)
	}
	return found
}

// filesMin is less than any server has.
const filesMin = 10

// told is where canaries are in what a server tells an administrator by SQL.
func told(t *testing.T, s *sandbox.Server) (found []Sighting) {
	t.Helper()
	db, err := sql.Open("mysql", s.DSN("root", "root", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // it was only read
	tables := query(t, db, `SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables
		WHERE table_schema = 'performance_schema' AND table_name LIKE 'events_statements%' OR table_schema = 'performance_schema' AND table_name IN
			('prepared_statements_instances', 'threads', 'user_variables_by_thread')
		OR table_schema = 'information_schema' AND table_name IN
			('COLUMNS', 'TABLES', 'STATISTICS', 'CHECK_CONSTRAINTS', 'PARTITIONS', 'TABLE_CONSTRAINTS', 'KEY_COLUMN_USAGE', 'PROCESSLIST')`)
	if len(tables) < 10 {
		t.Fatalf("the server has %d tables to look into", len(tables))
	}
	for _, table := range tables {
		for _, cell := range query(t, db, "SELECT * FROM "+string(table)) {
			if !bytes.Contains(cell, []byte("information_schema.tables")) { // the question above
				found = append(found, LookInto(string(table), cell)...)
			}
		}
	}
	return found
}

// query returns all cells of all rows.
func query(t *testing.T, db *sql.DB, text string) (cells [][]byte) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close() //nolint:errcheck // rows.Err says it
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	row, into := make([][]byte, len(columns)), make([]any, len(columns))
	for i := range row {
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		for _, cell := range row {
			cells = append(cells, bytes.Clone(cell))
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return cells
}
