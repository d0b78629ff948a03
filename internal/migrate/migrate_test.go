package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tunic/internal/policy"
	"tunic/internal/racetest"
	"tunic/internal/waittest"
)

// TestEncryptBesideClients: clients read and write through two tunics all the while, most of
// them in transactions that use the table more than once, some with statements that were
// prepared when it was plain. Nobody sees an error or another value than was written.
func TestEncryptBesideClients(t *testing.T) { onServers(t, encryptBesideClients) }

// TestEncryptTogetherBesideClients: nor does anybody where the columns come into a family.
func TestEncryptTogetherBesideClients(t *testing.T) { onFamilies(t, encryptBesideClients) }

func encryptBesideClients(b *bench) {
	b.person(8 * 200)
	done, leave := b.customers(8, 200, 4)
	waittest.Until(b.t, "clients are at work", func() bool { return done.Load() > 50 })
	w, end := b.work("person", "n", "name")
	plan, err := w.Look(b.t.Context())
	if err != nil || plan.Hindered() || len(plan.Columns) != 2 || plan.At != Adopt {
		b.t.Fatalf("%+v, %v", plan, err)
	}
	report, err := w.Encrypt(b.t.Context())
	if err != nil || report.At != Finished || len(report.Took) != 5 {
		b.t.Errorf("%+v, %v", report, err)
	}
	end()
	before := done.Load()
	waittest.Until(b.t, "clients go on", func() bool { return done.Load() > before+50 || b.t.Failed() })
	leave()
	b.isProtected("person")
}

// customer reads and writes rows of its own.
type customer struct {
	b     *bench
	db    *sql.DB
	first int
	last  []int // as they were written last
	done  *atomic.Int64
}

// customers start clients of two tunics, each with so many rows of its own, and one of so many
// with prepared statements. done counts their transactions; leave ends them, and compares.
func (b *bench) customers(clients, each, prepared int) (done *atomic.Int64, leave func()) {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	done = new(atomic.Int64)
	all := make([]*customer, clients)
	for i := range all {
		all[i] = &customer{b: b, db: b.tunics[i%2], first: i*each + 1, last: make([]int, each), done: done}
		wg.Go(func() {
			all[i].run(stop, i%prepared == prepared-1)
		})
	}
	return done, func() {
		close(stop)
		wg.Wait()
		for _, c := range all {
			c.compare()
		}
	}
}

var errWrong = errors.New("a wrong answer")

func (c *customer) run(stop chan struct{}, prepared bool) {
	for j := range c.last {
		c.last[j] = 10 * (c.first + j)
	}
	random := rand.New(rand.NewPCG(5, uint64(c.first)))
	do := func() error { return c.transaction(random) }
	if prepared {
		end, one, err := c.prepare(random)
		if err != nil {
			c.b.t.Errorf("a client: %v", err)
			return
		}
		defer end()
		do = one
	}
	for {
		select {
		case <-stop:
			return
		default:
		}
		if err := do(); err != nil {
			c.b.t.Errorf("a client: %v", err)
			return
		}
		c.done.Add(1)
	}
}

// transaction uses the table twice or more, and rolls back now and then.
func (c *customer) transaction(random *rand.Rand) error {
	ctx := context.Background()
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	next := append([]int(nil), c.last...)
	for range 1 + random.IntN(3) {
		j, v := random.IntN(len(next)), random.IntN(1e6)
		var got int
		err := tx.QueryRowContext(ctx, fmt.Sprintf("SELECT n FROM person WHERE id = %d", c.first+j)).Scan(&got)
		if err == nil && got != next[j] {
			return fmt.Errorf("%w: row %d is %d, was written %d", errWrong, c.first+j, got, next[j])
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, fmt.Sprintf("UPDATE person SET n = %d, name = '%s %d', seen = seen + 1 WHERE id = %d", v, canary, v, c.first+j))
		}
		if passes(err) {
			return nil
		}
		if err != nil {
			return err
		}
		next[j] = v
	}
	if random.IntN(4) == 0 {
		return nil
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	c.last = next
	return nil
}

