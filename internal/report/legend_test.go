package report

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/value"
)

// TestFamilyTells: the form of a family shows no NULL, and a length only if values differ in it.
func TestFamilyTells(t *testing.T) {
	of := func(typ string) catalog.Column {
		known, err := catalog.TypesOf(value.MySQL)(typ, "utf8mb4_bin", false)
		if err != nil {
			t.Fatal(err)
		}
		return catalog.Column{Type: known, Family: "row$form"}
	}
	table := &catalog.Table{Columns: []catalog.Column{of("int"), of("date")}}
	if says := sealedTells(table, &table.Columns[0]); says != "nothing of the values" {
		t.Error(says)
	}
	table.Columns = append(table.Columns, of("varchar(9)"))
	if says := sealedTells(table, &table.Columns[0]); says != "how long the values of its family are together in each row, in steps of 16 bytes" {
		t.Error(says)
	}
	if table.Columns[0].Family = ""; sealedTells(table, &table.Columns[0]) != "which are NULL" {
		t.Error("of a column that is sealed by itself it says something of a family")
	}
}
