package rotation

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl"
	"tunic/internal/ddl/layering"
	"tunic/internal/ddl/revision"
	"tunic/internal/keys"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/ledger/ledgertest"
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
	sandbox       *sandbox.Server // that it is
	backend, dir  string          // the server's address, and tunic's folder
	options       ledger.Options
	flavor        value.Flavor
}

func onServers(t *testing.T, test func(*bench)) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds tunic")
	}
	sandboxtest.Each(t, func(t *testing.T, s *sandbox.Server) {
		for _, drop := range []string{"_tunic", "shop"} {
			if err := s.Exec(t.Context(), "DROP DATABASE IF EXISTS "+drop); err != nil {
				t.Fatal(err)
			}
		}
		tunic, err := sandbox.StartTunic(t.Context(), sandbox.TunicOptions{Backend: s.Addr, Protect: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := tunic.Stop(); err != nil {
				t.Error(err)
			}
		})
		kek, err := keys.File{Path: filepath.Join(tunic.Dir, "key")}.KEK(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b := &bench{t: t, server: sandboxtest.Open(t, s.DSN("root", "root", "")), tunic: sandboxtest.Open(t, tunic.DSN(sandbox.AppUser, sandbox.AppPassword, ""))}
		b.sandbox, b.backend, b.dir = s, s.Addr, tunic.Dir
		b.flavor = map[sandbox.Flavor]value.Flavor{sandbox.MariaDB: value.MariaDB, sandbox.MySQL: value.MySQL}[s.Flavor]
		b.options = ledger.Options{
			DB: sandboxtest.Open(t, s.DSN(sandbox.ServiceUser, sandbox.ServicePassword, "")), KEK: kek, Types: catalog.TypesOf(b.flavor), Log: slog.New(slog.DiscardHandler),
		}
		b.exec(b.tunic, "CREATE DATABASE shop")
		test(b)
	})
}

// second is a connection through another tunic before the same server.
func (b *bench) second() *sql.DB {
	b.t.Helper()
	dir := filepath.Join(b.t.TempDir(), "tunic")
	key, err := os.ReadFile(filepath.Join(b.dir, "key"))
	if err == nil {
		err = errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "key"), key, 0o600))
	}
	if err != nil {
		b.t.Fatal(err)
	}
	tunic, err := sandbox.StartTunic(b.t.Context(), sandbox.TunicOptions{Backend: b.backend, Protect: true, Dir: dir})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		if err := tunic.Stop(); err != nil {
			b.t.Error(err)
		}
	})
	return sandboxtest.Open(b.t, tunic.DSN(sandbox.AppUser, sandbox.AppPassword, ""))
}

func (b *bench) exec(db *sql.DB, statements ...string) {
	b.t.Helper()
	for _, s := range statements {
		if _, err := db.ExecContext(b.t.Context(), s); err != nil {
			b.t.Fatalf("%.200s: %v", s, err)
		}
	}
}

// rotation opens the ledger as another process would, until the test ends.
func (b *bench) rotation() *Rotation {
	b.t.Helper()
	held, err := ledgertest.Open(b.t.Context(), b.options)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(held.Close)
	return &Rotation{
		DB: b.options.DB, Ledger: held, KEK: b.options.KEK.ID(),
		Definer: ddl.New(ddl.Options{DB: b.options.DB, Ledger: held, Policy: &policy.Policy{}, Flavor: b.flavor, Log: b.options.Log}),
	}
}

// rows fills a table with numbers and names up to n.
func (b *bench) rows(table string, n int) {
	b.t.Helper()
	for from := 1; from <= n; from += 500 {
		var list []string
		for id := from; id < min(from+500, n+1); id++ {
			list = append(list, fmt.Sprintf("(%d, %d, 'name %d')", id, 10*id, id))
		}
		b.exec(b.tunic, "INSERT INTO shop."+table+" (id, n, name) VALUES "+strings.Join(list, ", "))
	}
}

