package ddl

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/ddl/pace"
	"tunic/internal/policy"
)

// regroupedTable is a table whose columns come into families.
const regroupedTable = "CREATE TABLE x (id INT AUTO_INCREMENT PRIMARY KEY, k INT NOT NULL DEFAULT '0', c CHAR(20) NOT NULL DEFAULT '', pad VARCHAR(60), " +
	"n DECIMAL(10,2), d DATE, at DATETIME(3), b VARBINARY(20) NOT NULL, big BIGINT UNSIGNED, t TEXT NOT NULL, KEY k_1 (k), KEY two (k, pad), UNIQUE KEY u (big))"

// under gives new decisions about columns of tables.
func (b *bench) under(together bool, rules ...[2]string) {
	b.t.Helper()
	next := protecting()
	next.Together = together
	for _, r := range rules {
		rule, err := policy.ParseRule(r[0], r[1])
		if err != nil {
			b.t.Fatal(err)
		}
		next.Rules = append(next.Rules, rule)
	}
	b.definer.SetPolicy(next)
}

// regroup brings the columns of x into their families.
func (p *pair) regroup() {
	p.t.Helper()
	if moved, err := p.definer.Regroup(p.t.Context(), p.table("x").ID, pace.Pace{}); err != nil || !moved {
		p.t.Fatalf("moved %v, %v", moved, err)
	}
	if moved, err := p.definer.Regroup(p.t.Context(), p.table("x").ID, pace.Pace{}); err != nil || moved {
		p.t.Errorf("moved again %v, %v", moved, err)
	}
}

// TestRegrouped: the columns of a table with rows come into whichever families are asked for, and keep their IDs. Made anew, it is stored as
// one that is made with them.
func TestRegrouped(t *testing.T) {
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.both(regroupedTable)
		for i := range 7 {
			p.insert("x", string(rune('1'+i)), "7", "new", "", "1.5", "2020-02-29", "", "q", string(rune('1'+i)), "text")
		}
		ids := func() (all []catalog.ID) {
			for _, c := range p.table("x").Columns {
				all = append(all, c.ID)
			}
			return all
		}
		before := ids()
		for n, next := range []func(){
			func() { b.under(true) },
			func() {
				b.under(true, [2]string{"shop.x.c", "order family line"}, [2]string{"shop.x.t", "sealed family line"})
			},
			func() {
				b.under(true, [2]string{"shop.x.k", "order apart"}, [2]string{"shop.x.c", "order family line"})
			},
			func() { b.under(false, [2]string{"shop.x.*", "order family all"}) },
			func() { b.under(false) },
		} {
			next()
			p.regroup()
			p.compare("x")
			p.insert("x", fmt.Sprint(20+n), "7", "new", "", "", "", "", "q", "", "text")
			p.compare("x")
			if !slices.Equal(ids(), before) {
				t.Error("a column has another ID")
			}
		}
		b.under(true)
		p.regroup()
		p.both("ALTER TABLE x COMMENT = 'copied', ALGORITHM = COPY")
		p.compare("x")
		b.must("CREATE TABLE y" + strings.TrimPrefix(regroupedTable, "CREATE TABLE x"))
		want, got := b.storedColumns("shop", "y"), b.storedColumns("shop", "x")
		slices.Sort(want) // the order of what came online is its own
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the stored columns (-CREATE TABLE +moved):\n%s", diff)
		}
	})
}

// TestRegroupedAgain: whoever goes on after each step, with another process or after a kill, begins with the first and comes to the same
// end. Definitions of the table wait until then.
func TestRegroupedAgain(t *testing.T) {
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.both(regroupedTable)
		for i := range 5 {
			p.insert("x", fmt.Sprint(i+1), "7", "new", "", "1.5", "2020-02-29", "", "q", fmt.Sprint(i), "text")
		}
		atServer := func(statement string) {
			if err := b.client.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		for n := range 4 {
			b.under(n%2 == 0)
			id := p.table("x").ID
			if n == 0 { // the columns were added, of which nobody knows
				atServer("ALTER TABLE shop.x ADD COLUMN `0123456789ab$form$copy` VARBINARY(60) DEFAULT NULL, ADD COLUMN `k$copy` VARBINARY(60) DEFAULT NULL")
			}
			if n > 0 {
				if moving, err := b.definer.beginMove(t.Context(), id); err != nil || !moving {
					t.Fatal(moving, err)
				}
				if _, err := p.do("ALTER TABLE x ADD COLUMN more INT"); numberOf(err) != 1235 {
					t.Errorf("a definition meanwhile: %v", err)
				}
			}
			if n > 1 {
				if err := b.definer.fillMove(t.Context(), id, pace.Pace{}); err != nil {
					t.Fatal(err)
				}
			}
			if n > 0 {
				b.asWritten("columns on their way")
			}
			b.ledger.Close()
			b.hold()
			b.under(n%2 == 0)
			if err := b.definer.Upkeep.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			p.regroup()
			if n == 3 { // what was left was not dropped
				atServer("ALTER TABLE shop.x ADD COLUMN `row$form$past$eq` VARBINARY(60) DEFAULT NULL")
				if moved, err := b.definer.Regroup(t.Context(), id, pace.Pace{}); err != nil || moved {
					t.Fatal(moved, err)
				}
			}
			p.compare("x")
			if left, err := b.definer.Upkeep.LeftoversOf(t.Context(), p.table("x")); err != nil || len(left) > 0 {
				t.Errorf("%d: %v is left, %v", n, left, err)
			}
		}
	})
}

// TestOutgrown: a column that becomes too long for the family of short values stays in it, with the forms that rows have, until its table is
// regrouped. It comes back so.
func TestOutgrown(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		b.under(true)
		p.both("CREATE TABLE x (id INT AUTO_INCREMENT PRIMARY KEY, n INT, v VARCHAR(255) CHARACTER SET utf8mb4, w VARCHAR(255) CHARACTER SET utf8mb4)")
		rows := 0
		insert := func(longest int) {
			rows++
			p.insert("x", fmt.Sprint(rows), "7", strings.Repeat("é", longest), "w")
		}
		in := func(family string) {
			if t := p.table("x"); t.Columns[t.Column("v")].Family != family || t.Columns[t.Column("w")].Family != "row$form" {
				b.t.Errorf("v is in family %q, not %q, and w in %q", t.Columns[t.Column("v")].Family, family, t.Columns[t.Column("w")].Family)
			}
		}
		insert(255)
		for _, change := range []struct {
			length         int
			now, whenMoved string
		}{{300, "row$form", ""}, {255, "", "row$form"}} {
			if change.length == 255 {
				p.both("TRUNCATE TABLE x")
			}
			p.both(fmt.Sprintf("ALTER TABLE x MODIFY v VARCHAR(%d) CHARACTER SET utf8mb4", change.length))
			in(change.now)
			insert(change.length)
			p.compare("x")
			p.regroup()
			in(change.whenMoved)
			insert(change.length)
			p.compare("x")
		}
	})
}
