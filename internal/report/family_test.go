package report

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/value"
)

// TestFamilyTells: a form of numbers tells nothing, and one with a text its length; NULL is in no form of a family.
func TestFamilyTells(t *testing.T) {
	number, text := value.Type{Kind: value.Int}, value.Type{Kind: value.VarChar, Length: 20}
	table := &catalog.Table{Columns: []catalog.Column{
		{Name: "a", Type: number, Family: "f$form"}, {Name: "b", Type: number, Family: "f$form"}, {Name: "c", Type: number, Family: "g$form"}, {Name: "d", Type: text, Family: "g$form"}, {Name: "e", Type: text},
	}}
	const length = "how long all values of the family are together, in steps of 16 bytes"
	for i, want := range []string{"nothing of the values", "nothing of the values", length, length} {
		if got := familyTells(table, &table.Columns[i]); got != want {
			t.Errorf("%s tells %s, not %s", table.Columns[i].Name, got, want)
		}
	}
}
