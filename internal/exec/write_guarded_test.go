package exec

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"tunic/internal/wire/wiretest"
)

// between has something done before the write of a statement that compares a row with what was read of it, once, and reports
// whether there was such a write.
func (r *rig) between(client *wiretest.Peer, seen *spy, statement string, do func()) (sets []wiretest.Set, done bool) {
	r.t.Helper()
	var once sync.Once
	seen.goes(func(text string) {
		if strings.Contains(text, "update `") && strings.Contains(text, "<=>") {
			once.Do(func() {
				done = true
				do()
			})
		}
	})
	defer seen.goes(nil)
	sets, err := client.Query(statement)
	if err != nil {
		r.t.Fatalf("%s: %v", statement, err)
	}
	return sets, done
}

// TestGuardedConditions: a row that does not fulfil the condition any more when it is to be written, because of a column that
// the statement does not set, is not written. Who has changed that has read the others under a lock, and goes by it.
func TestGuardedConditions(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.stock()
		other := r.pair(t, wiretest.ClientCaps).tunnel
		for _, c := range []struct{ where, ends string }{
			{"k = 10", "k = 11"},
			{"town = 'x'", "town = 'y'"},
			{"k IN (9, 10)", "k = 11"},
			{"price < 2", "price = 3"},
			{"town IS NOT NULL", "town = NULL"},
			{"(k = 10 OR town = 'y')", "k = 11"},
		} {
			statement := "UPDATE stock SET big = big + 1 WHERE id = 1 AND " + c.where
			r.asks(other, append([]string{"DELETE FROM stock"}, filled...)...)
			r.spy = &spy{at: never}
			client := r.pair(t, wiretest.ClientCaps).tunnel
			sets, done := r.between(client, r.spy, statement, func() {
				r.asks(other, "BEGIN", "SELECT big FROM stock WHERE id = 1 FOR UPDATE", "UPDATE stock SET "+c.ends+" WHERE id = 1", "COMMIT")
			})
			r.spy = nil
			want := "6 1"
			if done {
				want = "5 0"
			}
			if got := fmt.Sprint(r.asked(client, "SELECT big FROM stock WHERE id = 1"), " ", sets[0].OK.AffectedRows); got != want {
				t.Errorf("%s: %s, want %s", statement, got, want)
			}
		}
	})
}
