package ledger

import (
	"testing"

	"tunic/internal/catalog"
)

// TestVersion: while a table is about to come to be, the version is that of what is written.
func TestVersion(t *testing.T) {
	l := new(Ledger)
	l.show(catalog.New(false).Next(7, nil, nil), []Step{{New: catalog.NewPlain("shop", "bill", nil)}})
	if l.Catalog().Version == 7 || l.Version() != 7 {
		t.Errorf("version %d of a catalog with %d, want 7", l.Version(), l.Catalog().Version)
	}
}
