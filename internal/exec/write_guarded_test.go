package exec

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"tunic/internal/exec/trial"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// triesAgain has all statements try to write a row without a transaction, whatever has come of it.
func (r *rig) triesAgain() {
	var again func(st *Statement)
	again = func(st *Statement) {
		if st == nil {
			return
		}
		st.trial = trial.Trial{}
		for _, other := range st.alternatives {
			again(other)
		}
	}
	r.engine.statements.Range(func(_, st any) bool {
		again(st.(*Statement))
		return true
	})
}

// between has something done before the row of a statement is written: before the second thing that is sent of it, or, if it
// begins with a transaction, which keeps others from it, before all of it. guarded says that there was none.
func (s *spy) between(do, statement func()) (guarded bool) {
	s.begin(math.MaxInt)
	done := false
	s.goes(func(text string) {
		if n := len(s.seen()); !done && (n == 2 || strings.Contains(text, "START TRANSACTION")) {
			done, guarded = true, n == 2
			do()
		}
	})
	defer s.goes(nil)
	statement()
	return guarded
}

// guardedStatements are statements on one row. Those that are not in all are written without a transaction only if the protected columns
// are a family.
var guardedStatements = []struct {
	text     string
	families bool // nothing but the family makes it so
	never    bool
}{
	{text: "UPDATE stock SET big = big + 1 WHERE id = 1"},
	{text: "UPDATE stock SET name = 'new', k = k + 1 WHERE id = 1 AND name = 'one'"},
	{text: "UPDATE stock SET k = k * 2 WHERE id = 1 AND k = 10 AND id < 7"},
	{text: "UPDATE stock SET big = 9 WHERE id = 1 AND (rate < 1 OR name LIKE 'o%') AND day > '2019-01-01'"},
	{text: "UPDATE stock SET big = big + 1 WHERE id = 1 AND big > 3 AND rate + 0 < 0.6"},
	{text: "UPDATE stock SET big = big + 1 WHERE id = 1 AND k = 10", families: true},
	{text: "UPDATE stock SET big = big + 1 WHERE id = 1 AND k IN (9, 10)", families: true},
	{text: "UPDATE stock SET big = big + 1 WHERE id = 1 AND price < 2", families: true},
	{text: "UPDATE stock SET big = big + 1 WHERE id = 1 AND town = 'x'", never: true},
	{text: "UPDATE stock SET big = big + 1 WHERE id = 1 AND (k = 10 OR town IS NULL)", never: true},
	{text: "UPDATE stock SET big = big + 1 WHERE id = 1 AND name = CONCAT('on', 'e') AND town > 'a'", never: true},
}

// guardedChanges are what others do to the row between.
var guardedChanges = [][]string{
	{"UPDATE stock SET big = big * 2 WHERE id = 1"},
	{"UPDATE stock SET k = 11, town = 'y' WHERE id = 1"},
	{"UPDATE stock SET price = 3, name = 'two', rate = 2 WHERE id = 1"},
	{"UPDATE stock SET big = NULL WHERE id = 1"},
	{"UPDATE stock SET town = NULL WHERE id = 1"},
	{"DELETE FROM stock WHERE id = 1"},
	{"DELETE FROM stock WHERE id = 1", "INSERT INTO stock (id, code, k, big, price, rate, name, day, town) VALUES (1, 'a', 10, 5, 1.50, 0.5, 'one', '2020-01-31', 'x')"},
	{"UPDATE stock SET id = 50 WHERE id = 1", "UPDATE stock SET id = 1 WHERE id = 4"},
	{"UPDATE stock SET k = k WHERE id = 1"},
}

