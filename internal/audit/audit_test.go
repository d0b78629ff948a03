package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/ddl/examination"
	"tunic/internal/keys"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/policy"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/waittest"
)

func TestMain(m *testing.M) { os.Exit(sandboxtest.Main(m, sandboxtest.NoLeaks)) }

// bench is a server, a tunic that serves it, and the connections to both.
type bench struct {
	t             *testing.T
	server, tunic *sql.DB
	audit         Audit
}

func onServers(t *testing.T, test func(*bench)) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds tunic")
	}
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) {
		tunic := sandboxtest.Protecting(t, s, "shop")
		kek, err := keys.File{Path: filepath.Join(tunic.Dir, "key")}.KEK(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		flavor := map[sandbox.Flavor]value.Flavor{sandbox.MariaDB: value.MariaDB, sandbox.MySQL: value.MySQL}[s.Flavor]
		b := &bench{t: t, server: sandboxtest.Open(t, s.DSN("root", "root", "")), tunic: sandboxtest.Open(t, tunic.DSN(sandbox.AppUser, sandbox.AppPassword, ""))}
		b.audit = Audit{Ledger: ledger.Options{
			DB: sandboxtest.Open(t, s.DSN(sandbox.ServiceUser, sandbox.ServicePassword, "")), KEK: kek, Types: catalog.TypesOf(flavor), Log: slog.New(slog.DiscardHandler),
		}}
		b.exec(b.tunic, "CREATE DATABASE shop")
		test(b)
	})
}

func (b *bench) exec(db *sql.DB, statements ...string) {
	b.t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(context.WithoutCancel(b.t.Context()), s); err != nil {
			b.t.Errorf("%.200s: %v", s, err)
		}
	}
}

func (b *bench) run() *Report {
	b.t.Helper()
	r, err := b.audit.Run(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// changed is run once no change of a table is under way any more: a job that is paused or
// cancelled takes back what it has begun after the client has its answer.
func (b *bench) changed() (r *Report) {
	b.t.Helper()
	waittest.Until(b.t, "no table is changed", func() bool {
		r = b.run()
		return !slices.ContainsFunc(r.Tables, func(t Table) bool { return t.Changing })
	})
	return r
}

// TestFinds: what somebody has changed around tunic is found, what can be is repaired,
// and the rest stays as it is.
func TestFinds(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic,
			"CREATE TABLE shop.a (id INT PRIMARY KEY COMMENT 'tunic: apart', k VARCHAR(20) COMMENT 'tunic: apart', n INT COMMENT 'tunic: order apart', KEY (k), KEY (n))",
			"CREATE TABLE shop.b (v BLOB)",
			"CREATE TABLE shop.c (id INT PRIMARY KEY COMMENT 'tunic: apart', a INT COMMENT 'tunic: apart', FOREIGN KEY (a) REFERENCES shop.a (id))",
			"CREATE VIEW shop.v AS SELECT k FROM shop.a",
			"INSERT INTO shop.a VALUES (1, 'x', 1), (2, 'y', NULL), (3, NULL, 3)",
			"INSERT INTO shop.b VALUES ('x'), (NULL)",
			"INSERT INTO shop.c VALUES (1, 1), (2, NULL)",
		)
		want := &Report{Tables: []Table{
			{Schema: "shop", Name: "a", Rows: 3}, {Schema: "shop", Name: "b", Rows: 2}, {Schema: "shop", Name: "c", Rows: 2}, {Schema: "shop", Name: "v", View: true},
		}}
		if diff := cmp.Diff(want, b.run()); diff != "" || !want.Good() {
			b.t.Fatalf("as it was written: %s", diff)
		}
		b.exec(b.server,
			"UPDATE shop.a SET `n$ord` = NULL WHERE `n$ord` IS NOT NULL ORDER BY `n$ord` LIMIT 1",
			"UPDATE shop.b SET v = CONCAT(v, 'x')",
			"ALTER TABLE shop.c ADD KEY mine (id)",
			"CREATE TRIGGER shop.sees BEFORE INSERT ON shop.c FOR EACH ROW SET NEW.id = NEW.id",
			"CREATE OR REPLACE VIEW shop.v AS SELECT 1 AS k",
			"CREATE TABLE shop.back (a INT) COMMENT 'tunic 000102030405060708090a0b0c0d0e0f 3'",
			"CREATE TABLE shop.other (a INT) COMMENT 'tunic of mine'",
			"CREATE TABLE shop.copied LIKE shop.a",
		)
		want.Tables[0].Faults = []layers.Fault{{Column: "n", Layer: policy.Order, Kind: layers.Lacking, Rows: 1, Repaired: 1}}
		want.Tables[1].Faults = []layers.Fault{{Column: "v", Kind: layers.Unopened, Rows: 1}}
		want.Tables[2].Mismatches = []examination.Mismatch{{Of: "key", Name: "mine", Problem: "not made by tunic"}, {Of: "trigger", Name: "sees", Problem: "not made by tunic"}}
		want.Tables[3].Mismatches = []examination.Mismatch{{Of: "mark", Problem: "different"}}
		want.Strangers = []string{"shop.back", "shop.copied"}
		b.audit.Repair = true
		got := b.run()
		f := &got.Tables[0].Faults[0]
		if len(f.First) != 1 || f.First[0] < 1 || f.First[0] > 3 || f.Key != "PRIMARY (id$eq)" { // whose order is of tokens
			b.t.Errorf("the row is %v by %q", f.First, f.Key)
		}
		f.First, f.Key = nil, ""
		if diff := cmp.Diff(want, got); diff != "" || want.Good() || !want.Tables[0].Good() || want.Tables[1].Good() {
			b.t.Errorf("with faults: %s", diff)
		}
		now, quick, err := b.audit.Definitions(b.t.Context())
		for i := range want.Tables {
			want.Tables[i].Rows, want.Tables[i].Faults = 0, nil
		}
		if diff := cmp.Diff(want, quick); diff != "" || err != nil || now.Catalog.Len() != 3 {
			b.t.Errorf("without the rows: %v: %s", err, diff)
		}
		b.audit.Repair, b.audit.Tables = false, []string{"shop.a"}
		if r := b.run(); len(r.Tables) != 1 || !r.Good() || r.Tables[0].Faults != nil {
			b.t.Errorf("the table that was repaired: %+v", r)
		}
		b.audit.Tables = []string{"shop.none"}
		if _, err := b.audit.Run(t.Context()); !errors.Is(err, ErrUnknown) {
			b.t.Errorf("a table that is not there: %v", err)
		}
	})
}

