package difftest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tunic/internal/sandbox"
)

// talkative makes a server write down all that it is given, and keep little in memory.
var talkative = map[string][]string{
	"mariadb": {"--binlog-annotate-row-events=ON"},
	"mysql":   {"--binlog-rows-query-log-events=ON"},
	"": {
		"--log-bin=binlog", "--server-id=1", "--binlog-format=ROW", "--general-log=1", "--general-log-file=general.log",
		"--slow-query-log=1", "--slow-query-log-file=slow.log", "--long-query-time=0", "--log-output=FILE",
		"--performance-schema=ON", "--performance-schema-instrument=statement/%=ON", "--performance-schema-consumer-events-statements-current=ON",
		"--performance-schema-consumer-events-statements-history-long=ON",
		"--performance-schema-events-statements-history-long-size=5000", "--innodb-buffer-pool-size=8M",
		"--max-allowed-packet=64M",
	},
}

// TestCanaries runs the corpus of canaries through a tunic that protects and through
// one that does not, each before a server of its own that writes down everything.
// Nothing of the first server's may hold a canary; each place of the second's must,
// or the search proves nothing.
func TestCanaries(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: what servers write does not depend on how tunic is compiled")
	}
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			for _, policy := range canaryPolicies() {
				t.Run(policy.Name, func(t *testing.T) { canaries(t, flavor, policy) })
			}
		})
	}
}

// canaryPolicies are the ones with the fewest and the most layers, or all.
func canaryPolicies() []*Policy {
	if *everything || *onlyPolicies != "" {
		return slices.DeleteFunc(slices.Clone(policies()), func(p *Policy) bool { return p.Name == "mixed" }) // has plain columns
	}
	return []*Policy{findPolicy("order")}
}

func canaries(t *testing.T, flavor string, policy *Policy) {
	t.Helper()
	var logs [2]lockedBuffer
	var servers [2]*sandbox.Server
	var peers [2]Peer
	for i, p := range []*Policy{plainly, policy} {
		servers[i] = startTalkative(t, flavor)
		peers[i] = protecting(t, servers[i], p, sandbox.TunicOptions{Args: []string{"--log-level", "debug"}, Log: &logs[i]})
	}
	script := some(t, filepath.Join("testdata", "canary"))
	for _, config := range named(t, twoWays) {
		r := &Runner{
			Flavor: flavor, Direct: peers[0], Proxied: peers[1], Pins: knownDifferences(t),
			Protected: &Protected{Policy: policy, Refusals: Allowance{}},
		}
		check(t, run(t, r, script, []*Config{config}))
		if n := len(r.Protected.Refused); n > len(script[0].Steps)/2 {
			t.Errorf("%d of %d statements were refused: what is left shows too little:\n%s", n, len(script[0].Steps), strings.Join(r.Protected.Refused, "\n"))
		}
	}
	missing := unseen(placesOf(flavor), written(t, servers[0]))
	if flavor == "mysql" { // which reuses the files of its temporary tables at any time: MariaDB's are looked into as well
		missing = slices.DeleteFunc(missing, func(place string) bool { return place == "temporary tables" })
	}
	if len(missing) > 0 {
		t.Errorf("a server without protection has no canary in its %s: the search does not see", strings.Join(missing, ", "))
	}
	for _, s := range written(t, servers[1]) {
		t.Errorf("%s, policy %s: %s", flavor, policy.Name, s)
	}
	for i := range logs {
		for _, s := range lookInto("tunic's log", logs[i].all()) {
			t.Error(s)
		}
		if len(logs[i].all()) == 0 {
			t.Error("tunic has logged nothing")
		}
	}
}

func startTalkative(t *testing.T, flavor string) *sandbox.Server {
	t.Helper()
	start := map[string]func(context.Context, sandbox.Options) (*sandbox.Server, error){
		"mariadb": sandbox.StartMariaDB, "mysql": sandbox.StartMySQL,
	}[flavor]
	s, err := start(t.Context(), sandbox.Options{Dir: t.TempDir(), Args: slices.Concat(talkative[""], talkative[flavor])})
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

// written is where canaries are in what a server has written: what it tells by SQL,
// its files as a crash leaves them, and its files after it has ended in order.
func written(t *testing.T, s *sandbox.Server) []sighting {
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
		seen, files, err := lookThrough(s.Dir)
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
func told(t *testing.T, s *sandbox.Server) (found []sighting) {
	t.Helper()
	db, err := sql.Open("mysql", s.DSN("root", "root", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
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
				found = append(found, lookInto(string(table), cell)...)
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
	defer rows.Close()
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

// lockedBuffer keeps what a process writes.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) all() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Clone(b.buf.Bytes())
}

// TestLookInto: a canary is seen in every form, and nothing else is.
func TestLookInto(t *testing.T) {
	for _, content := range []string{
		"x kanari-value", "KANARI-WEIGHT", "k\x00a\x00n\x00a\x00r\x00i\x00-\x00", "\x00K\x00A\x00N\x00A\x00R\x00I\x00-", "0x6b616e6172692d00",
		"X'6B616E6172692D'", "a=7731415926535897999", string(integerBytes(true)), string(integerBytes(false)),
	} {
		if len(lookInto("here", []byte(content))) == 0 {
			t.Errorf("%q: no canary is seen", content)
		}
	}
	for _, content := range []string{"", "kanar", "canary-value", "773141592", "\x6b\x4b"} {
		if found := lookInto("here", []byte(content)); len(found) > 0 {
			t.Errorf("%q: %v", content, found)
		}
	}
}

// integerBytes is a number canary as InnoDB has it, its first bit turned over, or with
// its low byte first.
func integerBytes(innodb bool) []byte {
	b := make([]byte, 8)
	for i := range b {
		shift := 8 * i
		if innodb {
			shift = 56 - shift
		}
		b[i] = byte(uint64(canaryNumber+3) >> shift)
	}
	if innodb {
		b[0] ^= 0x80
	}
	return b
}