// inspect opens everything that is stored, and compares it.
func (b *bench) inspect() {
	b.t.Helper()
	now, err := ledger.Inspect(b.t.Context(), b.options)
	if err != nil {
		b.t.Fatal(err)
	}
	for t := range now.Catalog.Tables() {
		_, faults, err := (&layers.Inspection{DB: b.options.DB, Ring: crypt.NewRing(now.Tree), Table: t}).Run(b.t.Context())
		if err != nil || len(faults) > 0 {
			b.t.Errorf("table %s: %v, %v", t.Name, faults, err)
		}
	}
}

// table finds a table of a report.
func (r *Report) table(name string) *Table {
	for i := range r.Tables {
		if r.Tables[i].Name == name {
			return &r.Tables[i]
		}
	}
	return nil
}

const wide = " (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT, name VARCHAR(40), born DATE, KEY (n))"

// TestRotationBesideClients: clients of two tunics read and write all the while, and transactions stay open
// over the change; nobody sees an error or another value than was written, and the server
// counts no form of the old epoch at the end.
func TestRotationBesideClients(t *testing.T) {
	onServers(t, func(b *bench) {
		const clients, each = 4, 300
		b.exec(b.tunic, "CREATE TABLE shop.person"+wide)
		b.rows("person", clients*each)
		stop := make(chan struct{})
		var wg sync.WaitGroup
		var done atomic.Int64
		last, by := make([][each]int, clients), [...]*sql.DB{b.tunic, b.second()}
		for i := range clients {
			wg.Go(func() { b.client(by[i%len(by)], i, clients, &last[i], &done, stop) })
		}
		waittest.Until(b.t, "clients are at work", func() bool { return done.Load() > 50 })
		r := b.rotation()
		for want := uint16(1); want <= 2; want++ {
			before := done.Load()
			report, err := r.Run(b.t.Context())
			if err != nil || !report.New || report.Epoch != want || !report.Whole() {
				b.t.Fatalf("%+v, %v", report, err)
			}
			if one := report.table("person"); one.Old != 0 || one.Epoch != want {
				b.t.Errorf("%+v", one)
			}
			waittest.Until(b.t, "clients go on", func() bool { return done.Load() > before+50 })
		}
		close(stop)
		wg.Wait()
		for i := range clients {
			for j, n := range last[i] {
				b.is(j*clients+i+1, n)
			}
		}
		b.old(0)
		b.inspect()
	})
}

// client reads and writes the rows whose number is i modulo n.
func (b *bench) client(by *sql.DB, i, n int, last *[300]int, done *atomic.Int64, stop chan struct{}) {
	random := rand.New(rand.NewPCG(3, uint64(i)))
	for j := range last {
		last[j] = 10 * (j*n + i + 1)
	}
	for {
		select {
		case <-stop:
			return
		default:
		}
		if err := b.transaction(by, random, i, n, last); err != nil {
			b.t.Errorf("a client: %v", err)
			return
		}
		done.Add(1)
	}
}