// TestGuarded: a statement on one row is as if it had been done before or behind what others do between its reading and its writing:
// behind it, as they are told. It is so for what is text, what is prepared on the way, and what is executed.
func TestGuarded(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		others := r.pair(t, wiretest.ClientCaps)
		for _, s := range guardedStatements {
			seen := &spy{at: math.MaxInt}
			r.spy = seen
			p := r.pair(t, wiretest.ClientCaps&^wire.ClientMultiStatements)
			r.spy = nil
			p.each(allStock)
			direct, tunnel := p.prepare(s.text)
			for n, changes := range guardedChanges {
				others.each(append([]string{"DELETE FROM stock"}, filled...)...)
				r.triesAgain()
				what := fmt.Sprintf("%s, behind %q", s.text, changes)
				do := func() { others.each(changes...) }
				var a, b answer
				guarded := seen.between(do, func() {
					if n%2 == 0 {
						b = p.readText(p.tunnel, s.text)
						return
					}
					sets, err := execute(p.tunnel, tunnel, 0)
					b = p.answered(s.text, sets, err)
				})
				if n%2 == 0 {
					a = p.readText(p.direct, s.text)
				} else {
					sets, err := execute(p.direct, direct, 0)
					a = p.answered(s.text, sets, err)
				}
				if diff := difference(a, b, p.direct.Caps); diff != "" {
					t.Errorf("%s\n%s", what, diff)
				}
				if guarded != (!s.never && (!s.families || r.families)) {
					t.Errorf("%s: without a transaction: %t", what, guarded)
				}
				others.each(allStock)
			}
		}
	})
}

// TestGuardedNothing: no row has to have come to a session before it looks for one that is not there.
func TestGuardedNothing(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		for _, s := range []string{"UPDATE stock SET big = big + 1 WHERE id = 99", "UPDATE stock SET big = big + 1 WHERE id = 99 AND name LIKE 'x%'"} {
			r.triesAgain()
			r.pair(t, wiretest.ClientCaps&^wire.ClientMultiStatements).each(s)
		}
	})
}

// TestGuardedReadOnly: where nothing may be written that is the error, whether there is anything to write or not, and before what else
// is wrong.
func TestGuardedReadOnly(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		p := r.pair(t, wiretest.ClientCaps&^wire.ClientMultiStatements)
		p.each(filled...)
		p.each("SET SESSION TRANSACTION READ ONLY")
		for range 3 {
			p.each("UPDATE stock SET k = k + 1 WHERE id = 1", "UPDATE stock SET k = k + 0 WHERE id = 1", "UPDATE stock SET k = k + 1 WHERE id = 99", "UPDATE stock SET k = k + 1 WHERE id = 1 AND name LIKE 'x%'",
				"UPDATE stock SET price = price + 1 WHERE id = 2", "UPDATE stock SET name = CONCAT(name, name, name, name, name) WHERE id = 2")
		}
		p.each("SET SESSION TRANSACTION READ WRITE", allStock)
	})
}

// TestGuardedWaits: who has locked the row in between is waited for, and the client is told if that takes too long. Then nothing is written,
// and the next statement is.
func TestGuardedWaits(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		other := r.pair(t, wiretest.ClientCaps).tunnel
		r.asks(other, filled...)
		seen := &spy{at: math.MaxInt}
		r.spy = seen
		p := r.pair(t, wiretest.ClientCaps)
		r.asks(p.tunnel, allStock, "SET SESSION innodb_lock_wait_timeout = 1")
		r.asks(p.tunnel, allStock)
		r.spy = nil
		_, tunnel := p.prepare("UPDATE stock SET k = k + 1 WHERE id = 1")
		for n := range 3 { // it is text, prepared and executed
			var err error
			guarded := seen.between(func() { r.asks(other, "BEGIN", "SELECT k FROM stock WHERE id = 1 FOR UPDATE") }, func() { _, err = execute(p.tunnel, tunnel, 0) })
			if !guarded || err == nil || !strings.Contains(err.Error(), "1205") {
				t.Errorf("time %d: %t, %v", n+1, guarded, err)
			}
			r.asks(other, "COMMIT")
			if k := r.asked(other, "SELECT k FROM stock WHERE id = 1"); k != fmt.Sprint(10+n) {
				t.Errorf("time %d: it is %s", n+1, k)
			}
			if _, err := execute(p.tunnel, tunnel, 0); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestGuardedConditions: a row that does not fulfil the condition any more when it is to be written, because of a column that
// the statement does not set, is not written. Who has changed that has read the others under a lock, and goes by it.
func TestGuardedConditions(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		other := r.pair(t, wiretest.ClientCaps).tunnel
		for _, c := range []struct{ where, ends string }{
			{"k = 10", "k = 11"}, {"town = 'x'", "town = 'y'"}, {"k IN (9, 10)", "k = 11"}, {"price < 2", "price = 3"},
			{"town IS NOT NULL", "town = NULL"}, {"(k = 10 OR town = 'y')", "k = 11"}, {"name LIKE 'o%'", "name = 'two'"},
		} {
			statement := "UPDATE stock SET big = big + 1 WHERE id = 1 AND " + c.where
			r.asks(other, append([]string{"DELETE FROM stock"}, filled...)...)
			seen := &spy{at: math.MaxInt}
			r.spy = seen
			client := r.pair(t, wiretest.ClientCaps).tunnel
			r.spy = nil
			r.asks(client, allStock)
			r.triesAgain()
			var affected uint64
			seen.between(func() {
				r.asks(other, "BEGIN", "SELECT big FROM stock WHERE id = 1 FOR UPDATE", "UPDATE stock SET "+c.ends+" WHERE id = 1", "COMMIT")
			}, func() {
				sets, err := client.Query(statement)
				if err != nil {
					t.Fatalf("%s: %v", statement, err)
				}
				affected = sets[0].OK.AffectedRows
			})
			if big := r.asked(client, "SELECT big FROM stock WHERE id = 1"); big != "5" || affected != 0 {
				t.Errorf("%s: %d rows, and it is %s", statement, affected, big)
			}
		}
	})
}