// prepare prepares statements once; one executes them, each a transaction by itself.
func (c *customer) prepare(random *rand.Rand) (end func(), one func() error, err error) {
	ctx := context.Background()
	conn, err := c.db.Conn(ctx)
	if err != nil {
		return nil, nil, err
	}
	read, err := conn.PrepareContext(ctx, "SELECT n FROM person WHERE id = ?")
	if err != nil {
		return nil, nil, err
	}
	write, err := conn.PrepareContext(ctx, "UPDATE person SET n = ?, name = ? WHERE id = ?")
	if err != nil {
		return nil, nil, err
	}
	one = func() error {
		j, v := random.IntN(len(c.last)), random.IntN(1e6)
		var got int
		if err := read.QueryRowContext(ctx, c.first+j).Scan(&got); err != nil || got != c.last[j] {
			return fmt.Errorf("row %d is %d, was written %d: %w", c.first+j, got, c.last[j], errors.Join(err, errWrong))
		}
		if _, err := write.ExecContext(ctx, v, fmt.Sprintf("%s %d", canary, v), c.first+j); err != nil {
			return err
		}
		c.last[j] = v
		return nil
	}
	return func() { _, _, _ = read.Close(), write.Close(), conn.Close() }, one, nil
}

// compare makes sure of all rows, by their key and by their layer.
func (c *customer) compare() {
	c.b.t.Helper()
	for j, want := range c.last {
		if j%20 != 0 {
			continue
		}
		var got, found int
		if err := c.db.QueryRow("SELECT n FROM person WHERE id = ?", c.first+j).Scan(&got); err != nil || got != want {
			c.b.t.Errorf("row %d is %d, want %d: %v", c.first+j, got, want, err)
		}
		if err := c.db.QueryRow("SELECT COUNT(*) FROM person WHERE n = ? AND id = ?", want, c.first+j).Scan(&found); err != nil || found != 1 {
			c.b.t.Errorf("row %d is not found by its value: %v", c.first+j, err)
		}
	}
}

// TestCutOff: at each step. What is begun again, by another process, goes on, and the table is
// served in between.
func TestCutOff(t *testing.T) { onServers(t, cutOff) }

// TestCutOffTogether: so does what brings columns into a family.
func TestCutOffTogether(t *testing.T) { onFamilies(t, cutOff) }

func cutOff(b *bench) {
	for _, cut := range steps[:len(steps)-1] {
		b.person(1200)
		ctx, cancel := context.WithCancel(b.t.Context())
		w, end := b.work("person", "n", "name")
		w.Progress = func(p Progress) {
			if p.Step == cut && (cut != Backfill || p.Rows > 0) {
				cancel()
			}
		}
		if report, err := w.Encrypt(ctx); !ended(ctx, err) {
			b.t.Fatalf("cut off at %s: %+v, %v", cut, report, err)
		}
		cancel()
		end()
		var n int
		if err := b.tunics[1].QueryRowContext(b.t.Context(), "SELECT n FROM person WHERE id = 7").Scan(&n); err != nil || n != 70 {
			b.t.Errorf("cut off at %s: %d, %v", cut, n, err)
		}
		b.exec(b.tunics[0], "UPDATE person SET n = 77 WHERE id = 7")
		w, end = b.work("person", "n", "name")
		report, err := w.Encrypt(b.t.Context())
		if err != nil || report.At != Finished {
			b.t.Fatalf("gone on after %s: %+v, %v", cut, report, err)
		}
		end()
		if err := b.tunics[1].QueryRowContext(b.t.Context(), "SELECT id FROM person WHERE n = 77").Scan(&n); err != nil || n != 7 {
			b.t.Errorf("after %s: %d, %v", cut, n, err)
		}
		b.isProtected("person")
		b.exec(b.tunics[0], "DROP TABLE person")
	}
}