// quick is run without the rows.
func (b *bench) quick() *Report {
	b.t.Helper()
	_, r, err := b.audit.Definitions(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// TestFindsReaders: programs and views that somebody has made around tunic, and that name a table,
// are told of; only the views make it bad, since a program may mean something else by the word.
func TestFindsReaders(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.sick (id INT PRIMARY KEY, name VARCHAR(20))", "CREATE VIEW shop.ours AS SELECT name FROM shop.sick")
		b.exec(b.server,
			"CREATE TABLE shop.bare (a INT)",
			"CREATE PROCEDURE shop.reads() SELECT name FROM shop.sick",
			"CREATE FUNCTION shop.asks() RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM shop.sick)",
			"CREATE EVENT shop.ends ON SCHEDULE EVERY 1 DAY DO DELETE FROM shop.sick",
			"CREATE TRIGGER shop.copies AFTER INSERT ON shop.bare FOR EACH ROW INSERT INTO shop.sick (id) VALUES (NEW.a)",
			"CREATE PROCEDURE shop.harmless() SELECT 'sick' FROM bare",
		)
		want := []string{"event shop.ends", "function shop.asks", "procedure shop.reads", "trigger shop.copies"}
		r := b.run()
		if diff := cmp.Diff(want, r.Tables[1].Programs); diff != "" || !r.Good() || r.Tables[0].Programs != nil {
			b.t.Errorf("programs (good: %v): %s", r.Good(), diff)
		}
		b.exec(b.server, "CREATE VIEW shop.theirs AS SELECT id FROM shop.sick")
		r = b.run()
		if diff := cmp.Diff([]examination.Mismatch{{Of: "view", Name: "shop.theirs", Problem: "not made by tunic"}}, r.Tables[1].Mismatches); diff != "" || r.Good() {
			b.t.Errorf("a view (good: %v): %s", r.Good(), diff)
		}
		b.exec(b.server, "DROP VIEW shop.theirs", "CREATE VIEW shop.above AS SELECT name FROM shop.ours")
		for _, look := range []func() *Report{b.run, b.quick} {
			r := look()
			if diff := cmp.Diff([]examination.Mismatch{{Of: "view", Name: "shop.above", Problem: "not made by tunic"}}, r.Tables[0].Mismatches); diff != "" || r.Good() || !r.Tables[1].Good() {
				b.t.Errorf("a view over a view of tunic's (good: %v): %s", r.Good(), diff)
			}
		}
	})
}

