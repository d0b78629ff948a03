package catalog

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"tunic/internal/policy"

	"github.com/google/go-cmp/cmp"
)

// family is the patient table with two columns in a family.
func family() *Table {
	t := patient()
	t.Families = []Family{{ID: id("row"), Epoch: 7, Stored: "row$form", Layouts: []Layout{{Number: 2, Written: []byte{1, 2}}}, Bytes: 40, Added: []AddedColumn{{Column: id("age"), Value: []byte("1")}}}}
	for i := range t.Columns[1:] {
		t.Columns[i+1].Family, t.Columns[i+1].Epoch = "row$form", 7
	}
	return t
}

func TestFamilies(t *testing.T) {
	table := family()
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	f := table.FamilyOf(2)
	if f != &table.Families[0] || table.FamilyOf(0) != nil || !slices.Equal(table.Members(f), []int{1, 2}) {
		t.Errorf("family %v of members %v, %v of a plain column", f, table.Members(f), table.FamilyOf(0))
	}
	var names []string
	for s := range table.StoredColumns() {
		names = append(names, s.Name)
		if found := table.StoredColumn(s.Name); found != s {
			t.Errorf("%s is found as %+v, not %+v", s.Name, found, s)
		}
	}
	if want := []string{"id", "Name", "Name$eq", "age", "age$ord", "row$form"}; !slices.Equal(names, want) {
		t.Errorf("stored columns %v, want %v", names, want)
	}
	if kind := table.StoredColumn("Age").Kind; kind != StoredMember || table.Columns[2].Stored() != "row$form" {
		t.Errorf("a member is stored as %d in %s", kind, table.Columns[2].Stored())
	}
	if low, high := table.LowestEpoch(), table.HighestEpoch(); low != 0 || high != 7 {
		t.Errorf("epochs %d to %d", low, high)
	}
}

// TestFamiliesWritten: they are read as they were written, in a format of their own.
func TestFamiliesWritten(t *testing.T) {
	table := family()
	written, err := table.Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, err := Decode(written, types)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(table, read, ignoreIndex); diff != "" {
		t.Error(diff)
	}
	if !bytes.HasPrefix(written, []byte(`{"format":2,`)) {
		t.Errorf("written as %.20s", written)
	}
}

