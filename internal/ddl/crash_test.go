package ddl

import (
	"context"
	"database/sql/driver"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/service"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
	"tunic/internal/racetest"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
)

// TestKilled: tunic is killed at each of the statements that a definition takes,
// before the statement is sent or before its answer is heard. When it is back,
// catalog and server agree on each table, old or new; no twin is left over or
// missing; and the definition can be repeated.
func TestKilled(t *testing.T) {
	racetest.InOrder(t)
	killedThrough(t, []killing{
		{before: "", statement: "CREATE TABLE k (a INT, s VARCHAR(10) NOT NULL, KEY (s))"},
		{before: "CREATE TABLE k (a INT, s VARCHAR(10) NOT NULL, KEY (s))", statement: "ALTER TABLE k ADD COLUMN b DATE, DROP COLUMN a, RENAME COLUMN s TO ss"},
		{before: "CREATE TABLE k (a INT, s VARCHAR(10) NOT NULL, KEY (s))", statement: "ALTER TABLE k ADD COLUMN b INT NOT NULL"},
		{before: "", statement: "CREATE TABLE k (a INT COMMENT 'tunic: family f', s VARCHAR(10) NOT NULL COMMENT 'tunic: equality family f')"},
		{before: "CREATE TABLE k (a INT)", statement: "RENAME TABLE k TO k2"},
		{before: "CREATE TABLE k (a INT)", statement: "DROP TABLE k"},
	})
}

// TestKilledBackfill is TestKilled for changes that give rows something: the table has
// all of it or nothing, no row is lost, and none has a token of another value.
func TestKilledBackfill(t *testing.T) {
	racetest.InOrder(t)
	const table = "CREATE TABLE k (id INT AUTO_INCREMENT PRIMARY KEY, s VARCHAR(10) NOT NULL, a INT)"
	killedThrough(t, []killing{
		{
			before: table, rows: [][]string{{"1", "one", "5"}, {"2", "two", ""}},
			statement: "ALTER TABLE k ADD KEY ks (s), ADD COLUMN b INT NOT NULL DEFAULT 7",
		},
		{ // in place, with a column that is added ahead and one that is set aside
			before: table, rows: [][]string{{"1", "one", "5"}, {"2", "two", ""}},
			statement: "ALTER TABLE k ADD COLUMN b DATE, ADD KEY kb (b), DROP COLUMN a, RENAME COLUMN s TO ss",
		},
		{
			before: table, rows: [][]string{{"1", "same", "5"}, {"2", "Same", ""}},
			statement: "CREATE UNIQUE INDEX ks ON k (s)",
		},
		{
			before: table, rows: [][]string{{"1", "one", "5"}, {"2", "two", ""}},
			statement: "ALTER TABLE k MODIFY s VARCHAR(10) CHARACTER SET latin1 NOT NULL, MODIFY a DECIMAL(20,2)",
		},
	})
}

// TestServerKilled: the server is killed beside one of the statements that a change of a
// table with rows takes, and is there again when tunic is started anew.
func TestServerKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts each server many times")
	}
	for _, of := range flavors {
		t.Run(of.name, func(t *testing.T) {
			b := newBench(t, of.flavor, sandboxtest.Own(t, of.sandbox))
			c := killing{
				before:    "CREATE TABLE k (id INT AUTO_INCREMENT PRIMARY KEY, s VARCHAR(10) NOT NULL, a INT)",
				rows:      [][]string{{"1", "one", "5"}, {"2", "two", ""}},
				statement: "ALTER TABLE k ADD KEY ks (s), ADD COLUMN b INT NOT NULL DEFAULT 7",
			}
			const stride = 11
			for cut := 5; b.serverKilledAt(cut, c); cut += stride {
			}
		})
	}
}

// serverKilledAt kills the server beside a statement; false says that the definition
// was done before it.
func (b *bench) serverKilledAt(cut int, c killing) bool {
	b.t.Helper()
	b.prepare(c)
	killed := make(chan error, 1)
	b.seen.mu.Lock()
	b.seen.cut, b.seen.atCut = cut, func() { killed <- b.server.Kill() }
	b.seen.mu.Unlock()
	_, err := b.do(c.statement)
	b.seen.mu.Lock()
	done := b.seen.cut > 0
	b.seen.cut, b.seen.atCut = 0, nil
	b.seen.mu.Unlock()
	if done {
		if err != nil {
			b.t.Errorf("%s: %v", c.statement, err)
		}
		return false
	}
	if err := <-killed; err != nil {
		b.t.Fatal(err)
	}
	if err := b.server.Restart(context.Background()); err != nil {
		b.t.Fatal(err)
	}
	b.comesBack()
	b.agrees(c.statement)
	b.hasRows(c)
	return true
}

// killing is a statement that is killed on its way, and what is there before it.
type killing struct {
	before    string
	rows      [][]string
	statement string
}

func killedThrough(t *testing.T, changes []killing) {
	t.Helper()
	for _, of := range flavors {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, of.flavor, sandboxtest.Start(t, of.sandbox))
			for _, c := range changes {
				first, step := points(b.flavor, false)
				for cut := first; b.killedAt(cut, false, c); cut += step {
				}
				// A kill that loses an answer leaves what one before the next statement
				// does: long changes need not go through both.
				first, step = points(b.flavor, true)
				for cut := first; len(c.rows) == 0 && b.killedAt(cut, true, c); cut += step {
				}
			}
		})
	}
}

// points are the first point that a change is killed at, and how far the next one is. There are
// many: each is met on one of the servers, and with TUNIC_LONG on both.
func points(flavor value.Flavor, lost bool) (first, step int) {
	switch {
	case testing.Short() || os.Getenv("TUNIC_LONG") != "":
		return 1, stride()
	case (flavor == value.MySQL) != lost:
		return 2, 2
	}
	return 1, 2
}

