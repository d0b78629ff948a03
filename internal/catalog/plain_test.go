package catalog

import (
	"testing"

	"tunic/internal/value/charset"
)

// TestPlain: two plain tables are one definition if their columns are the same, and no
// protected table is taken for one.
func TestPlain(t *testing.T) {
	column := func(name, typ, collation string, notNull bool) Column {
		parsed, err := TypesOf(charset.MariaDB)(typ, collation, notNull)
		if err != nil {
			t.Fatal(err)
		}
		return Column{Name: name, TypeText: typ, Type: parsed}
	}
	general, bin := "utf8mb4_general_ci", "utf8mb4_bin"
	of := NewPlain("shop", "town", []Column{column("name", "varchar(40)", general, true)})
	if !of.Plain() || of.Column("NAME") != 0 || of.Column("zip") >= 0 {
		t.Errorf("%+v", of)
	}
	if again := NewPlain("shop", "town", []Column{column("name", "varchar(40)", general, true)}); !of.Is(again) {
		t.Error("the same definition is another table")
	}
	for what, other := range map[string]*Table{
		"name of a column": NewPlain("shop", "town", []Column{column("nam", "varchar(40)", general, true)}),
		"type":             NewPlain("shop", "town", []Column{column("name", "varchar(41)", general, true)}),
		"collation":        NewPlain("shop", "town", []Column{column("name", "varchar(40)", bin, true)}),
		"NULL":             NewPlain("shop", "town", []Column{column("name", "varchar(40)", general, false)}),
		"one more column":  NewPlain("shop", "town", []Column{column("name", "varchar(40)", general, true), column("a", "int(11)", "", true)}),
		"name":             NewPlain("shop", "towns", []Column{column("name", "varchar(40)", general, true)}),
	} {
		if of.Is(other) {
			t.Errorf("another %s is the same definition", what)
		}
	}
	if (&Table{Twin: "t_1"}).Plain() {
		t.Error("a protected table is plain")
	}
}