func (b *bench) transaction(by *sql.DB, random *rand.Rand, i, n int, last *[300]int) error {
	ctx := context.Background()
	tx, err := by.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	next := *last
	for range 1 + random.IntN(3) {
		j := random.IntN(len(last))
		id, v := j*n+i+1, random.IntN(1e6)
		var got int
		if err := tx.QueryRowContext(ctx, "SELECT n FROM shop.person WHERE id = ?", id).Scan(&got); err != nil || got != next[j] {
			return fmt.Errorf("row %d is %d, was written %d: %w", id, got, next[j], errors.Join(err, errWrong))
		}
		if err := tx.QueryRowContext(ctx, "SELECT n FROM shop.person WHERE n = ? AND id = ?", next[j], id).Scan(&got); err != nil || got != next[j] {
			return fmt.Errorf("row %d is not found by what was written, %d: %w", id, next[j], errors.Join(err, errWrong))
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("UPDATE shop.person SET n = %d, name = 'name %d' WHERE id = %d", v, v, id)); err != nil {
			if said, ok := errors.AsType[*mysql.MySQLError](err); ok && said.Number == 1213 {
				return nil // a deadlock, as without tunic
			}
			return err
		}
		next[j] = v
	}
	if random.IntN(4) == 0 {
		return nil // rolled back
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	*last = next
	return nil
}

var errWrong = errors.New("a wrong answer")

// is makes sure of a row, by its key and by its layer.
func (b *bench) is(id, n int) {
	b.t.Helper()
	var got int
	if err := b.tunic.QueryRowContext(b.t.Context(), "SELECT n FROM shop.person WHERE id = ?", id).Scan(&got); err != nil || got != n {
		b.t.Errorf("row %d is %d, want %d: %v", id, got, n, err)
	}
	var found int
	err := b.tunic.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM shop.person WHERE n = ? AND id = ?", n, id).Scan(&found)
	if err != nil || found != 1 {
		b.t.Errorf("row %d is not found by its value: %v", id, err)
	}
}

// old counts the rows of shop.person that have a form of the master key from the beginning, as
// the server sees them.
func (b *bench) old(want int) {
	b.t.Helper()
	var n int
	err := b.server.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM shop.person WHERE HEX(SUBSTR(n, 2, 2)) = '0000' OR HEX(SUBSTR(name, 2, 2)) = '0000'").Scan(&n)
	if err != nil || n != want {
		b.t.Errorf("%d rows of the first epoch, want %d: %v", n, want, err)
	}
}

// TestCutOff: at each step that is told of. What is begun again goes on for the same epoch, and
// whoever has been cut off has lost nothing.
func TestCutOff(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.person"+wide, "CREATE TABLE shop.visit"+wide)
		b.rows("person", 1700)
		b.rows("visit", 10)
		r := b.rotation()
		var report *Report
		for cuts := 1; ; cuts++ {
			if p, err := Look(b.t.Context(), b.options, nil, false); err != nil || p.New && cuts > 1 {
				b.t.Logf("all was done when it was cut off for the %d. time (%v)", cuts-1, err)
				break
			}
			ctx, cancel := context.WithCancel(b.t.Context())
			told := 0
			r.Progress = func(p Progress) {
				if told++; p.Rows > 0 || told == cuts {
					cancel()
				}
			}
			var err error
			report, err = r.Run(ctx)
			cancel()
			if report.Epoch > 1 {
				b.t.Fatalf("begun again with epoch %d", report.Epoch)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				b.t.Fatal(err)
			}
			if cuts > 30 {
				b.t.Fatal("it does not end")
			}
		}
		if report.Epoch != 1 {
			b.t.Errorf("%+v", report)
		}
		for id := 1; id <= 1700; id += 100 {
			b.is(id, 10*id)
		}
		b.old(0)
		b.inspect()
		p, err := Look(b.t.Context(), b.options, nil, false)
		if err != nil || !p.New || len(p.Masters) != 2 {
			b.t.Errorf("%+v, %v", p, err)
		}
	})
}

