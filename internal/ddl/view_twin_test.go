package ddl

import (
	"testing"

	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/service"
	"tunic/internal/racetest"
)

// TestViewTwinGoesWithItsTable changes a table below a view, whole and with tunic killed at each statement: no view
// is left in schema _tunic that reads a twin which is gone. A dump of the schema would end there.
func TestViewTwinGoesWithItsTable(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		b.must("CREATE TABLE k (a INT, s VARCHAR(10) NOT NULL, KEY (s))")
		for _, change := range []string{"ALTER TABLE k ADD COLUMN c INT", "ALTER TABLE k DROP COLUMN c", "DROP TABLE IF EXISTS k"} {
			for cut := 1; ; cut += stride() {
				if b.ledger.Catalog().Table("shop", "k") != nil {
					if err := b.view(b.ledger.Catalog().View("shop", "v") != nil); err != nil {
						b.t.Fatal(err)
					}
				}
				if !b.viewTwinsKilledAt(cut, change) {
					break
				}
			}
		}
	})
}

// viewTwinsKilledAt kills tunic at a statement of a change, and looks at what is left; false says that it was done before it.
func (b *bench) viewTwinsKilledAt(cut int, change string) (killed bool) {
	b.t.Helper()
	b.seen.forget()
	b.seen.mu.Lock()
	b.seen.cut, b.seen.answerLost = cut, cut%2 == 0
	b.seen.mu.Unlock()
	_, _ = b.do(change) // what came of it is looked at
	b.seen.mu.Lock()
	killed = b.seen.dead
	b.seen.mu.Unlock()
	if killed {
		b.comesBack()
	} else {
		defer b.comesBack() // a start would sweep what is looked at
	}
	rows, err := b.client.Query(b.t.Context(), "SELECT TABLE_NAME FROM information_schema.VIEWS WHERE TABLE_SCHEMA = '_tunic'")
	if err != nil {
		b.t.Fatal(err)
	}
	for _, r := range rows {
		if _, err := b.client.Query(b.t.Context(), "SHOW FIELDS FROM "+definition.QuotedTwin(service.Text(r[0]))); err != nil {
			b.t.Errorf("%s, killed at %d: the twin of a view reads nothing: %v", change, cut, err)
		}
	}
	return killed
}
