package exec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// locker is a client that does random things with rows of its own, and with one that it shares with another.
type locker struct {
	*pair
	random *rand.Rand
	first  int // of its rows, of which there are four
	wide   bool
	within bool // a transaction
	shared bool // it has locked the row that is shared
}

const sharedRow = 9

// row is one that the client may write to.
func (l *locker) row() int {
	if l.shared && l.random.IntN(3) == 0 {
		return sharedRow
	}
	return l.first + l.random.IntN(4)
}

// pick is one of several texts, with a row in it.
func (l *locker) pick(texts ...string) string {
	return fmt.Sprintf(texts[l.random.IntN(len(texts))], l.row())
}

// step does one statement.
func (l *locker) step() {
	switch n := l.random.IntN(20); {
	case !l.within:
		l.each([]string{"BEGIN", "START TRANSACTION", "SET autocommit = 0"}[l.random.IntN(3)])
		l.within = true
	case n == 0:
		l.each([]string{"COMMIT", "ROLLBACK", "SET autocommit = 1"}[l.random.IntN(3)], "SET autocommit = 1")
		l.within, l.shared = false, false
	case n == 1:
		l.each([]string{"SAVEPOINT s", "ROLLBACK TO SAVEPOINT s", "RELEASE SAVEPOINT s"}[l.random.IntN(3)])
		l.shared = false
	case n == 2 && !l.shared:
		l.shared = l.locksShared()
	case n < 8:
		l.each(l.pick("SELECT * FROM held WHERE id = %d FOR UPDATE", "SELECT a, t FROM held WHERE id = %d FOR UPDATE",
			"SELECT b + 1 FROM held WHERE %d = id FOR UPDATE", "SELECT p FROM held WHERE id = %d LIMIT 1 FOR UPDATE", "SELECT a FROM held WHERE id = %d"))
	case n < 16:
		l.update()
	case n == 16:
		l.each(l.pick("UPDATE held SET b = 5 WHERE id = %d", "UPDATE held SET b = 6 WHERE id = 0%d", "UPDATE held SET p = p + 1 WHERE id = %d", "UPDATE held SET a = a + 1, t = 'x' WHERE id = %d AND b < 4",
			"DELETE FROM held WHERE id = %d", "REPLACE INTO held (id, a, b, t, p) VALUES (%d, 1, NULL, 'r', 2)", "INSERT IGNORE INTO held (id, a, b, t, p) VALUES (%d, 1, 2, 'i', 3)",
			"INSERT INTO held (id, a, b, t, p) VALUES (%d, 1, 2, 'd', 3) ON DUPLICATE KEY UPDATE a = a + 1"))
	case n == 17 && l.wide:
		l.each(l.pick("UPDATE held SET a = a + 1 WHERE id <> %d", "UPDATE held SET id = id + 100 WHERE id = %d", "UPDATE held SET b = NULL, id = 4 WHERE id = %d",
			"DELETE FROM held WHERE a > 5 AND id < %d", "UPDATE held SET a = a + 1 WHERE a > %d ORDER BY id DESC LIMIT 2"))
	default:
		l.each("SELECT * FROM held ORDER BY id")
	}
}

// locksShared tries to lock the row that another client may have.
func (l *locker) locksShared() bool {
	before := l.t.Failed()
	statement := fmt.Sprintf("SELECT a, b FROM held WHERE id = %d FOR UPDATE NOWAIT", sharedRow)
	direct, tunnel := l.text(statement)
	if diff := difference(direct, tunnel, l.direct.Caps); diff != "" && !before {
		l.t.Errorf("%s\n%s", statement, diff)
	}
	return direct.err == nil
}