func TestFamiliesRefused(t *testing.T) {
	for name, change := range map[string]func(*Table){
		"no ID":           func(t *Table) { t.Families[0].ID = ID{} },
		"no name":         func(t *Table) { t.Families[0].Stored = "" },
		"no size":         func(t *Table) { t.Families[0].Bytes = 0 },
		"no layout":       func(t *Table) { t.Families[0].Layouts = nil },
		"layout 0":        func(t *Table) { t.Families[0].Layouts[0].Number = 0 },
		"an empty layout": func(t *Table) { t.Families[0].Layouts[0].Written = nil },
		"layouts back":    func(t *Table) { t.Families[0].Layouts = append(t.Families[0].Layouts, Layout{1, []byte{1}}) },
		"one ID twice":    func(t *Table) { f := t.Families[0]; f.Stored = "x$form"; t.Families = append(t.Families, f) },
		"no members": func(t *Table) {
			f := t.Families[0]
			f.ID, f.Stored = id("other"), "x$form"
			t.Families = append(t.Families, f)
		},
		"no such family":           func(t *Table) { t.Columns[1].Family = "x$form" },
		"another epoch":            func(t *Table) { t.Columns[1].Epoch++ },
		"a plain member":           func(t *Table) { t.Columns[0].Family = "row$form" },
		"a name twice":             func(t *Table) { t.Columns[1].Layers[0].Stored = "row$form" },
		"filled, of what is there": func(t *Table) { t.Families[0].Takes = "line$form" },
		"filled, with another":     func(t *Table) { t.Columns[2].Backfilling, t.Columns[2].Invisible = true, true },
		"a name of plain":          func(t *Table) { t.Columns[0].Name = "ROW$form"; t.Keys[0].Parts[0].Column = "ROW$form" },
	} {
		table := family()
		change(table)
		if err := table.Check(); !errors.Is(err, ErrContent) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFamilyFilled: a family that is being filled is of shadows alone, which have no place of their own at the server.
func TestFamilyFilled(t *testing.T) {
	table := family()
	typ, err := types("int(11)", "", false)
	if err != nil {
		t.Fatal(err)
	}
	plain := Column{ID: id("town"), Name: "town", TypeText: "int(11)", Type: typ, Default: Default{Kind: DefaultNull}}
	shadow := table.Columns[2]
	shadow.ID, shadow.Domain, shadow.Name, shadow.Layers = id("copy"), id("copy"), "town$copy", []Layer{{Capability: policy.Equality, Scheme: PRP64, State: Backfilling, Stored: "town$eq"}}
	shadow.Shadows, shadow.Backfilling, shadow.Invisible, shadow.TypeText, shadow.CollationName, shadow.Type = "town", true, true, plain.TypeText, "", plain.Type
	shadow.Protection = policy.Protection{Protected: true, Allowed: policy.Equality}
	f := table.Families[0]
	f.ID, f.Takes = id("new"), "line$form"
	f.Stored, shadow.Family = FamilyAhead(f.ID), FamilyAhead(f.ID)
	table.Columns, table.Families = append(table.Columns, plain, shadow), append(table.Families, f)
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	if !IsFamilyAhead(f.Stored) || IsFamilyAhead("row$form$copy") || !Reserved(f.Stored) || !table.Families[1].Backfills() || table.Families[0].Backfills() {
		t.Errorf("%s is no name of a family that is being filled", f.Stored)
	}
	if table.StoredColumn("town$copy").Kind != NotStored || table.StoredColumn("town$eq").Kind != StoredToken || table.StoredColumn(f.Stored).Kind != StoredFamily {
		t.Error("a member that is being filled has a place of its own")
	}
	written, err := table.Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, err := Decode(written, types)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(table, read, ignoreIndex); diff != "" {
		t.Error(diff)
	}
	table.Columns[len(table.Columns)-1].Shadows = ""
	if err := table.Check(); !errors.Is(err, ErrContent) {
		t.Errorf("a member without a column: %v", err)
	}
}

// TestMoving: a column on its way into another family has a shadow with its ID, of its type, and without layers.
func TestMoving(t *testing.T) {
	moving := func(change func(shadow *Column, f *Family)) *Table {
		table := patient()
		shadow, f := table.Columns[2], family().Families[0]
		f.Stored, f.Takes, f.Epoch = FamilyAhead(f.ID), "row$form", 7
		shadow.Name, shadow.Shadows, shadow.Backfilling, shadow.Invisible = "age$copy", shadow.Name, true, true
		shadow.Layers, shadow.Default, shadow.Family, shadow.Epoch = nil, Default{Kind: DefaultNull}, f.Stored, 7
		change(&shadow, &f)
		table.Columns, table.Families = append(table.Columns, shadow), []Family{f}
		return table
	}
	table := moving(func(*Column, *Family) {})
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	if !table.Moving() || !table.Converting() || table.Encrypting() || table.BackfillsForStatement() || table.Shadow(2) != len(table.Columns)-1 {
		t.Error("the table is not on its way, or for a statement")
	}
	for name, change := range map[string]func(shadow *Column, f *Family){
		"another type": func(c *Column, _ *Family) { c.TypeText = "varchar(99)" },
		"a layer": func(c *Column, _ *Family) {
			c.Layers = []Layer{{Capability: policy.Equality, Scheme: CMAC, State: Backfilling, Stored: "x$eq"}}
		},
		"a family that is there": func(_ *Column, f *Family) { f.Takes = "" },
	} {
		if err := moving(change).Check(); !errors.Is(err, ErrContent) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
