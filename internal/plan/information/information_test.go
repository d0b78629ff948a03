package information

import (
	"slices"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// TestTables: names are in lower case, as they are looked up; those that queries stand for are all there.
func TestTables(t *testing.T) {
	changes := Changes()
	if !slices.IsSorted(changes) || !slices.Contains(changes, "columns") || slices.Contains(changes, "innodb_columns") {
		t.Errorf("queries stand for %v", changes)
	}
	if Tables["innodb_columns"] != Stored || Tables["st_geometry_columns"] != Shapes || Tables["engines"] != 0 {
		t.Error("a table is not told as it is to be")
	}
}

// TestWorded: which columns the server does not know, whatever the case of their names.
func TestWorded(t *testing.T) {
	if !Worded("COLUMN_TYPE") || Worded("TABLE_NAME") {
		t.Error("the server knows names, and no types")
	}
}

// TestOfServer: the schemas of the server, and tables of information_schema among them.
func TestOfServer(t *testing.T) {
	if !OfServer("MySQL") || !OfServer(Schema) || OfServer("shop") {
		t.Error("a schema is not the server's")
	}
	if !IsTold(catalog.NewPlain("INFORMATION_SCHEMA", "columns", nil)) || IsTold(catalog.NewPlain("mysql", "columns", nil)) {
		t.Error("a table is not one of information_schema")
	}
}

// TestHasShapes: only a spatial column that is protected counts.
func TestHasShapes(t *testing.T) {
	of := func(kind value.Kind, protected bool) *catalog.Catalog {
		c := catalog.Column{Name: "a", Type: value.Type{Kind: kind}, Protection: policy.Protection{Protected: protected}}
		return catalog.New(false).Next(1, nil, []*catalog.Table{{ID: catalog.ID{1}, Schema: "s", Name: "t", Columns: []catalog.Column{c}}})
	}
	if !HasShapes(of(value.Geometry, true)) || HasShapes(of(value.Geometry, false)) || HasShapes(of(value.Int, true)) {
		t.Error("what is spatial and protected is not found out")
	}
}