// update is an UPDATE of a row by its key: of one that changes, or does not, or fails.
func (l *locker) update() {
	if l.random.IntN(3) == 0 {
		texts := []string{"UPDATE held SET a = a + ?, t = ? WHERE id = ?", "UPDATE held SET b = ?, t = CONCAT(?, a) WHERE id = ?"}
		l.prepared(texts[l.random.IntN(2)], 0, []binding.Param{long(int64(l.random.IntN(3))), str("p"), long(int64(l.row()))})
		return
	}
	l.each(l.pick("UPDATE held SET a = a + 1 WHERE id = %d", "UPDATE held SET a = a + 0 WHERE id = %d", "UPDATE held SET b = b * 2, a = b WHERE id = %d",
		"UPDATE held SET t = CONCAT(t, 'z'), p = p + 1 WHERE id = %d", "UPDATE held SET a = a + 100 WHERE id = %d", "UPDATE held SET a = a + 10 WHERE id = 00%d", "UPDATE held SET b = NULL WHERE %d = id",
		"UPDATE held SET b = 3, t = NULL, a = a + 1 WHERE id = %d", "UPDATE held AS h SET h.a = h.a - 1 WHERE h.id = %d"))
}

// TestRecalled: whatever two clients do in transactions, with rows that they lock and write, answers and rows are those of
// a plain server, with rows kept and without.
func TestRecalled(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		for _, key := range []string{"equality", "plain"} {
			for _, forgets := range []bool{false, true} {
				for _, caps := range []wire.Capability{wiretest.ClientCaps, wiretest.ClientCaps | wire.ClientFoundRows} {
					other := r.another(t)
					other.held(key)
					other.engine.forgets = forgets
					other.lockersTogether(t, caps)
					other.lockerAlone(t, caps)
				}
			}
		}
	})
}

// held makes the table.
func (r *rig) held(key string) {
	r.table("held", []col{
		{name: "id", typ: "INT", protect: key},
		{name: "a", typ: "TINYINT", protect: "sealed"},
		{name: "b", typ: "INT", protect: "equality", null: true},
		{name: "t", typ: "VARCHAR(20)", protect: "sealed", null: true},
		{name: "p", typ: "INT", protect: "plain"},
	}, primary("id"))
}

const heldRows = "INSERT INTO held (id, a, b, t, p) VALUES (1, 1, 1, 'a', 1), (2, 2, NULL, 'b', 2), (3, 3, 3, NULL, 3), (4, 4, 4, '', 4), " +
	"(5, 5, 5, 'e', 5), (6, 6, 6, 'f', 6), (7, 7, 7, 'g', 7), (8, 8, 8, 'h', 8), (9, 9, 9, 'i', 9)"

// lockersTogether has two clients at once, which lock no gaps.
func (r *rig) lockersTogether(t *testing.T, caps wire.Capability) {
	const seed, steps = 51, 250
	var both [2]*locker
	for i := range both {
		both[i] = &locker{pair: r.pair(t, caps), random: rand.New(rand.NewPCG(seed, uint64(i))), first: 1 + 4*i}
		both[i].each("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", "SET innodb_lock_wait_timeout = 2")
	}
	both[0].each("DELETE FROM held", heldRows)
	turns := rand.New(rand.NewPCG(seed, seed))
	for range steps {
		both[turns.IntN(len(both))].step()
	}
	for _, l := range both {
		l.each("SELECT * FROM held ORDER BY id", "COMMIT", "SELECT * FROM held ORDER BY id")
	}
}

// lockerAlone has one, which writes to any row.
func (r *rig) lockerAlone(t *testing.T, caps wire.Capability) {
	const seed, steps = 15, 250
	l := &locker{pair: r.pair(t, caps), random: rand.New(rand.NewPCG(seed, seed)), first: 1, wide: true}
	l.each("DELETE FROM held", heldRows)
	l.each("INSERT INTO held (id, a, b, t, p) SELECT 50, a, b, t, p FROM held WHERE id = 1 FOR UPDATE", "SELECT b, COUNT(*) FROM held WHERE id = 50 GROUP BY b FOR UPDATE",
		"SELECT DISTINCT t FROM held WHERE id = 50 FOR UPDATE", "SELECT *, id FROM held WHERE id = 50 FOR UPDATE")
	for range steps {
		l.step()
	}
	l.each("COMMIT", "SELECT * FROM held ORDER BY id")
}

