package exec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tunic/internal/binding"
	"tunic/internal/waittest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// cachedBytes is enough for all rows of a test.
const cachedBytes = 1 << 20

// TestRowCache: whatever two clients do with the same rows, in turns, answers and rows are those of a plain server, and rows are
// written as the cache has them, and found to be other ones.
func TestRowCache(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		for _, key := range []string{"equality", "plain"} {
			for _, caps := range []wire.Capability{wiretest.ClientCaps, wiretest.ClientCaps | wire.ClientFoundRows, wiretest.ClientCaps &^ wire.ClientMultiStatements} {
				other := r.another(t)
				other.held(key)
				other.engine.cache.Bytes = cachedBytes
				other.writersInTurns(t, caps)
				counts := other.engine.options.RowCache
				if counts.Hits.Value() < 20 || counts.Stale.Value() == 0 || counts.Misses.Value() == 0 {
					t.Errorf("key %s, capabilities %v: %d rows written as they were known, %d unknown, %d known and changed",
						key, caps, counts.Hits.Value(), counts.Misses.Value(), counts.Stale.Value())
				}
			}
		}
	})
}

// writersInTurns has two clients whose transactions lock nothing while the other one has its turn.
func (r *rig) writersInTurns(t *testing.T, caps wire.Capability) {
	const seed, steps = 54, 300
	var both [2]*locker
	for i := range both {
		both[i] = &locker{pair: r.pair(t, caps), random: rand.New(rand.NewPCG(seed, uint64(i))), first: 1}
	}
	both[0].each("DELETE FROM held", heldRows)
	turns := rand.New(rand.NewPCG(seed, seed))
	for range steps {
		both[turns.IntN(len(both))].turn()
	}
	for _, l := range both {
		l.each("COMMIT", "SELECT * FROM held ORDER BY id")
	}
}

// turn is a statement of its own, a transaction, or a part of one that only reads: of rows as they were when it began.
func (l *locker) turn() {
	const read = "SELECT * FROM held WHERE id = %d"
	switch n := l.random.IntN(10); {
	case l.within && n < 6:
		l.each(l.pick(read))
	case l.within:
		l.each("COMMIT")
		l.within = false
	case n == 0:
		l.each("START TRANSACTION", l.pick(read))
		l.within = true
	case n < 3:
		l.each([]string{"BEGIN", "SET autocommit = 0"}[n-1])
		for range 1 + l.random.IntN(4) {
			l.write()
		}
		l.each([]string{"COMMIT", "ROLLBACK"}[l.random.IntN(2)], "SET autocommit = 1")
	default:
		l.write()
	}
}

// write is a statement on rows that both clients write to.
func (l *locker) write() {
	switch n := l.random.IntN(12); {
	case n < 7:
		l.update()
	case n == 7:
		l.each(l.pick("SELECT * FROM held WHERE id = %d", "SELECT a, b FROM held WHERE id = %d FOR UPDATE", "SELECT t FROM held WHERE id = %d LOCK IN SHARE MODE"))
	case n == 8:
		list := []binding.Param{long(int64(l.random.IntN(9))), long(int64(l.row()))}
		l.prepared("UPDATE held SET b = ? WHERE id = ?", 0, list, list)
	case n == 9:
		l.each(l.pick("UPDATE held SET a = a + 1 WHERE id <> %d", "UPDATE held SET b = 6 WHERE id = %d AND p > 1", "UPDATE held SET id = id + 10 WHERE id = %d",
			"UPDATE held SET p = p + 1 WHERE id = %d", "UPDATE held SET id = id - 10 WHERE id = 1%d"))
	default:
		id := l.row()
		l.each(fmt.Sprintf("DELETE FROM held WHERE id = %d", id), fmt.Sprintf("INSERT INTO held (id, a, b, t, p) VALUES (%d, 1, 2, 'again', 3)", id))
	}
}

