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

// TestPlainDefined: a plain table that is written has the key that its columns tell, and is
// another one when its definition is, but not when its counters are.
func TestPlainDefined(t *testing.T) {
	of := func(definition string, key ...string) *Table {
		id, err := TypesOf(charset.MariaDB)("int(11)", "", true)
		if err != nil {
			t.Fatal(err)
		}
		made := NewPlain("shop", "town", []Column{{Name: "id", TypeText: "int(11)", Type: id}})
		made.Define(definition, key)
		return made
	}
	const body = "CREATE TABLE `town` (\n  `id` int(11) NOT NULL AUTO_INCREMENT,\n  PRIMARY KEY (`id`)\n)"
	town := of(body+" ENGINE=InnoDB AUTO_INCREMENT=3", "id")
	if k := town.RowKey(); k == nil || len(k.Parts) != 1 || k.Parts[0].Column != "id" || town.Refers() {
		t.Errorf("%+v", town)
	}
	if !town.Is(of(body+" ENGINE=InnoDB AUTO_INCREMENT=4", "id")) {
		t.Error("another counter is another definition")
	}
	for what, other := range map[string]*Table{
		"engine":  of(body+" ENGINE=MyISAM", "id"),
		"key":     of("CREATE TABLE `town` (\n  `id` int(11) NOT NULL\n) ENGINE=InnoDB"),
		"nothing": NewPlain("shop", "town", town.Columns),
	} {
		if town.Is(other) {
			t.Errorf("another %s is the same definition", what)
		}
	}
	if of("CREATE TABLE `town` (\n  `id` int(11) NOT NULL\n) ENGINE=InnoDB").RowKey() != nil {
		t.Error("a key that nothing tells of")
	}
	if !of("CREATE TABLE `town` (\n  CONSTRAINT `c` FOREIGN KEY (`id`) REFERENCES `x` (`id`)\n) ENGINE=InnoDB").Refers() {
		t.Error("a foreign key is not seen")
	}
}
