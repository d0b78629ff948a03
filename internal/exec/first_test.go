package exec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/budget"
	"tunic/internal/wire/wiretest"
)

// asks is how many statements of the client's the server has carried out for it.
func (p *pair) asks(statement string) (n int) {
	p.t.Helper()
	count := func() (n int) {
		sets, err := p.tunnel.Query("SHOW SESSION STATUS LIKE 'Com_select'")
		if err != nil {
			p.t.Fatal(err)
		}
		rows, err := sets[0].Text()
		if err == nil {
			n, err = strconv.Atoi(rows[0][1])
		}
		if err != nil {
			p.t.Fatal(err)
		}
		return n
	}
	before := count()
	p.same(statement)
	return count() - before - 1 // after SHOW, what the session is like is asked for again
}

// TestFirstRows: of a LIMIT over an order layer that has the beginning of its values only, the
// first rows are asked for, and more where they share a token.
func TestFirstRows(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.table("page", []col{
			{name: "id", typ: "INT", protect: "plain"},
			{name: "k", typ: "VARCHAR(30)", protect: "order", null: true},
			{name: "note", typ: "VARCHAR(30)", protect: "sealed"},
		}, primary("id"))
		p := r.pair(t, wiretest.ClientCaps)
		var rows []string
		for i := range 200 { // a hundred that share their beginning, and a hundred that do not
			rows = append(rows, fmt.Sprintf("(%d, '%s', 'note %d')", i, map[bool]string{true: fmt.Sprintf("shared beginning %03d", 7*i%101), false: fmt.Sprintf("t%03d", i)}[i < 100], i))
		}
		p.same("INSERT INTO page VALUES " + strings.Join(rows, ", ") + ", (1000, NULL, 'n')")
		for i, c := range []struct {
			statement string
			asks      int
		}{
			{"SELECT id, note FROM page WHERE k > 't150' ORDER BY k LIMIT 10", 1},
			{"SELECT id, note FROM page WHERE k > 't150' ORDER BY k LIMIT 45, 10", 1}, // fewer than are asked for
			{"SELECT id, note FROM page WHERE k <= 't150' ORDER BY k DESC LIMIT 10", 1},
			{"SELECT id, note FROM page WHERE k >= 't150' ORDER BY id DESC LIMIT 10", 1},
			{"SELECT id, note FROM page WHERE k BETWEEN 't150' AND 't170' ORDER BY k, id LIMIT 10", 1},
			{"SELECT id, note FROM page ORDER BY k LIMIT 1", 1}, // NULL, and one more
			{"SELECT id, note FROM page WHERE k > 'shared beginning 007' ORDER BY k LIMIT 3", 3},
			{"SELECT id, note FROM page WHERE k > 'shared beginning 099' ORDER BY k LIMIT 4", 1}, // begins where the one before has ended
			{"SELECT id, note FROM page WHERE k > 't160' ORDER BY k LIMIT 5", 1},
			{"SELECT id, note FROM page WHERE k > 't150' ORDER BY k LIMIT 0", 1},
			{"SELECT id, note FROM page WHERE k > 't150' ORDER BY k LIMIT 10001", 1},
			{"SELECT id, note FROM page WHERE k > 't150' AND note LIKE '%7' ORDER BY k LIMIT 2", 1},
			{"SELECT id, note FROM page WHERE k > 't150' ORDER BY k LIMIT 2 FOR UPDATE", 1},
		} {
			if n := p.asks(c.statement); n != c.asks {
				t.Errorf("%d: %s: %d statements, want %d", i, c.statement, n, c.asks)
			}
		}
		p.prepared("SELECT id, note FROM page WHERE k >= ? ORDER BY k, id LIMIT ? OFFSET ?", 0,
			[]binding.Param{str("t150"), long(5), long(3)}, []binding.Param{str("shared beginning 050"), long(5), long(30)},
			[]binding.Param{str("t150"), long(0), long(0)}, []binding.Param{str("t150"), long(20000), long(1)}, []binding.Param{str("u"), long(5), long(0)})
		bound := r.engine.options.Local
		r.engine.options.Local = budget.Budget{Rows: 25}.WithDefaults()
		p.same("SELECT id, note FROM page WHERE k > 't100' ORDER BY k LIMIT 10")
		if _, err := p.tunnel.Query("SELECT id, note FROM page WHERE k > 'shared beginning 003' ORDER BY k LIMIT 3"); err == nil || !strings.Contains(err.Error(), "TUNIC-2013") {
			t.Errorf("beyond the bound: %v", err)
		}
		r.engine.options.Local = bound
		r.exec("UPDATE shop.page SET " + r.stored("note") + " = 'no sealed form of a value at all' WHERE id = 155")
		for _, statement := range []string{"SELECT id, note FROM page WHERE k >= 't150' ORDER BY k LIMIT 10", "SELECT id, note FROM page WHERE k >= 't150' LIMIT 40"} {
			if _, err := p.tunnel.Query(statement); err == nil || !strings.Contains(err.Error(), "TUNIC-7001") {
				t.Errorf("%s: %v", statement, err)
			}
		}
		p.same("SELECT id, note FROM page WHERE k >= 't160' ORDER BY k LIMIT 10")
		r.exec("UPDATE shop.page AS a, shop.page AS b SET a.`k$ord` = b.`k$ord` WHERE a.id BETWEEN 100 AND 140 AND b.id = 170")
		if _, err := p.tunnel.Query("SELECT id FROM page WHERE k > 't160' ORDER BY k LIMIT 20"); err == nil || !strings.Contains(err.Error(), "TUNIC-7001") {
			t.Errorf("tokens of other rows: %v", err)
		}
		if n := r.engine.reserved.Load(); n != 0 {
			t.Errorf("%d bytes are still reserved", n)
		}
	})
}

// TestFirstRowsTriedAgain: a text of which an execution has needed all rows is not asked for all of them
// for good.
func TestFirstRowsTriedAgain(t *testing.T) {
	onServers(t, func(t *testing.T, r *rig) {
		r.table("page", []col{{name: "id", typ: "INT", protect: "plain"}, {name: "k", typ: "VARCHAR(30)", protect: "order"}}, primary("id"))
		p := r.pair(t, wiretest.ClientCaps)
		var rows []string
		for i := range 12_000 {
			rows = append(rows, fmt.Sprintf("(%d, 'shared beginning %06d')", i, i))
		}
		p.same("INSERT INTO page VALUES " + strings.Join(rows, ", ") + ", (12001, 'u1'), (12002, 'u2')")
		var asks []int
		for range 6 {
			asks = append(asks, p.asks("SELECT id FROM page WHERE k > 'shared beginning 000003' ORDER BY k LIMIT 9000, 1"))
		}
		if want := []int{2, 1, 2, 1, 1, 2}; !slices.Equal(asks, want) {
			t.Errorf("%v statements, want %v", asks, want)
		}
		r.engine.options.Local = budget.Budget{Rows: 25}.WithDefaults()
		for range 3 {
			if _, err := p.tunnel.Query("SELECT id FROM page WHERE k > 'shared beginning 000007' ORDER BY k LIMIT 3"); err == nil || !strings.Contains(err.Error(), "TUNIC-2013") {
				t.Errorf("beyond the budget: %v", err)
			}
			p.same("SELECT id FROM page WHERE k > 'u0' ORDER BY k LIMIT 3")
		}
	})
}