// TestKilledInAdoption: who is killed when the copies are there, and before the table is in the
// catalog, leaves columns that nobody knows of. Work that is begun again takes them away; it
// takes away none that clients see, whatever its name.
func TestKilledInAdoption(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		b.person(50)
		b.exec(b.server, "ALTER TABLE shop.person ADD COLUMN `name$copy` VARBINARY(200) DEFAULT NULL INVISIBLE AFTER name, ADD COLUMN `name$eq` BINARY(8) DEFAULT NULL INVISIBLE AFTER `name$copy`")
		w, end := b.work("person", "n", "name")
		defer end()
		plan, err := w.Look(b.t.Context())
		if err != nil || plan.Hindered() || len(plan.Columns) != 2 {
			b.t.Fatalf("%+v, %v", plan, err)
		}
		if report, err := w.Encrypt(b.t.Context()); err != nil || report.At != Finished {
			b.t.Fatalf("%+v, %v", report, err)
		}
		b.isProtected("person")
		b.exec(b.server, "CREATE TABLE shop.seen (id INT PRIMARY KEY, name INT, `name$copy` INT)", "INSERT INTO shop.seen VALUES (1, 2, 3)")
		w.Table, w.Columns = "seen", []string{"name"}
		if plan, err := w.Look(b.t.Context()); err != nil || !plan.Hindered() {
			b.t.Errorf("a column of the client's is taken for one that was left: %+v, %v", plan, err)
		}
		if _, err := w.Encrypt(b.t.Context()); err == nil {
			b.t.Error("the table is encrypted")
		}
		var kept int
		if err := b.server.QueryRowContext(b.t.Context(), "SELECT `name$copy` FROM shop.seen").Scan(&kept); err != nil || kept != 3 {
			b.t.Errorf("the client's column: %d, %v", kept, err)
		}
	})
}

// TestKilledBeforeSwap: who is killed before the swap leaves the twin of the table to
// come, which belongs to nothing. Work that is begun again makes another.
func TestKilledBeforeSwap(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		b.person(50)
		w, end := b.work("person", "n", "name")
		defer end()
		w.Progress = func(p Progress) {
			if p.Step != Swap {
				return
			}
			of := w.Ledger.Catalog().Table("shop", "person")
			twin := strings.TrimSuffix(of.Twin, fmt.Sprint("_", of.Revision-1)) + fmt.Sprint("_", of.Revision+1)
			for _, name := range []string{twin, fmt.Sprint(twin, "_", w.Ledger.Catalog().Version)} {
				b.exec(b.server, "CREATE TABLE _tunic.`"+name+"` (x INT)")
			}
		}
		if report, err := w.Encrypt(b.t.Context()); err != nil || report.At != Finished {
			b.t.Fatalf("%+v, %v", report, err)
		}
		b.isProtected("person")
	})
}

// TestEncryptMakesFamilies: columns come into the families that the policy asks for when the work is begun, whatever it comes to
// ask for meanwhile.
func TestEncryptMakesFamilies(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		rule, err := policy.ParseRule("shop.person.n", "equality family f")
		if err != nil {
			b.t.Fatal(err)
		}
		for when, want := range map[Step][2]string{"": {"f$form", "row$form"}, Swap: {"", ""}} {
			b.person(50)
			b.together = false
			w, end := b.work("person", "n", "name")
			together := &policy.Policy{Default: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}, Together: true, Rules: []policy.Rule{rule}}
			if b.together = when == ""; b.together {
				w.Definer.SetPolicy(together)
			}
			w.Progress = func(p Progress) {
				if p.Step == when {
					w.Definer.SetPolicy(together)
				}
			}
			report, err := w.Encrypt(b.t.Context())
			if err != nil || report.At != Finished || report.Columns[0].Family != want[0] || report.Columns[1].Family != want[1] {
				b.t.Fatalf("%+v, %v", report, err)
			}
			of := w.Ledger.Catalog().Table("shop", "person")
			if got := [2]string{of.Columns[of.Column("n")].Family, of.Columns[of.Column("name")].Family}; got != want {
				b.t.Errorf("families %v, want %v", got, want)
			}
			b.isProtected("person")
			var sum, names int
			if err := b.tunics[0].QueryRowContext(b.t.Context(), "SELECT SUM(n), COUNT(name) FROM shop.person").Scan(&sum, &names); err != nil || sum != 12750 || names != 50 {
				b.t.Errorf("%d, %d, %v", sum, names, err)
			}
			if _, err := b.tunics[0].ExecContext(b.t.Context(), "DROP TABLE shop.person"); err != nil {
				b.t.Fatal(err)
			}
			end()
		}
	})
}