// stride leaves points out of a short run.
func stride() int {
	if testing.Short() {
		return 5
	}
	return 1
}

// prepare makes what is there before a killing.
func (b *bench) prepare(c killing) {
	b.t.Helper()
	for _, name := range []string{"k", "k2"} {
		b.must("DROP TABLE IF EXISTS " + name)
	}
	if c.before != "" {
		b.must(c.before)
	}
	for _, row := range c.rows {
		stored, _ := (&pair{bench: b}).row(b.ledger.Catalog().Table("shop", "k"), row)
		if err := b.client.Exec(b.t.Context(), stored); err != nil {
			b.t.Fatal(err)
		}
	}
}

// killedAt kills tunic at a statement; false says that the definition was done
// before it.
func (b *bench) killedAt(cut int, lost bool, c killing) (killed bool) {
	b.t.Helper()
	statement := c.statement
	b.prepare(c)
	b.seen.forget()
	b.seen.mu.Lock()
	b.seen.cut, b.seen.answerLost = cut, lost
	b.seen.mu.Unlock()
	_, err := b.do(statement)
	b.seen.mu.Lock()
	killed = b.seen.dead
	b.seen.mu.Unlock()
	if !killed && err != nil && numberOf(err) != service.DuplicateEntry {
		b.t.Fatalf("%s: %v", statement, err)
	}
	b.comesBack()
	b.agrees(statement)
	b.hasRows(c)
	if killed {
		_, err := b.do(statement)
		if !slices.Contains([]uint16{0, tableExists, 1051, 1146, 1091, 1060, 1054, 1061, service.DuplicateEntry}, numberOf(err)) {
			b.t.Errorf("%s: again after a kill at statement %d: %v", statement, cut, err)
		}
		b.agrees(statement)
		b.hasRows(c)
	}
	return killed
}

// hasRows looks for the rows of a killing, which are all there and whole, and for what
// is left of filling them, which is nothing.
func (b *bench) hasRows(c killing) {
	b.t.Helper()
	if len(c.rows) == 0 {
		return
	}
	t := b.ledger.Catalog().Table("shop", "k")
	if rows := (&pair{bench: b}).opened(t); len(rows) != len(c.rows) || t.Backfills() {
		b.t.Errorf("%s: %d rows, filling %v", c.statement, len(rows), t.Backfills())
	}
}

// comesBack is tunic after a kill: other connections, the ledger opened, what is
// left over swept.
func (b *bench) comesBack() {
	b.t.Helper()
	_ = b.client.conn.Raw(func(any) error { return driver.ErrBadConn }) // closes it, and so gives back its locks
	_ = b.client.conn.Close()
	b.ledger.Close()
	b.seen.mu.Lock()
	b.seen.cut, b.seen.dead = 0, false
	b.seen.mu.Unlock()
	b.client = b.connect("shop")
	b.letsGo()
	b.hold()
	b.definer.Upkeep.Patience = time.Minute // a busy server may still be ending what was cut off
	if err := b.definer.Upkeep.Sweep(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// letsGo waits until the server has noticed that tunic's connections are gone: until then
// they keep their locks, as those of another tunic that goes on would.
func (b *bench) letsGo() {
	b.t.Helper()
	held := "SELECT (IS_USED_LOCK('_tunic') IS NOT NULL) + (SELECT COUNT(*) FROM _tunic.member WHERE IS_USED_LOCK(CONCAT('_tunic.link.', HEX(id), '.', link)) = link)"
	for t := range b.ledger.Catalog().Tables() {
		held += " + (IS_USED_LOCK('_tunic." + t.ID.String() + "') IS NOT NULL)"
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		rows, err := b.client.Query(b.t.Context(), held)
		switch {
		case err != nil:
			b.t.Fatal(err)
		case service.Text(rows[0][0]) == "0":
			return
		case time.Now().After(deadline):
			b.t.Fatal("the server keeps the locks of connections that are closed")
		}
	}
}

// agrees holds catalog and server to each other.
func (b *bench) agrees(statement string) {
	b.t.Helper()
	rows, err := b.client.Query(b.t.Context(), "SELECT TABLE_NAME, TABLE_COMMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'shop'")
	if err != nil {
		b.t.Fatal(err)
	}
	stored := map[string]string{}
	for _, r := range rows {
		stored[service.Text(r[0])] = service.Text(r[1])
	}
	for t := range b.ledger.Catalog().Tables() {
		if stored[t.Name] != ledger.Mark(t) {
			b.t.Errorf("%s: table %s is marked %q, not %q", statement, t.Name, stored[t.Name], ledger.Mark(t))
		}
		b.checkStored(t)
		b.checkGuarded(t)
		if !b.around {
			b.asWritten(statement)
		}
		delete(stored, t.Name)
	}
	for name, comment := range stored {
		if strings.HasPrefix(comment, "tunic ") {
			b.t.Errorf("%s: nobody knows of stored table %s", statement, name)
		}
	}
	b.noTwinLeft()
}

// checkGuarded makes sure that the table has its CHECK, if the catalog says so.
func (b *bench) checkGuarded(t *catalog.Table) {
	b.t.Helper()
	if t.Unchecked {
		return
	}
	rows, err := b.client.Query(b.t.Context(), "SHOW CREATE TABLE "+identifier.Quoted(t.Schema)+"."+identifier.Quoted(t.Name))
	if err != nil || !strings.Contains(service.Text(rows[0][1]), form.CheckName(t)) {
		b.t.Errorf("table %s takes plaintext: %v", t.Name, err)
	}
}
