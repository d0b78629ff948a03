package exec

import (
	"strings"
	"testing"

	"tunic/internal/wire/wiretest"
)

// TestUpsertOfARowThatGoes: the row of an ON DUPLICATE KEY UPDATE is deleted by another session when it is
// to be read. It is inserted then, and committed.
func TestUpsertOfARowThatGoes(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.stock()
		r.spy = &spy{at: never}
		p := r.pair(t, wiretest.ClientCaps)
		id := r.asked(p.tunnel, "SELECT CONNECTION_ID()")
		r.asks(p.tunnel, "INSERT INTO stock (id, code, k, big) VALUES (1, 'x1', 1, 0)")
		r.spy.goes(func(text string) {
			if !strings.Contains(text, "for update") {
				return
			}
			if _, err := r.db.Exec("DELETE FROM shop.stock"); err != nil {
				t.Error(err)
			}
		})
		r.asks(p.tunnel, "INSERT INTO stock (id, code, k, big) VALUES (1, 'x1', 1, 7) ON DUPLICATE KEY UPDATE big = VALUES(big), k = k + 1")
		r.spy.goes(nil)
		r.stands(p.tunnel, id, "", "an upsert")
		if got := r.asked(p.tunnel, "SELECT COUNT(*) FROM stock WHERE big = 7 AND k = 1"); got != "1" {
			t.Errorf("%s rows are inserted", got)
		}
	})
}
