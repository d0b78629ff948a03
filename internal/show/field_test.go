package show

import (
	"testing"

	"tunic/internal/catalog"
)

// TestStoredColumns: a client is told of no column that the server alone has, whether the
// catalog has it already, still, or not.
func TestStoredColumns(t *testing.T) {
	shown := &table{
		Table:  &catalog.Table{Columns: []catalog.Column{{Name: "a"}, {Name: "old$eq"}}},
		layers: map[string]int{"a$eq": 0, "odd": 0, "all$form": -1},
	}
	for name, want := range map[string]bool{
		"a": false, "A": false, "old$eq": false, // of a table that was there before tunic
		"a$eq": true, "A$EQ": true, "odd": true, "All$Form": true, // of layers and families that are known
		"a$ord": true, "b$eq": true, "a$copy": true, "a$plain": true, "f$form": true, // on their way
		"tunic$0102030405$7": true,
	} {
		if shown.hides(name) != want {
			t.Errorf("%s is the server's alone: %v", name, !want)
		}
	}
}