// TestViewsThatAreNone: a view whose stored form is gone or is another one is told of with what to do about it, which
// helps; and so is one that was made of its stored form.
func TestViewsThatAreNone(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.sick (id INT PRIMARY KEY, name VARCHAR(20))", "CREATE VIEW shop.ours AS SELECT name FROM shop.sick")
		var name, text, set, collation string
		if err := b.server.QueryRowContext(t.Context(), "SHOW CREATE VIEW shop.ours").Scan(&name, &text, &set, &collation); err != nil {
			b.t.Fatal(err)
		}
		finds := func(problem, fix string) {
			for _, look := range []func() *Report{b.run, b.quick} {
				found := &look().Tables[0]
				if len(found.Mismatches) != 1 || found.Mismatches[0].Problem != problem || !strings.Contains(found.Fix(found.Mismatches[0]), fix) {
					b.t.Errorf("%s: %+v", problem, found.Mismatches)
				}
			}
		}
		b.exec(b.server, "DROP VIEW shop.ours")
		finds(examination.Missing, "create it again through tunic")
		b.exec(b.tunic, "CREATE VIEW shop.ours AS SELECT name FROM shop.sick")
		if !b.run().Good() {
			b.t.Error("it is not good again")
		}
		b.exec(b.server, "CREATE OR REPLACE VIEW shop.ours AS SELECT 1 AS name")
		finds(examination.Different, "drop the view at the server, and create it again through tunic")
		b.exec(b.server, "DROP VIEW shop.ours")
		b.exec(b.tunic, "CREATE "+text[strings.Index(text, "VIEW "):])
		finds(examination.Copied, "drop it, and create it again through tunic by its own definition")
		b.exec(b.tunic, "DROP VIEW shop.ours", "CREATE VIEW shop.ours AS SELECT name FROM shop.sick")
		if !b.run().Good() {
			b.t.Error("it is not good again")
		}
	})
}

// TestColumnsOfJobs: the column of a layer that a job is about to add is found to be nobody's
// only where there is no such job, paused or not.
func TestColumnsOfJobs(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.j (id INT PRIMARY KEY COMMENT 'tunic: plain', k INT)", "INSERT INTO shop.j VALUES (1, 1)")
		holder, err := b.tunic.Conn(t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		defer func() { _ = holder.Close() }()
		for _, s := range []string{"BEGIN", "UPDATE shop.j SET k = 2"} { // so that the job does not get the table
			if _, err := holder.ExecContext(t.Context(), s); err != nil {
				b.t.Fatal(err)
			}
		}
		asked, err := b.tunic.ExecContext(t.Context(), "CALL tunic.add_layer('shop.j', 'k', 'equality')")
		if err != nil {
			b.t.Fatal(err)
		}
		job, _ := asked.LastInsertId()
		b.exec(b.tunic, fmt.Sprintf("CALL tunic.pause(%d)", job))
		if _, err := holder.ExecContext(t.Context(), "COMMIT"); err != nil {
			b.t.Fatal(err)
		}
		const twice = 1060 // the job has had the table before it was paused
		_, err = b.server.ExecContext(t.Context(), "ALTER TABLE shop.j ADD COLUMN `k$eq` BINARY(8)")
		if said, ok := errors.AsType[*mysql.MySQLError](err); err != nil && (!ok || said.Number != twice) {
			b.t.Fatal(err)
		}
		if r := b.changed(); !r.Good() || r.Tables[0].Rows != 1 {
			b.t.Errorf("beside a job that is paused: %+v", r)
		}
		b.exec(b.tunic, fmt.Sprintf("CALL tunic.cancel(%d)", job))
		waittest.Until(b.t, "the job is undone", func() bool {
			var state string
			if err := b.tunic.QueryRowContext(t.Context(), "SELECT state FROM tunic.jobs WHERE id = ?", job).Scan(&state); err != nil {
				b.t.Fatal(err)
			}
			return state == "cancelled"
		})
		if r := b.changed(); !r.Good() {
			b.t.Errorf("once the job is undone: %+v", r)
		}
		b.exec(b.server, "ALTER TABLE shop.j ADD COLUMN `k$eq` BINARY(8)")
		want := []examination.Mismatch{{Of: "column", Name: "k$eq", Problem: "not made by tunic"}}
		if r := b.run(); !cmp.Equal(r.Tables[0].Mismatches, want) {
			b.t.Errorf("without a job: %+v", r)
		}
	})
}

