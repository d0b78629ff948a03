package exec

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/wire/wiretest"
)

// buyersAndSales makes two tables with the same columns.
func (r *rig) buyersAndSales() {
	for _, name := range []string{"buyer", "sale"} {
		r.table(name, []col{
			{name: "id", typ: "INT", protect: "plain"}, {name: "k", typ: "INT", protect: "equality", null: true}, {name: "t", typ: "VARCHAR(20)", protect: "sealed", null: true},
		}, primary("id"))
	}
}

// TestMeetingRows: of a table that is joined the server is asked for rows that meet others, but where a statement is to name
// no table twice. A statement that was prepared before that is prepared anew.
func TestMeetingRows(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.buyersAndSales()
		seen := &spy{at: math.MaxInt}
		r.spy = seen
		p := r.pair(t, wiretest.ClientCaps)
		p.each("INSERT INTO buyer VALUES (1, 10, 'a'), (2, 20, 'b'), (3, NULL, 'c')", "INSERT INTO sale VALUES (1, 1, 'x'), (2, 2, 'y'), (3, 9, 'z'), (4, NULL, NULL)")
		const join = "SELECT s.id, b.t FROM sale s LEFT JOIN buyer b ON b.id = s.id WHERE s.id = 2"
		const page = "SELECT s.id, b.t FROM sale s LEFT JOIN buyer b ON b.id = s.id ORDER BY s.id DESC LIMIT 2 OFFSET 1"
		const among = "SELECT id, t FROM buyer WHERE id IN (SELECT id FROM sale WHERE k = 1)"
		meets := func(want bool) {
			t.Helper()
			for _, s := range []string{join, page, among} {
				seen.begin(math.MaxInt)
				p.bag(s)
				if got := strings.Contains(strings.Join(seen.seen(), " "), " in (select "); got != want {
					t.Errorf("%s: rows that meet others: %t, want %t", s, got, want)
				}
			}
		}
		meets(true)
		p.each("SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED")
		meets(false)
		p.each("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
		meets(true)
		p.each("LOCK TABLES sale READ, sale AS s READ, buyer READ, buyer AS b READ")
		seen.locked = true
		meets(false)
		p.each("UNLOCK TABLES")
		seen.locked = false
		p.prepared("SELECT s.id, b.t FROM sale s LEFT JOIN buyer b ON b.id = s.id WHERE s.k = ?", 0, []binding.Param{long(1)}, []binding.Param{long(2)}, []binding.Param{null()}, []binding.Param{long(1 << 40)})
		p.prepared("SELECT s.id, b.t FROM sale s LEFT JOIN buyer b ON b.id = s.id ORDER BY s.id LIMIT ? OFFSET ?", 0, []binding.Param{long(2), long(0)}, []binding.Param{long(1), long(2)})
	})
}

// TestLongMeetingRows: a statement that would be too long, or have too many parameters, with its condition in it twice is carried
// out with the condition in it once.
func TestLongMeetingRows(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.buyersAndSales()
		r.exec("SET GLOBAL max_allowed_packet = 1048576")
		t.Cleanup(func() { r.exec("SET GLOBAL max_allowed_packet = DEFAULT") })
		p := r.pair(t, wiretest.ClientCaps)
		p.each("INSERT INTO buyer VALUES (1, 10, 'a'), (2, 20, 'b')", "INSERT INTO sale VALUES (1, 1, 'x'), (2, 2, 'y'), (3, 9, 'z')")
		const join = "SELECT s.id, b.t FROM sale s LEFT JOIN buyer b ON b.id = s.id WHERE s.id IN (1"
		for _, n := range []int{10, 900, 1100, 100_000, 200_000} {
			p.bag(join + strings.Repeat(", 2", n) + ")")
		}
		const many = 10_000
		list := make([]binding.Param, many)
		for i := range list {
			list[i] = long(int64(i))
		}
		p.prepared(join[:len(join)-1]+"?"+strings.Repeat(", ?", many-1)+")", 0, list)
	})
}

// TestLimitBehindKeys: a LIMIT is the server's alone only if no row comes twice: an equality that does not compare as the unique key
// does finds several rows by it.
func TestLimitBehindKeys(t *testing.T) {
	onServersTwice(t, func(t *testing.T, r *rig) {
		r.table("buyer", []col{
			{name: "id", typ: "INT", protect: "plain"}, {name: "code", typ: "VARCHAR(20)", protect: "equality"}, {name: "n", typ: "BIGINT", protect: "sealed", null: true},
		}, primary("id"), unique("code", "code"))
		r.table("sale", []col{
			{name: "id", typ: "INT", protect: "plain"}, {name: "num", typ: "INT", protect: "sealed", null: true}, {name: "code", typ: "VARCHAR(30)", protect: "sealed", null: true},
		}, primary("id"))
		seen := &spy{at: math.MaxInt}
		r.spy = seen
		p := r.pair(t, wiretest.ClientCaps)
		p.each("INSERT INTO buyer VALUES (1, '1', 5), (2, '01', 6), (3, '1.0', 7), (4, '4', 8)", "INSERT INTO sale VALUES (1, 1, '4'), (2, 1, '01'), (3, 4, NULL), (4, NULL, '1')")
		for _, s := range []struct {
			text   string
			limits bool
		}{
			{"SELECT s.id FROM sale s LEFT JOIN buyer b ON b.code = s.num ORDER BY s.id LIMIT 2", true},
			{"SELECT s.id FROM sale s LEFT JOIN buyer b ON b.code = s.num ORDER BY s.id LIMIT 2 OFFSET 2", false},
			{"SELECT s.id, b.n FROM sale s LEFT JOIN buyer b ON b.code = s.code ORDER BY s.id DESC LIMIT 2 OFFSET 1", true},
			{"SELECT s.id, b.n FROM sale s LEFT JOIN buyer b ON b.id = s.num ORDER BY s.id LIMIT 2 OFFSET 1", true},
		} {
			seen.begin(math.MaxInt)
			direct, tunnel := p.text(s.text)
			if got, want := fmt.Sprint(tunnel.err, tunnel.sets[0].Rows), fmt.Sprint(direct.err, direct.sets[0].Rows); got != want { // flags are those of a temporary table, or not
				t.Errorf("%s: %s, want %s", s.text, got, want)
			}
			if got := strings.Contains(strings.Join(seen.seen(), " "), " limit "); got != s.limits {
				t.Errorf("%s: the server has the LIMIT: %t, want %t", s.text, got, s.limits)
			}
		}
	})
}
