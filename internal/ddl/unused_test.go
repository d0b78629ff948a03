package ddl

import (
	"context"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/service"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
)

// TestUnusedTwins: after a change that has failed, the twin stays that the table has as
// another process has settled it, and the other one goes.
func TestUnusedTwins(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE k (a INT, s VARCHAR(10))")
		table := b.ledger.Catalog().Table("shop", "k")
		own := b.connect(catalog.Schema)
		unused := table.Twin + "_9"
		if err := own.Exec(b.t.Context(), "CREATE TABLE "+identifier.Quoted(unused)+" LIKE "+identifier.Quoted(table.Twin)); err != nil {
			b.t.Fatal(err)
		}
		there := func(want ...string) {
			b.t.Helper()
			rows, err := own.Query(b.t.Context(), "SHOW TABLES LIKE 't\\_%'")
			if err != nil || len(rows) != len(want) {
				b.t.Errorf("%d twins, not %v: %v", len(rows), want, err)
			}
			for i := range min(len(rows), len(want)) {
				if service.Text(rows[i][0]) != want[i] {
					b.t.Errorf("twin %s, not %s", service.Text(rows[i][0]), want[i])
				}
			}
		}
		other := b.ledger
		b.hold()
		next := *table
		next.Revision++
		if _, err := other.Change(b.t.Context(), []ledger.Step{{Old: table, New: &next}}, func(ctx context.Context) error {
			return own.Exec(ctx, revision.Alter(table, &next, nil))
		}); err != nil {
			b.t.Fatal(err)
		}
		there(table.Twin, unused)
		b.definer.Upkeep.DropUnused(b.t.Context(), table, unused, table.Twin)
		there(table.Twin)
	})
}