// TestGuardedTogether: of what sessions add to rows at once nothing is lost, and nothing is counted that was not done: without transactions, in
// them, and beside others that delete the rows and make them again.
func TestGuardedTogether(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		p := r.pair(t, wiretest.ClientCaps)
		p.each(filled...)
		const sessions, rounds = 8, 24
		for _, rows := range []int{1, 3} {
			r.asks(p.tunnel, "UPDATE stock SET k = 0, big = 0")
			var working sync.WaitGroup
			var mu sync.Mutex
			var all uint64
			for n := range sessions {
				client := r.pair(t, wiretest.ClientCaps).tunnel
				working.Go(func() {
					for i := range rounds {
						r.triesAgain()
						done := addTo(t, client, n, 1+(i+n)%rows, i)
						mu.Lock()
						all += done
						mu.Unlock()
					}
				})
			}
			working.Wait()
			want := fmt.Sprint(all)
			for _, column := range []string{"k", "big"} {
				if got := r.asked(p.tunnel, "SELECT SUM("+column+") FROM stock WHERE id <= 3"); got != want {
					t.Errorf("%d rows: %s of %s is %s", rows, column, want, got)
				}
			}
			if all < sessions*rounds/2 {
				t.Errorf("%d rows: %d were added", rows, all)
			}
		}
	})
}

// addTo adds one to a row, in one way or another, and returns how often it has. A deadlock undoes all of it.
func addTo(t *testing.T, client *wiretest.Peer, n, id, i int) (done uint64) {
	add := fmt.Sprintf("UPDATE stock SET k = k + 1, big = big + 1 WHERE id = %d", id)
	statements := []string{add}
	switch {
	case n == 0:
		statements = []string{"BEGIN", add, add, "COMMIT"}
	case n == 1:
		statements = []string{"BEGIN", fmt.Sprintf("SELECT k FROM stock WHERE id = %d FOR UPDATE", id), fmt.Sprintf("UPDATE stock SET id = %d WHERE id = %d", id+100, id), fmt.Sprintf("UPDATE stock SET id = %d WHERE id = %d", id, id+100), "COMMIT"}
	case n == 2 && i%3 == 0:
		statements = []string{fmt.Sprintf("UPDATE stock SET name = 'n%d', town = 'y' WHERE id = %d", i, id)}
	case n == 3:
		statements = []string{add + " AND big >= 0 AND k > -1"}
	}
	for _, statement := range statements {
		sets, err := client.Query(statement)
		if err != nil {
			if !strings.Contains(err.Error(), "1213") && !strings.Contains(err.Error(), "1020") {
				t.Errorf("%s: %v", statement, err)
			}
			return 0
		}
		if strings.Contains(statement, "k = k + 1") {
			done += sets[0].OK.AffectedRows
		}
	}
	return done
}
