package assess

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/workload"
)

// canary is in every value.
const canary = "canary-3e8a"

// roomFactor is how far estimates of bytes may be off, either way; docs/assess.md says so.
const roomFactor = 1.5

// TestRoom: what encryption really makes is what was said, within a factor; it is measured for that, with
// nothing left of it, and nothing is written to the schema or the ledger.
func TestRoom(t *testing.T) {
	onServers(t, func(h *house) {
		h.exec("CREATE TABLE shop.patient (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(60) NOT NULL, born DATE, notes TEXT, ward INT NOT NULL, KEY by_name (name), KEY by_ward (ward))")
		for from := 0; from < 8000; from += 2000 {
			h.exec("INSERT INTO shop.patient (name, born, notes, ward) VALUES " +
				rowsOf("('"+canary+" name %d', '1970-01-01', IF(%d % 3, NULL, REPEAT('n', %d % 300)), %d)", from, from+2000))
		}
		h.exec("ANALYZE TABLE shop.patient")
		before := h.checksums()
		a := h.look(true)
		if diff := cmp.Diff(before, h.checksums()); diff != "" {
			h.t.Error(diff)
		}
		p := &a.Tables[0]
		if p.State != Ready || p.Took <= 0 || p.Rows < 100 || len(p.Plan.Columns) != 4 {
			h.t.Fatalf("%+v, %+v", p, p.Plan)
		}
		filled := h.encrypt("patient")
		after := h.size("patient")
		h.exec("ANALYZE TABLE shop.patient")
		var stored int64
		if err := h.options.DB.QueryRowContext(h.t.Context(), "SELECT DATA_LENGTH + INDEX_LENGTH FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'shop' AND TABLE_NAME = 'patient'").Scan(&stored); err != nil {
			h.t.Fatal(err)
		}
		near := func(what string, said, is int64) {
			h.t.Logf("%s: said %d, is %d", what, said, is)
			if f := float64(said) / float64(is); f > roomFactor || f < 1/roomFactor {
				h.t.Errorf("%s: said %d, is %d", what, said, is)
			}
		}
		near("after", p.Plan.Room.After, stored)
		near("in between", p.Plan.Room.Peak, filled+after)
	})
}

// checksums are those of all tables of the schema and of tunic's own.
func (h *house) checksums() (all []string) {
	h.t.Helper()
	rows, err := h.root.QueryContext(h.t.Context(), "SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) FROM information_schema.TABLES WHERE TABLE_SCHEMA IN ('shop', '_tunic') ORDER BY 1")
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name, table, sum string
		if err := rows.Scan(&name); err != nil {
			h.t.Fatal(err)
		}
		if err := h.root.QueryRowContext(h.t.Context(), "CHECKSUM TABLE "+name).Scan(&table, &sum); err != nil {
			h.t.Fatal(err)
		}
		all = append(all, table+" "+sum)
	}
	if err := rows.Err(); err != nil {
		h.t.Fatal(err)
	}
	return all
}

// sent are statements of an application, and what becomes of them.
var sent = []struct {
	text    string
	times   int
	verdict Verdict
}{
	{"SELECT notes FROM patient WHERE name = '%s'", 3, Passes},
	{"SELECT ward.name FROM ward WHERE name = '%s'", 1, Passes},
	{"SELECT ward.name FROM patient JOIN ward ON patient.ward = ward.id WHERE patient.name LIKE '%%%s'", 2, Local},
	{"SELECT id FROM patient WHERE EXTRACTVALUE(notes, '/a') = '%s'", 4, Refused},
	{"SELECT notes\nFROM patient\nWHERE notes = '%s' AND id > 0", 5, Local},
	{"SELECT name FROM seen WHERE name = '%s'", 1, Unknown},
	{"INSERT INTO patient (name, notes, ward) VALUES ('%s', 'x', 1), ('y', 'z', 2)", 1, Passes},
}

