package exec

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tunic/internal/exec/apart"
	"tunic/internal/wire/wiretest"
)

// TestApart: rows that the server has joined to many come apart the next time, unless there are more of them then, or a session
// reads what is not committed. The answer is the same.
func TestApart(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.buyersAndSales()
		seen := &spy{at: math.MaxInt}
		r.spy = seen
		p := r.pair(t, wiretest.ClientCaps)
		fill := func(table string, from, to int, k string) {
			var rows []string
			for i := from; i < to; i++ {
				rows = append(rows, fmt.Sprintf("(%d, %s, 't%d')", i, k, i%3))
			}
			p.each("INSERT INTO " + table + " VALUES " + strings.Join(rows, ", "))
		}
		const grouped = "SELECT b.t, COUNT(*), MAX(a.id) FROM buyer a JOIN buyer b ON b.k = a.k WHERE a.id IN (SELECT id FROM sale GROUP BY id HAVING COUNT(t) > 0) GROUP BY b.t"
		comes := func(want ...int) {
			t.Helper()
			for _, leaves := range want {
				seen.begin(math.MaxInt)
				p.bag(grouped)
				if got := 1 + strings.Count(strings.Join(seen.seen(), " "), " union all "); got != leaves {
					t.Fatalf("rows of %d parts come, want %d", got, leaves)
				}
			}
		}
		fill("sale", 0, 30, "1")
		fill("buyer", 0, 40, "1")
		comes(2, 2) // 1,600 rows
		fill("buyer", 40, 50, "1")
		comes(2, 3, 3)
		p.each("SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED")
		comes(2)
		p.each("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
		comes(3)
		// Many rows that meet none: they come apart in vain, once.
		fill("buyer", 1000, 1000+3*apart.Least/2, "NULL")
		comes(4, 2, 2)
	})
}