// TestHinderedMeanwhile: a trigger and a foreign key that a client makes after the table was looked
// at, and before it is adopted, are found before anybody depends on what comes of it.
func TestHinderedMeanwhile(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(50)
		b.exec(b.server, "ALTER TABLE shop.person ADD UNIQUE KEY by_n (id, n)") // to refer to
		for _, k := range []struct{ comes, goes string }{
			{"CREATE TRIGGER loud BEFORE INSERT ON person FOR EACH ROW SET NEW.name = UPPER(NEW.name)", "DROP TRIGGER shop.loud"},
			{"CREATE EVENT shop.purge ON SCHEDULE EVERY 1 DAY DO DELETE FROM person WHERE n < 0", "DROP EVENT shop.purge"},
			{"CREATE TABLE visit (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT COMMENT 'tunic: plain', FOREIGN KEY (id, n) REFERENCES person (id, n))", "DROP TABLE shop.visit"},
		} {
			w, end := b.work("person", "n", "name")
			if plan, err := w.Look(b.t.Context()); err != nil || plan.Hindered() {
				b.t.Fatalf("%+v, %v", plan, err)
			}
			w.Progress = func(p Progress) {
				if p.Step == Adopt {
					b.exec(b.tunics[0], k.comes)
				}
			}
			report, err := w.Encrypt(b.t.Context())
			if said, known := Problem(err); report.At != Fence || !known || !strings.Contains(said, "made before it began") {
				b.t.Errorf("%s: %+v, %v", k.comes, report, err)
			}
			if err := w.Abort(b.t.Context()); err != nil {
				b.t.Error(err)
			}
			end()
			b.exec(b.server, k.goes)
		}
		w, end := b.work("person", "n", "name")
		defer end()
		if report, err := w.Encrypt(b.t.Context()); err != nil || report.At != Finished {
			b.t.Fatalf("%+v, %v", report, err)
		}
		b.isProtected("person")
	})
}

// TestAlteredMeanwhile: what clients change of a table's definition until it is adopted is in the
// table that comes of it, and what comes later is refused: nothing that was acknowledged is lost.
func TestAlteredMeanwhile(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(50)
		w, end := b.work("person", "name")
		defer end()
		var client sync.WaitGroup
		var added []string
		w.Progress = func(p Progress) {
			if p.Step != Adopt {
				return
			}
			client.Go(func() {
				for i := range 8 {
					name := fmt.Sprint("more", i)
					if _, err := b.tunics[1].ExecContext(b.t.Context(), "ALTER TABLE person ADD COLUMN "+name+" INT NOT NULL DEFAULT 7"); err != nil {
						return
					}
					added = append(added, name)
				}
			})
		}
		if report, err := w.Encrypt(b.t.Context()); err != nil || report.At != Finished {
			b.t.Fatalf("%+v, %v", report, err)
		}
		client.Wait()
		for _, name := range added {
			var n int
			if err := b.tunics[0].QueryRowContext(b.t.Context(), "SELECT SUM("+name+") FROM person").Scan(&n); err != nil || n != 7*50 {
				b.t.Errorf("of %d columns %s: %d, %v", len(added), name, n, err)
			}
		}
		b.isProtected("person")
	})
}

