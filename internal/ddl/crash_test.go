package ddl

import (
	"database/sql/driver"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ledger"
)

// TestKilled: tunic is killed at each of the statements that a definition takes,
// before the statement is sent or before its answer is heard. When it is back,
// catalog and server agree on each table, old or new; no twin is left over or
// missing; and the definition can be repeated.
func TestKilled(t *testing.T) {
	changes := []struct{ before, statement string }{
		{"", "CREATE TABLE k (a INT, s VARCHAR(10) NOT NULL, KEY (s))"},
		{"CREATE TABLE k (a INT, s VARCHAR(10) NOT NULL, KEY (s))", "ALTER TABLE k ADD COLUMN b DATE, DROP COLUMN a, RENAME COLUMN s TO ss"},
		{"CREATE TABLE k (a INT, s VARCHAR(10) NOT NULL, KEY (s))", "ALTER TABLE k ADD COLUMN b INT NOT NULL"},
		{"CREATE TABLE k (a INT)", "RENAME TABLE k TO k2"},
		{"CREATE TABLE k (a INT)", "DROP TABLE k"},
	}
	onServers(t, func(b *bench) {
		for _, c := range changes {
			for _, lost := range []bool{false, true} {
				for cut := 1; b.killedAt(cut, lost, c.before, c.statement); cut += stride() {
				}
			}
		}
	})
}

// stride leaves points out of a short run.
func stride() int {
	if testing.Short() {
		return 5
	}
	return 1
}

// killedAt kills tunic at a statement; false says that the definition was done
// before it.
func (b *bench) killedAt(cut int, lost bool, before, statement string) (killed bool) {
	b.t.Helper()
	for _, name := range []string{"k", "k2"} {
		b.must("DROP TABLE IF EXISTS " + name)
	}
	if before != "" {
		b.must(before)
	}
	b.seen.forget()
	b.seen.mu.Lock()
	b.seen.cut, b.seen.answerLost = cut, lost
	b.seen.mu.Unlock()
	_, err := b.do(statement)
	b.seen.mu.Lock()
	killed = b.seen.dead
	b.seen.mu.Unlock()
	if !killed && err != nil {
		b.t.Fatalf("%s: %v", statement, err)
	}
	b.comesBack()
	b.agrees(statement)
	if killed {
		_, err := b.do(statement)
		if n := numberOf(err); n != 0 && n != tableExists && n != 1051 && n != 1146 && n != 1091 && n != 1060 && n != 1054 {
			b.t.Errorf("%s: again after a kill at statement %d: %v", statement, cut, err)
		}
		b.agrees(statement)
	}
	return killed
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
	b.hold()
	if err := b.definer.Sweep(b.t.Context()); err != nil {
		b.t.Fatal(err)
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
		stored[text(r[0])] = text(r[1])
	}
	for t := range b.ledger.Catalog().Tables() {
		if stored[t.Name] != ledger.Mark(t) {
			b.t.Errorf("%s: table %s is marked %q, not %q", statement, t.Name, stored[t.Name], ledger.Mark(t))
		}
		b.checkStored(t)
		b.checkGuarded(t)
		delete(stored, t.Name)
	}
	for name, comment := range stored {
		if strings.HasPrefix(comment, "tunic ") {
			b.t.Errorf("%s: nobody knows of stored table %s", statement, name)
		}
	}
	b.noTwinLeft()
}

// checkGuarded makes sure that the table has its CHECK.
func (b *bench) checkGuarded(t *catalog.Table) {
	b.t.Helper()
	rows, err := b.client.Query(b.t.Context(), "SHOW CREATE TABLE "+quoteName(t.Schema)+"."+quoteName(t.Name))
	if err != nil || !strings.Contains(text(rows[0][1]), checkName(t)) {
		b.t.Errorf("table %s takes plaintext: %v", t.Name, err)
	}
}
