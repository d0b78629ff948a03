package catalog

import (
	"fmt"
	"slices"
	"testing"

	"tunic/internal/policy"
)

// changing is a table with a column of every sort, and layers of every state.
func changing() *Table {
	sealed := policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}
	column := func(name string, of policy.Protection, layers ...Layer) Column {
		return Column{ID: id(name), Domain: id(name), Name: name, TypeText: "int(11)", Protection: of, Layers: layers}
	}
	copied := column("plain$copy", sealed, Layer{Capability: policy.Equality, State: Backfilling, Stored: "plain$eq"})
	copied.Backfilling, copied.Shadows, copied.Invisible = true, "plain", true
	added := column("added", sealed, Layer{Capability: policy.Order, State: Backfilling, Stored: "added$ord"})
	added.Backfilling, added.Invisible, added.Default.Kind = true, true, DefaultValue
	t := &Table{
		ID: id("t"), Schema: "s", Name: "t", Fenced: true,
		Columns: []Column{
			column("id", policy.Plain),
			column("Name", sealed,
				Layer{Capability: policy.Equality, State: Ready, Stored: "Name$eq"},
				Layer{Capability: policy.Order, State: Retiring, Job: 1, Stored: "Name$ord"},
				Layer{Capability: Shadow(policy.Equality), State: Backfilling, Job: 2, Stored: "Name$next$eq"}),
			column("plain", policy.Plain),
			column("alone", sealed),
			column("bared", sealed, Layer{Capability: PlainForm, Scheme: AsIs, State: Backfilling, Stored: "bared$bare"}),
			copied, added,
		},
	}
	if err := t.Check(); err != nil {
		panic(err)
	}
	return t
}

// TestStoredColumns: they are told in the order in which they are made, each with what it has of which column.
func TestStoredColumns(t *testing.T) {
	of := changing()
	var got []string
	for s := range of.StoredColumns() {
		if s.Column != &of.Columns[s.At] || (s.Layer != nil) != (s.Kind == StoredToken || s.Kind == StoredBare) || s.Layer == nil && s.Name != s.Column.Stored() {
			t.Errorf("%s: %+v", s.Name, s)
		}
		got = append(got, fmt.Sprint(s.Name, " ", s.Kind, " ", s.At))
		if found := of.StoredColumn(s.Name); found != s {
			t.Errorf("%s is found as %+v", s.Name, found)
		}
	}
	want := []string{
		fmt.Sprint("id ", StoredPlain, " 0"),
		fmt.Sprint("Name ", StoredSealed, " 1"), fmt.Sprint("Name$eq ", StoredToken, " 1"), fmt.Sprint("Name$ord ", StoredToken, " 1"), fmt.Sprint("Name$next$eq ", StoredToken, " 1"),
		fmt.Sprint("plain ", StoredPlain, " 2"),
		fmt.Sprint("alone ", StoredSealed, " 3"),
		fmt.Sprint("bared ", StoredSealed, " 4"), fmt.Sprint("bared$bare ", StoredBare, " 4"),
		fmt.Sprint("plain$copy ", StoredSealed, " 5"), fmt.Sprint("plain$eq ", StoredToken, " 5"),
		fmt.Sprint("added ", StoredSealed, " 6"), fmt.Sprint("added$ord ", StoredToken, " 6"),
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for range of.StoredColumns() {
		break // who stops is not given another one
	}
}

// TestStored: a stored column is found whatever the case of its name, and what is none is not.
func TestStored(t *testing.T) {
	of := changing()
	if s := of.StoredColumn("NAME$EQ"); s.Kind != StoredToken || s.Column != &of.Columns[1] || s.Layer != &of.Columns[1].Layers[0] {
		t.Errorf("a layer: %+v", s)
	}
	for _, name := range []string{"", "name$copy", "Name$bare", of.Fence()} {
		if s := of.StoredColumn(name); s != (StoredColumn{}) {
			t.Errorf("%q: %+v", name, s)
		}
	}
}

// TestOneStoredColumnOfAName: a layer has the name of no other stored column.
func TestOneStoredColumnOfAName(t *testing.T) {
	for _, name := range []string{"", "ID", "name", "PLAIN$EQ"} {
		of := changing()
		of.Columns[1].Layers[0].Stored = name
		if of.Check() == nil {
			t.Errorf("a layer is stored as %q", name)
		}
	}
}