// TestWorkload: logs that servers write, and their digests, are judged as the statements are, no value is
// in what is told, and nothing that a tunic itself has sent.
func TestWorkload(t *testing.T) {
	onServers(t, func(h *house) {
		h.exec("CREATE TABLE shop.patient (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(60) NOT NULL, notes VARCHAR(60), ward INT, KEY by_name (name))",
			"CREATE TABLE shop.ward (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(60) COMMENT 'tunic: plain')", "CREATE VIEW shop.seen AS SELECT name FROM shop.patient")
		general, slow := filepath.Join(h.server.Dir, "general.log"), filepath.Join(h.server.Dir, "slow.log")
		h.exec("SET GLOBAL general_log_file = '"+general+"'", "SET GLOBAL slow_query_log_file = '"+slow+"'", "SET GLOBAL log_output = 'FILE'",
			"SET GLOBAL long_query_time = 0", "SET GLOBAL general_log = ON", "SET GLOBAL slow_query_log = ON")
		h.exec("TRUNCATE TABLE performance_schema.events_statements_summary_by_digest")
		h.send()
		h.exec("SELECT 1 AS `tunic$93a1c07e52d4$1`") // as in a stored statement
		h.options.DB = sandboxtest.Open(h.t, h.server.DSN(sandbox.ServiceUser, sandbox.ServicePassword, ""))
		a := h.look(false)
		h.exec("SET GLOBAL general_log = OFF", "SET GLOBAL slow_query_log = OFF", "SET GLOBAL long_query_time = 10")
		for _, log := range []string{general, slow} {
			h.judged(a, filepath.Base(log), func(each func(workload.Statement) error) (workload.Read, error) { return readFile(log, each) })
		}
		read := func(each func(workload.Statement) error) (workload.Read, error) {
			return workload.Digests(h.t.Context(), h.options.DB, each)
		}
		h.judged(a, "digests", read)
	}, sandboxtest.Args("--performance-schema=ON"))
}

// send sends the statements over a session of the schema.
func (h *house) send() {
	h.t.Helper()
	app := sandboxtest.Open(h.t, h.server.DSN("root", "root", "shop"))
	for _, s := range sent {
		for i := range s.times {
			if _, err := app.ExecContext(h.t.Context(), fmt.Sprintf(s.text, fmt.Sprint(canary, i))); err != nil {
				h.t.Fatal(err)
			}
		}
	}
}

// judged judges what was recorded of the statements.
func (h *house) judged(a *Assessment, of string, read func(func(workload.Statement) error) (workload.Read, error)) {
	h.t.Helper()
	w, err := a.Workload(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	if _, err := read(w.Add); err != nil {
		h.t.Fatalf("%s: %v", of, err)
	}
	found, err := w.Judge(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	if told := fmt.Sprintf("%+v", found); strings.Contains(told, canary) || !strings.Contains(told, "patient") {
		h.t.Errorf("%s: a value is told: %s", of, told)
	}
	if told := fmt.Sprintf("%+v", found); w.Own < 5 || strings.Contains(told, "`_tunic`") || strings.Contains(told, "`tunic$") {
		h.t.Errorf("%s: %d statements are of a tunic; others are told: %s", of, w.Own, told)
	}
	got := map[Verdict][]int64{}
	for _, s := range found {
		if s.Schema == "shop" && strings.Contains(s.Text, "SELECT") && !strings.Contains(s.Text, "@@") {
			got[s.Verdict] = append(got[s.Verdict], s.Count)
			if s.Verdict == Refused && (s.Code == 0 || !strings.Contains(s.Reason, "TUNIC-")) {
				h.t.Errorf("%s: no code: %+v", of, s)
			}
		}
	}
	want := map[Verdict][]int64{}
	for _, s := range sent {
		if s.verdict != Passes {
			want[s.verdict] = append(want[s.verdict], int64(s.times))
		}
	}
	for v := range want {
		slices.Sort(want[v])
		slices.Reverse(want[v])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Errorf("%s: %s%+v", of, diff, found)
	}
	if w.Counts[Passes] < 4 {
		h.t.Errorf("%s: %v", of, w.Counts)
	}
}