// TestTablesOfDifferentEpochs: foreign keys and joins hold between tables from before and from
// after a rotation, in whichever order they are made: what is compared at the server is of one
// epoch, or is compared by tunic.
func TestTablesOfDifferentEpochs(t *testing.T) {
	onServers(t, func(b *bench) {
		const person = " (id INT PRIMARY KEY, n INT, KEY (n))"
		b.exec(b.tunic, "CREATE TABLE shop.person"+person, "CREATE TABLE shop.other"+person,
			"INSERT INTO shop.person VALUES (1, 10), (2, 20)", "INSERT INTO shop.other VALUES (1, 10), (3, 20)")
		if report, err := b.rotation().Run(b.t.Context()); err != nil || !report.Whole() {
			b.t.Fatalf("%+v, %v", report, err)
		}
		b.exec(b.tunic,
			"CREATE TABLE shop.visit (id INT PRIMARY KEY, person INT, n INT, FOREIGN KEY (person) REFERENCES shop.person (id))",
			"CREATE TABLE shop.late"+person,
			"INSERT INTO shop.visit VALUES (1, 1, 10), (2, 2, 20), (3, 2, 30)",
			"INSERT INTO shop.late VALUES (1, 10), (2, 30)",
			"ALTER TABLE shop.late ADD FOREIGN KEY (id) REFERENCES shop.person (id)",
			"ALTER TABLE shop.other ADD COLUMN late INT, ADD KEY (late)",
			"UPDATE shop.other SET late = 1",
			"ALTER TABLE shop.other ADD FOREIGN KEY (late) REFERENCES shop.late (id)",
			"ALTER TABLE shop.visit ADD KEY (n)",
		)
		for _, c := range []struct {
			query string
			want  int
		}{
			{"SELECT COUNT(*) FROM shop.visit v JOIN shop.person p ON v.person = p.id WHERE p.n = 20", 2},
			{"SELECT COUNT(*) FROM shop.visit v JOIN shop.late l ON v.n = l.n", 2},
			{"SELECT COUNT(*) FROM shop.visit v JOIN shop.late l ON v.person = l.id", 3},
			{"SELECT COUNT(*) FROM shop.person p JOIN shop.other o USING (id)", 1},
			{"SELECT COUNT(*) FROM shop.other o JOIN shop.late l ON o.late = l.id JOIN shop.person p ON p.id = l.id WHERE p.n = 10", 2},
			{"SELECT COUNT(*) FROM shop.late WHERE n IN (SELECT n FROM shop.person)", 1},
		} {
			var got int
			if err := b.tunic.QueryRowContext(b.t.Context(), c.query).Scan(&got); err != nil || got != c.want {
				b.t.Errorf("%s: %d, want %d: %v", c.query, got, c.want, err)
			}
		}
		for _, violates := range []string{
			"INSERT INTO shop.visit VALUES (4, 3, 1)", "INSERT INTO shop.late VALUES (3, 1)", "UPDATE shop.other SET late = 9", "DELETE FROM shop.person WHERE id = 1",
		} {
			_, err := b.tunic.ExecContext(b.t.Context(), violates)
			if said, ok := errors.AsType[*mysql.MySQLError](err); !ok || said.Number != 1451 && said.Number != 1452 {
				b.t.Errorf("%s: %v", violates, err)
			}
		}
		b.inspect()
	})
}

// TestLayersFromAfter: a layer that is added behind a rotation is of the new epoch.
func TestLayersFromAfter(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.person"+wide)
		b.rows("person", 10)
		r := b.rotation()
		if report, err := r.Run(b.t.Context()); err != nil || !report.Whole() {
			b.t.Fatalf("%+v, %v", report, err)
		}
		before := r.Ledger.Catalog().Table("shop", "person")
		request := []revision.NamedLayer{{Column: before.Columns[before.Column("name")].ID, Capability: policy.Equality}}
		if err := r.Definer.Layers.Add(b.t.Context(), 1, before.ID, request); err != nil {
			b.t.Fatal(err)
		}
		if err := r.Definer.Layers.Backfill(b.t.Context(), 1, before.ID, request, layering.Options{}); err != nil {
			b.t.Fatal(err)
		}
		if err := r.Definer.Layers.Ready(b.t.Context(), 1, before.ID, request); err != nil {
			b.t.Fatal(err)
		}
		now := r.Ledger.Catalog().Table("shop", "person")
		if added, kept := now.Columns[now.Column("name")].Layers[0], now.Columns[now.Column("n")].Layers[0]; added.Epoch != 1 || kept.Epoch != 0 {
			b.t.Errorf("epochs %d and %d", added.Epoch, kept.Epoch)
		}
		b.inspect()
	})
}

// TestTableIsComing: the catalog has a table that another tunic is making before the server has
// it. Who has looked in vain waits until that is settled, and looks again at the same
// definition; where the server goes on to have another one, it is an error.
func TestTableIsComing(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.tunic, "CREATE TABLE shop.person"+wide)
		r := b.rotation()
		id := r.Ledger.Catalog().Table("shop", "person").ID
		looks := 0
		err := r.asItIs(t.Context(), id, func(*catalog.Table) error {
			if looks++; looks == 1 {
				return layers.ErrMoved
			}
			return nil
		})
		if err != nil || looks != 2 {
			t.Errorf("%v after %d looks", err, looks)
		}
		err = r.asItIs(t.Context(), id, func(*catalog.Table) error { return layers.ErrMoved })
		if !errors.Is(err, layers.ErrMoved) {
			t.Errorf("never: %v", err)
		}
	})
}