// TestRowCacheReads: an UPDATE by its key reads its row if that is not known, or is another one by now.
func TestRowCacheReads(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		r.engine.cache.Bytes = cachedBytes
		seen := &spy{at: math.MaxInt}
		r.spy = seen
		p := r.pair(t, wiretest.ClientCaps)
		p.each(filled...)
		asks := func(want int, statement string) {
			t.Helper()
			if got := p.reads(seen, statement); got != want {
				t.Errorf("%s: %d reads, want %d", statement, got, want)
			}
		}
		const add, set = "UPDATE stock SET k = k + 1 WHERE id = 1", "UPDATE stock SET big = 7, k = 9 WHERE id = 2"
		asks(1, add)
		asks(0, add)
		asks(0, add)
		asks(1, "UPDATE stock SET k = k + 0 WHERE id = 1")
		asks(1, "UPDATE stock SET k = k + 3000000000 WHERE id = 1")
		asks(1, set)
		asks(1, set)
		asks(0, "UPDATE stock SET big = 8, k = 9 WHERE id = 2")
		for _, changes := range []string{"UPDATE stock SET k = k + 1 WHERE id < 3", "DELETE FROM stock WHERE id = 1"} {
			p.each(changes)
			asks(1, add)
		}
		p.each("SELECT * FROM stock WHERE id = 3")
		asks(0, "UPDATE stock SET k = k + 1 WHERE id = 3")
		p.each("BEGIN")
		asks(0, "UPDATE stock SET k = k + 1 WHERE id = 3")
		asks(0, "UPDATE stock SET k = k + 1 WHERE id = 3")
		p.each("ROLLBACK")
		asks(1, "UPDATE stock SET k = k + 1 WHERE id = 3")
		counts := r.engine.options.RowCache
		misses := counts.Misses.Value()
		p.each("LOCK TABLES stock WRITE", "UPDATE stock SET k = k + 1 WHERE id = 3", "UNLOCK TABLES",
			"UPDATE stock SET big = 9, k = 9 WHERE code = 'a'", "UPDATE stock SET big = 8, k = 9 WHERE id = 2 AND k = 9", allStock)
		if n := counts.Misses.Value() - misses; n != 0 {
			t.Errorf("%d rows were looked for in the cache that are not written by their key", n)
		}
	})
}

// TestRowCacheEnded: a statement of a row in the cache that is ended while the server prepares what writes the row has not been
// done.
func TestRowCacheEnded(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.stock()
		r.engine.cache.Bytes = cachedBytes
		p := r.pair(t, wiretest.ClientCaps)
		p.each(filled...)
		const add = "UPDATE stock SET k = k + 1 WHERE id = 1"
		p.each(add)
		id := r.asked(p.tunnel, "SELECT CONNECTION_ID()")
		reader, err := r.db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		for _, s := range []string{"BEGIN", "SELECT COUNT(*) FROM shop.stock"} {
			if _, err := reader.ExecContext(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		altered, ended := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := r.db.Exec("ALTER TABLE shop.stock ADD COLUMN waits INT")
			altered <- err
		}()
		r.waitsForTable("ALTER%")
		go func() {
			_, err := p.tunnel.Query(add)
			ended <- err
		}()
		r.waitsForTable("%update%")
		r.exec("KILL QUERY " + id)
		time.Sleep(200 * time.Millisecond)
		if _, err := reader.ExecContext(t.Context(), "COMMIT"); err != nil {
			t.Fatal(err)
		}
		if err := <-altered; err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "1317") {
			t.Errorf("it is ended with %v", err)
		}
		p.same(allStock)
	})
}

// waitsForTable waits for a statement that waits for the definition of a table.
func (r *rig) waitsForTable(like string) {
	r.t.Helper()
	waittest.Until(r.t, "a statement that waits for the definition: "+like, func() bool {
		var n int
		err := r.db.QueryRow("SELECT COUNT(*) FROM information_schema.processlist WHERE state LIKE '%metadata lock%' AND info LIKE ?", like).Scan(&n)
		return err == nil && n > 0
	})
}