// TestBesideClients: while clients write, and definitions change, nothing is found that is
// not there, and nothing repaired that was right.
func TestBesideClients(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.t (id INT NOT NULL PRIMARY KEY, k INT, s VARCHAR(30))")
		for from := range 4 {
			values := ""
			for id := from * 500; id < (from+1)*500; id++ {
				values += fmt.Sprintf(", (%d, %d, 'row %d')", id, id%7, id)
			}
			b.exec(b.tunic, "INSERT INTO shop.t (id, k, s) VALUES "+values[2:])
		}
		stop := make(chan struct{})
		var clients sync.WaitGroup
		for client := range 3 {
			clients.Go(func() {
				for n := client; ; n += 3 {
					select {
					case <-stop:
						return
					default:
					}
					b.exec(b.tunic, fmt.Sprintf("UPDATE shop.t SET k = %d WHERE id = %d", n, n%2000),
						fmt.Sprintf("REPLACE INTO shop.t (id, k, s) VALUES (%d, NULL, 'again')", (n+1000)%2000))
				}
			})
		}
		clients.Go(func() {
			for _, s := range []string{
				"CREATE INDEX k ON shop.t (k)", "ALTER TABLE shop.t ADD COLUMN more INT NOT NULL DEFAULT 5, ADD KEY (more)",
				"ALTER TABLE shop.t MODIFY s VARCHAR(50)", "DROP INDEX k ON shop.t", "ALTER TABLE shop.t DROP COLUMN more", "CREATE TABLE shop.u (a INT)", "DROP TABLE shop.u",
			} {
				b.exec(b.tunic, s)
			}
		})
		b.audit.Repair = true
		for range 4 {
			r := b.run()
			bad := slices.DeleteFunc(r.Tables, func(t Table) bool { return t.Changing || t.Mismatches == nil && t.Faults == nil })
			if len(bad) > 0 || len(r.Strangers) > 0 {
				b.t.Errorf("found: %+v, %v", bad, r.Strangers)
			}
		}
		close(stop)
		clients.Wait()
		if r := b.run(); !r.Good() || r.Tables[0].Rows < 2000 {
			b.t.Errorf("afterwards: %+v", r)
		}
	})
}

// TestFindsInFamilies: the forms of a family are opened once a row, and tokens compared with their members' values.
func TestFindsInFamilies(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic,
			"CREATE TABLE shop.line (id INT PRIMARY KEY COMMENT 'tunic: plain', w INT COMMENT 'tunic: equality family line', d DATE NOT NULL COMMENT 'tunic: family line', name VARCHAR(9) COMMENT 'tunic: apart')",
			"INSERT INTO shop.line VALUES (1, 1, '2001-01-01', 'a'), (2, NULL, '2001-01-01', NULL), (3, 3, '2001-01-01', 'c')",
		)
		want := &Report{Tables: []Table{{Schema: "shop", Name: "line", Rows: 3, Forms: []layers.Forms{{Family: "line$form", Layout: 1, Epoch: 0, Rows: 3}}}}}
		if diff := cmp.Diff(want, b.run()); diff != "" || !want.Good() {
			b.t.Fatalf("as it was written: %s", diff)
		}
		b.exec(b.server, "UPDATE shop.line SET `w$eq` = NULL WHERE id = 1", "UPDATE shop.line SET `line$form` = INSERT(`line$form`, 7, 4, 'xxxx') WHERE id = 3")
		of := func(f layers.Fault, row int64) layers.Fault {
			f.Rows, f.First, f.Key = 1, []int64{row}, "PRIMARY (id)"
			return f
		}
		want.Tables[0].Faults = []layers.Fault{
			of(layers.Fault{Column: "line$form", Kind: layers.Unopened}, 3), of(layers.Fault{Column: "w", Layer: policy.Equality, Kind: layers.Lacking, Repaired: 1}, 1),
		}
		want.Tables[0].Forms[0].Rows = 2
		b.audit.Repair = true
		if diff := cmp.Diff(want, b.run()); diff != "" {
			b.t.Error(diff)
		}
	})
}