// TestRecalledReads: an UPDATE of a row that is locked asks for nothing, but where something may have changed the row.
func TestRecalledReads(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		seen := &spy{at: math.MaxInt}
		r.spy = seen
		p := r.pair(t, wiretest.ClientCaps)
		p.each(filled...)
		const lock, add = "SELECT k, big FROM stock WHERE id = 1 FOR UPDATE", "UPDATE stock SET k = k + 1 WHERE id = 1"
		asks := func(want int, statement string) {
			t.Helper()
			if got := p.reads(seen, statement); got != want {
				t.Errorf("%s: %d reads, want %d", statement, got, want)
			}
		}
		p.each("BEGIN", lock)
		asks(0, add)
		asks(0, "UPDATE stock SET big = big - 1, town = 'there' WHERE id = 1")
		asks(1, "UPDATE stock SET k = k + 0 WHERE id = 1") // what the server says of it is of this statement
		asks(0, add)
		if r.flavor == value.MariaDB {
			p.each(lock+" NOWAIT", lock+" SKIP LOCKED")
		}
		asks(0, add)
		for _, between := range []string{
			"SAVEPOINT s", "ROLLBACK TO SAVEPOINT s", "SET @a = 1", "SELECT 1", "INSERT INTO stock (id, code) VALUES (7, 'seven')", "DELETE FROM stock WHERE id = 7",
			"UPDATE stock SET k = k + 1 WHERE id < 3", "UPDATE stock SET code = CONCAT(code, 'x') WHERE id = 2", "UPDATE stock SET k = k + 3000000000 WHERE id = 1",
			"UPDATE stock SET big = big + 1 WHERE id = 1 LIMIT 1", "UPDATE IGNORE stock SET big = big + 1 WHERE id = 1", "COMMIT", "BEGIN",
		} {
			p.each(lock, between)
			asks(1, add)
		}
		p.each("ROLLBACK", lock) // a transaction of its own, which has ended
		p.each("BEGIN")
		asks(1, add)
		p.each("ROLLBACK", "START TRANSACTION READ ONLY", lock, add, "ROLLBACK", "SET autocommit = 0", lock)
		asks(0, add)
		p.each("ROLLBACK", allStock)
	})
}

// reads is how often the server is asked for the rows of a statement, whose answer is compared.
func (p *pair) reads(seen *spy, statement string) (n int) {
	p.t.Helper()
	seen.begin(math.MaxInt)
	p.same(statement)
	for _, text := range seen.seen() {
		n += strings.Count(text, " for update")
	}
	return n
}

// TestRecalledDeadlock: who loses its transaction to a deadlock has locked nothing, also where the next statement begins
// another one.
func TestRecalledDeadlock(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		p := r.pair(t, wiretest.ClientCaps)
		p.each(filled...)
		var both [2]*wiretest.Peer
		var failed [2]error
		for i := range both {
			both[i] = r.pair(t, wiretest.ClientCaps).tunnel
		}
		query := func(i int, statements ...string) {
			for _, statement := range statements {
				if _, err := both[i].Query(statement); err != nil {
					failed[i] = err
				}
			}
		}
		const lock = "SELECT k FROM stock WHERE id = %d FOR UPDATE"
		for i := range both {
			query(i, "SET autocommit = 0", fmt.Sprintf(lock, 1+i))
		}
		done := make(chan struct{})
		go func() {
			query(0, fmt.Sprintf(lock, 2))
			close(done)
		}()
		query(1, fmt.Sprintf(lock, 1))
		if failed[1] == nil { // the other one has lost, and does not wait
			query(1, "ROLLBACK")
		}
		<-done
		lost := 0
		if failed[0] == nil {
			lost = 1
			query(0, "ROLLBACK")
		}
		if failed[lost] == nil || failed[1-lost] != nil {
			t.Fatalf("of two clients %v has failed", failed)
		}
		failed[lost] = nil
		p.each("UPDATE stock SET k = 100")
		query(lost, fmt.Sprintf("UPDATE stock SET k = k + 1 WHERE id = %d", 1+lost), "COMMIT")
		if failed[lost] != nil {
			t.Fatal(failed[lost])
		}
		if _, err := p.direct.Query(fmt.Sprintf("UPDATE stock SET k = k + 1 WHERE id = %d", 1+lost)); err != nil {
			t.Fatal(err)
		}
		p.same(allStock)
	})
}
