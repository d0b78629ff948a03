package layers

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// used is the table of the bench when k's layer is used, and more is not there yet.
func (b *bench) used(keys ...catalog.Key) *catalog.Table {
	b.t.Helper()
	u := *b.table
	u.Columns = slices.Clone(u.Columns[:3])
	u.Columns[1].Layers = []catalog.Layer{u.Columns[1].Layers[0]}
	u.Columns[1].Layers[0].State = catalog.Ready
	u.Keys = keys
	if err := u.Check(); err != nil {
		b.t.Fatal(err)
	}
	return &u
}

func (b *bench) inspect(i Inspection) (int64, []Fault) {
	b.t.Helper()
	i.DB, i.Ring = b.db, b.ring
	rows, faults, err := i.Run(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return rows, faults
}

// TestInspect: each kind of fault is found and counted, in tables with a key and without;
// what can be repaired is, and nothing else is touched.
func TestInspect(t *testing.T) {
	const rows = rowsLooked + 300
	onServers(t, func(b *bench) {
		b.rows(rows)
		if err := b.job().Backfill(t.Context()); err != nil {
			b.t.Fatal(err)
		}
		keyed := b.used(b.table.Keys...)
		if n, faults := b.inspect(Inspection{Table: keyed, Repair: true}); n != rows || faults != nil {
			b.t.Fatalf("of %d good rows: %d, %v", rows, n, faults)
		}
		b.exec(
			"UPDATE shop.t SET `k$eq` = NULL, changed = changed WHERE id IN (1, 2, 2222)",
			fmt.Sprintf("UPDATE shop.t SET `k$eq` = %s, changed = changed WHERE id IN (3, 2223)", b.token(4)),
			fmt.Sprintf("UPDATE shop.t SET `k$eq` = %s, changed = changed WHERE id IN (10)", b.token(4)),
			"UPDATE shop.t SET k = REVERSE(k), changed = changed WHERE id IN (5, 6)",
			"UPDATE shop.t SET k = 'plain', changed = changed WHERE id = 7",
		)
		eq := policy.Equality
		want := []Fault{
			{"k", 0, Unopened, 3, 0, []int64{5, 6, 7}, "PRIMARY (id)"},
			{"k", eq, Lacking, 3, 0, []int64{1, 2, 2222}, "PRIMARY (id)"},
			{"k", eq, Wrong, 2, 0, []int64{3, 2223}, "PRIMARY (id)"},
			{"k", eq, Surplus, 1, 0, []int64{10}, "PRIMARY (id)"},
		}
		var looked []int64
		n, faults := b.inspect(Inspection{Table: keyed, Looked: func(rows int64) { looked = append(looked, rows) }})
		if diff := cmp.Diff(want, faults); diff != "" || n != rows || !slices.Equal(looked, []int64{rowsLooked, rows}) {
			b.t.Errorf("%d rows, %v: %s", n, looked, diff)
		}
		n, faults = b.inspect(Inspection{Table: b.used(), Repair: true})
		if diff := cmp.Diff(unordered(want), faults); diff != "" || n != rows {
			b.t.Errorf("without a key: %d rows: %s", n, diff)
		}
		for i := range want[1:] {
			want[1+i].Repaired = want[1+i].Rows
		}
		if _, faults = b.inspect(Inspection{Table: keyed, Repair: true}); cmp.Diff(want, faults) != "" {
			b.t.Errorf("repaired: %s", cmp.Diff(want, faults))
		}
		if _, faults = b.inspect(Inspection{Table: keyed}); cmp.Diff(want[:1], faults) != "" {
			b.t.Errorf("afterwards: %s", cmp.Diff(want[:1], faults))
		}
		var changed int
		if err := b.db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM shop.t WHERE changed <> '2001-01-01'").Scan(&changed); err != nil || changed > 0 {
			b.t.Errorf("%d rows say that somebody has changed them: %v", changed, err)
		}
	})
}

// unordered are faults of a table whose rows have no order.
func unordered(faults []Fault) []Fault {
	all := slices.Clone(faults)
	for i := range all {
		all[i].First, all[i].Key = nil, ""
	}
	return all
}

// TestInspectUnique: a token that the server does not take is told of, and no reason to
// stop.
func TestInspectUnique(t *testing.T) {
	onServers(t, func(b *bench) {
		b.rows(9)
		if err := b.job().Backfill(t.Context()); err != nil {
			b.t.Fatal(err)
		}
		b.exec(
			"UPDATE shop.t SET `k$eq` = NULL WHERE id = 4",
			fmt.Sprintf("UPDATE shop.t SET `k$eq` = %s WHERE id = 3", b.token(4)),
			"ALTER TABLE shop.t ADD UNIQUE KEY (`k$eq`)",
		)
		want := []Fault{{"k", policy.Equality, Lacking, 1, 1, []int64{4}, "PRIMARY (id)"}, {"k", policy.Equality, Wrong, 1, 1, []int64{3}, "PRIMARY (id)"}}
		_, faults := b.inspect(Inspection{Table: b.used(b.table.Keys...), Repair: true})
		if diff := cmp.Diff(want, faults); diff != "" {
			b.t.Error(diff) // row 3 gives up the token before row 4 gets it
		}
		b.exec("UPDATE shop.t SET `k$eq` = NULL WHERE id = 2", fmt.Sprintf("UPDATE shop.t SET `k$eq` = %s WHERE id = 8", b.token(2)))
		want = []Fault{{"k", policy.Equality, Lacking, 1, 0, []int64{2}, "PRIMARY (id)"}, {"k", policy.Equality, Wrong, 1, 1, []int64{8}, "PRIMARY (id)"}}
		_, faults = b.inspect(Inspection{Table: b.used(b.table.Keys...), Repair: true})
		if diff := cmp.Diff(want, faults); diff != "" {
			b.t.Error(diff)
		}
	})
}