// TestAbortBesideClients: what is taken back at each step before the swap leaves clients
// with a plain table, of which nobody has lost anything.
func TestAbortBesideClients(t *testing.T) { onServers(t, abortBesideClients) }

// TestAbortBesideClientsTogether: so does what was to come into a family.
func TestAbortBesideClientsTogether(t *testing.T) { onFamilies(t, abortBesideClients) }

func abortBesideClients(b *bench) {
	b.person(4 * 100)
	before := b.shown()
	done, leave := b.customers(4, 100, 2)
	for _, cut := range []Step{Fence, Backfill, Swap} {
		ctx, cancel := context.WithCancel(b.t.Context())
		w, end := b.work("person", "n", "name")
		w.Progress = func(p Progress) {
			if p.Step == cut {
				cancel()
			}
		}
		if _, err := w.Encrypt(ctx); !ended(ctx, err) {
			b.t.Fatalf("cut off at %s: %v", cut, err)
		}
		end()
		cancel()
		w, end = b.work("person", "n", "name")
		if err := w.Abort(b.t.Context()); err != nil {
			b.t.Fatalf("taken back at %s: %v", cut, err)
		}
		end()
		at := done.Load()
		waittest.Until(b.t, "clients go on", func() bool { return done.Load() > at+20 || b.t.Failed() })
		if after := b.shown(); after != before {
			b.t.Errorf("taken back at %s, the table is\n%s\nwas\n%s", cut, after, before)
		}
	}
	leave()
}

// shown is the table as the server has it.
func (b *bench) shown() string {
	b.t.Helper()
	var name, definition string
	if err := b.server.QueryRowContext(b.t.Context(), "SHOW CREATE TABLE shop.person").Scan(&name, &definition); err != nil {
		b.t.Fatal(err)
	}
	return definition
}

// TestHindered: what keeps a table from being protected is found before anything is done.
func TestHindered(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.server,
			"CREATE TABLE shop.parent (id INT PRIMARY KEY, code INT NOT NULL, UNIQUE KEY (code))",
			"CREATE TABLE shop.child (id INT PRIMARY KEY, code INT, f JSON, CONSTRAINT child_code FOREIGN KEY (code) REFERENCES shop.parent (code))",
			"CREATE TABLE shop.heap (a INT)",
			"CREATE TABLE shop.kept (code INT NOT NULL UNIQUE, id INT NOT NULL UNIQUE)",
			"CREATE TABLE shop.other (id INT PRIMARY KEY, a INT) ENGINE=MyISAM",
			"CREATE TABLE shop.seen (id INT PRIMARY KEY, a INT)",
			"CREATE VIEW shop.sees AS SELECT a FROM shop.seen",
		)
		for _, c := range []struct {
			table, column, check string
		}{
			{"parent", "code", "foreign keys"},
			{"child", "code", "columns"},
			{"child", "f", "columns"},
			{"heap", "a", "key"},
			{"kept", "code", "columns"},
			{"other", "a", "table"},
			{"seen", "a", "views"},
			{"parent", "id", "columns"},
			{"parent", "nosuch", "columns"},
		} {
			w, end := b.work(c.table, c.column)
			plan, err := w.Look(b.t.Context())
			found := ""
			if plan != nil {
				for _, f := range plan.Findings {
					if f.Hinders && f.Check == c.check {
						found = f.What
					}
				}
			}
			if err != nil || found == "" {
				b.t.Errorf("%s.%s: nothing of %s: %+v, %v", c.table, c.column, c.check, plan, err)
			}
			end()
		}
		w, end := b.work("nosuch")
		defer end()
		if _, err := w.Look(b.t.Context()); !errors.Is(err, ErrNoTable) {
			b.t.Errorf("a table that is not there: %v", err)
		}
		view, endView := b.work("sees")
		defer endView()
		if _, err := view.Look(b.t.Context()); !errors.Is(err, ErrView) {
			b.t.Errorf("a view: %v", err)
		}
	})
}
