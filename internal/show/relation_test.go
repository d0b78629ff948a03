package show

import (
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/information"
)

// TestRelations: the planner and this room know the same tables.
func TestRelations(t *testing.T) {
	planned := map[string]bool{}
	for _, name := range information.Changes() {
		planned[name] = true
		if _, ok := relations[name]; !ok {
			t.Errorf("no query stands for %s", name)
		}
	}
	for name := range relations {
		if !planned[name] {
			t.Errorf("%s is not planned", name)
		}
	}
}

// TestNamesLikeStored: columns that look like the server's alone are hidden in information_schema, and not those that the table
// had before.
func TestNamesLikeStored(t *testing.T) {
	hidden := func(names ...string) string {
		of := &catalog.Table{Schema: "s", Name: "t"}
		for _, name := range names {
			of.Columns = append(of.Columns, catalog.Column{Name: name})
		}
		a := &Answer{tables: []*table{{Table: of}}}
		return strings.Join(a.noLayers(), "")
	}
	const but = " AND r.COLUMN_NAME NOT IN ("
	if got := hidden("a", "b"); !strings.Contains(got, "'%$form'") || strings.Contains(got, but) {
		t.Error(got)
	}
	if got := hidden("a", "net$form", "old$eq"); !strings.Contains(got, but+"'net$form', 'old$eq')") {
		t.Error(got)
	}
}

// FuzzFind: what is found is there, and what is not found could not be equal to any
// part of the text in any collation that has letters equal to letters.
func FuzzFind(f *testing.F) {
	f.Add("enum('sad','grün')", "unsigned")
	f.Add("ß", "ss")
	f.Fuzz(func(t *testing.T, in, what string) {
		at, ok := find(in, what)
		runes := []rune(in)
		switch {
		case at < 0 || at > len(runes)+1:
			t.Fatalf("%q in %q at %d", what, in, at)
		case ok && at > 0 && string(runes[at-1:])[:len(what)] != what:
			t.Fatalf("%q is not in %q at %d", what, in, at)
		}
	})
}

// TestWorded: what the planner leaves to tunic, beside protected tables, is what words stand
// for. Tables of tunic's own are not read beside those.
func TestWorded(t *testing.T) {
	for name, of := range secretColumns {
		if ownTables[of.relation] == nil && !information.Worded(name) {
			t.Errorf("the server would decide of %s by words", name)
		}
	}
}
