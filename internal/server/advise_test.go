package server

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"

	"tunic/internal/advice"
	"tunic/internal/catalog"
	"tunic/internal/config"
	"tunic/internal/policy"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

const (
	advisedRows    = 2001 // the same number for each client
	advisedClients = 3
)

// advised is a protected table that is used for lack of layers, and a plain one with the same
// rows that the server is asked about directly.
type advised struct {
	t              *testing.T
	tunnel, direct *sql.DB
	done           atomic.Bool
	reads, writes  atomic.Int64
}

// fill makes both tables: ref is different in each row, sex is one of two.
func (w *advised) fill() {
	mustExec(w.t, w.direct, "CREATE TABLE twin (id INT PRIMARY KEY, ref VARCHAR(40) NOT NULL, sex CHAR(1) NOT NULL, KEY (ref))")
	mustExec(w.t, w.tunnel, "CREATE TABLE visit (id INT PRIMARY KEY COMMENT 'tunic: plain', ref VARCHAR(40) NOT NULL, sex CHAR(1) NOT NULL)")
	var rows []string
	for i := range advisedRows {
		rows = append(rows, fmt.Sprintf("(%d, 'ref-%d', '%c')", i, i*7919%10_007, "fm"[i%2]))
	}
	mustExec(w.t, w.tunnel, "INSERT INTO visit VALUES "+strings.Join(rows, ","))
	mustExec(w.t, w.direct, "INSERT INTO twin VALUES "+strings.Join(rows, ","))
}

// both has a query of either table, with %s for its name, answered by both.
func (w *advised) both(query string, args ...any) {
	w.t.Helper()
	got, errGot := idsOf(w.t, w.tunnel, fmt.Sprintf(query, "visit"), args...)
	want, errWant := idsOf(w.t, w.direct, fmt.Sprintf(query, "twin"), args...)
	if errGot != nil || errWant != nil {
		w.t.Errorf("%s: %v, %v", query, errGot, errWant)
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("%s %v:\n%s", query, args, diff)
	}
	w.reads.Add(1)
}

func idsOf(t *testing.T, db *sql.DB, query string, args ...any) (ids []int, err error) {
	rows, err := db.QueryContext(t.Context(), query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, rows.Err()
}

// use is one client: it writes rows of its own to both tables, and asks for them by the
// columns that have no layer.
func (w *advised) use(client int) {
	for n := 0; !w.done.Load(); n++ {
		id := (n*advisedClients + client) % advisedRows
		ref := fmt.Sprintf("c%d-%d", client, n%50)
		for table, db := range map[string]*sql.DB{"visit": w.tunnel, "twin": w.direct} {
			if _, err := db.ExecContext(w.t.Context(), "UPDATE "+table+" SET ref = ? WHERE id = ?", ref, id); err != nil {
				w.t.Errorf("%s: %v", table, err)
				return
			}
		}
		w.writes.Add(1)
		w.both("SELECT id FROM %s WHERE ref = ?", ref)
		w.both(fmt.Sprintf("SELECT id FROM %%s WHERE ref = 'c%d-%d'", client, (n+1)%50))
		w.both("SELECT id FROM %s WHERE sex = ? AND id < ?", "f", 30) // nobody writes these
	}
}

// served reports whether the server finds rows by a column.
func (w *advised) served(column string) bool {
	rows, err := w.tunnel.QueryContext(w.t.Context(), "EXPLAIN FORMAT=TRADITIONAL SELECT id FROM visit WHERE "+column+" = 'x'")
	if err != nil {
		w.t.Error(err)
		return false
	}
	defer rows.Close()
	return slices.ContainsFunc(told(w.t, cellsOf(w.t, rows)), func(l string) bool {
		return strings.HasPrefix(l, "where: remote, by the equality layer of "+column)
	})
}

// TestAutoLayers: clients that ask by a column without a layer get one added, by which they
// are then served, while they read and write: no answer differs from a plain server's, and
// none is an error. A column of two values gets none, however often it is asked by.
func TestAutoLayers(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			cfg.Policy.Layers, cfg.Policy.LayersAfter = config.LayersAuto, time.Millisecond
			proxy, _ := serveWith(t, cfg, kek)
			w := &advised{t: t, tunnel: through(t, proxy.Addr().String()), direct: through(t, server.Addr)}
			w.fill()
			for range 15 {
				w.both("SELECT id FROM %s WHERE sex = ?", "f")
			}
			advisor := proxy.protection.advisor
			var clients sync.WaitGroup
			for n := range advisedClients {
				clients.Go(func() { w.use(n) })
			}
			deadline := time.Now().Add(time.Minute)
			for !w.served("ref") && time.Now().Before(deadline) && !t.Failed() {
				advisor.Look(t.Context())
				time.Sleep(100 * time.Millisecond)
			}
			before := w.reads.Load()
			for w.reads.Load() < before+100 && time.Now().Before(deadline) && !t.Failed() { // by the layer
				time.Sleep(10 * time.Millisecond)
			}
			w.done.Store(true)
			clients.Wait()
			t.Logf("%d reads were compared, %d writes", w.reads.Load(), w.writes.Load())
			if !w.served("ref") || w.served("sex") {
				t.Fatalf("ref is served: %v, sex: %v; %+v", w.served("ref"), w.served("sex"), advisor.Advice())
			}
			w.judged(proxy)
		})
	}
}

