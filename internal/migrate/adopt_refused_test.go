package migrate

import (
	"slices"
	"testing"
)

// TestAdoptRefuses: a table that the definition hinders is refused where it is adopted, too. A client may have made it so since
// somebody looked.
func TestAdoptRefuses(t *testing.T) {
	onServers(t, func(b *bench) {
		b.exec(b.server, hinderedTables...)
		for _, h := range hinderedBy {
			if !slices.ContainsFunc(h.by, func(name string) bool { return slices.Contains(stays[byDefinition], name) }) {
				continue
			}
			w, end := b.work(h.table)
			e, done, err := w.encryption(b.t.Context())
			if err != nil {
				b.t.Fatal(err)
			}
			err = w.Definer.Adopt(b.t.Context(), e)
			if _, told := Problem(err); !told || w.Ledger.Catalog().Table("shop", h.table) != nil {
				b.t.Errorf("%s, hindered by %v: %v, which is no refusal", h.table, h.by, err)
			}
			done()
			end()
		}
	})
}