// judged looks at what is said of both columns afterwards, and at the job.
func (w *advised) judged(proxy *Server) {
	known := proxy.protection.ledger.Catalog()
	table := known.Table("test", "visit")
	for column, want := range map[string]advice.Why{"ref": advice.Fine, "sex": advice.Few} {
		v, err := proxy.protection.advisor.Check(w.t.Context(), table, table.Column(column), policy.Equality)
		if err != nil || v.Why != want {
			w.t.Errorf("%s: %+v, %v", column, v, err)
		}
	}
	jobs := known.Jobs()
	if len(jobs) != 1 || jobs[0].ColumnName != "ref" || jobs[0].State != catalog.JobDone || !strings.HasPrefix(jobs[0].Reason, advice.AutoReason) {
		w.t.Errorf("%d jobs; the first: %+v", len(jobs), jobs[0])
	}
}

// TestNotesOfLayers: with advise a statement that a layer would serve has a note, once a
// minute, and only in a session that wants notes; with any other word there is none.
func TestNotesOfLayers(t *testing.T) {
	racetest.InOrder(t)
	for _, mode := range []config.PolicyLayers{config.LayersOff, config.LayersAdvise, config.LayersAuto} {
		t.Run(string(mode), func(t *testing.T) {
			server, kek, cfg := protecting(t, sandbox.MariaDB)
			cfg.Policy.Layers = mode
			proxy, _ := serveWith(t, cfg, kek)
			w := &advised{t: t, tunnel: through(t, proxy.Addr().String()), direct: through(t, server.Addr)}
			w.tunnel.SetMaxOpenConns(1) // warnings are a session's
			w.fill()
			w.both("SELECT id FROM %s WHERE ref = ?", "nobody's") // two thousand rows are read
			mustExec(t, w.tunnel, "SET sql_notes = 0")
			w.both("SELECT id FROM %s WHERE ref = ?", "nobody's")
			if got := warningsOf(t, w.tunnel); len(got) > 0 {
				t.Errorf("without sql_notes: %q", got)
			}
			mustExec(t, w.tunnel, "SET sql_notes = 1")
			want := 0
			if mode == config.LayersAdvise {
				want = 1
			}
			for range 2 {
				w.both("SELECT id FROM %s WHERE ref = ?", "nobody's")
				got := warningsOf(t, w.tunnel)
				if len(got) != want || want == 1 && (!strings.HasPrefix(got[0], "Note 1105 TUNIC-2017: ") || !strings.Contains(got[0], "test.visit.ref has no equality layer")) {
					t.Errorf("warnings: %q, want %d", got, want)
				}
				want = 0
			}
		})
	}
}

// warningsOf are the rows of SHOW WARNINGS.
func warningsOf(t *testing.T, db *sql.DB) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SHOW WARNINGS")
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range cellsOf(t, rows) {
		all = append(all, cells["Level"]+" "+cells["Code"]+" "+cells["Message"])
	}
	return all
}

// TestMissedLayers: tunic.layers tells of layers that statements miss, and a layer that the
// values speak against is added for a reason only, which is kept.
func TestMissedLayers(t *testing.T) {
	server, kek, cfg := protecting(t, sandbox.MariaDB)
	cfg.Policy.LayersAfter = time.Millisecond
	proxy, _ := serveWith(t, cfg, kek)
	w := &advised{t: t, tunnel: through(t, proxy.Addr().String()), direct: through(t, server.Addr)}
	w.fill()
	for range 12 {
		w.both("SELECT id FROM %s WHERE ref = ?", "nobody's")
	}
	const layers = "SELECT column_name, layer, state, ceiling, statements, rows_saved, advice, why FROM tunic.layers WHERE table_name = 'visit'"
	is(t, "missed", textOf(t, w.tunnel, layers), "ref equality absent order 12 24012 add statements would save more than filling it takes; the values are not looked at yet")
	_, err := w.tunnel.ExecContext(t.Context(), "CALL tunic.add_layer('visit', 'sex', 'equality')")
	if said, ok := errors.AsType[*mysql.MySQLError](err); !ok || !strings.HasPrefix(said.Message, "TUNIC-2083: the values of column sex speak against layer equality: they are fewer than 100") {
		t.Errorf("two values: %v", err)
	}
	done, err := w.tunnel.ExecContext(t.Context(), "CALL tunic.add_layer('visit', 'sex', 'equality', 'it is public')")
	if err != nil {
		t.Fatal(err)
	}
	id, _ := done.LastInsertId()
	stateOf(t, w.tunnel, id, "done")
	is(t, "kept", textOf(t, w.tunnel, "SELECT `reason` FROM tunic.jobs"), "it is public")
	w.both("SELECT id FROM %s WHERE sex = ?", "f")
	mustExec(t, w.tunnel, "CALL tunic.add_layer('visit', 'ref', 'equality')")
	w.both("SELECT id FROM %s WHERE ref = ?", "ref-7919")
}
