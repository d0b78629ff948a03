package examination

import (
	"slices"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ledger"
)

// TestCompare: what is not as it should be is found under its name, and nothing else is.
func TestCompare(t *testing.T) {
	table := &catalog.Table{ID: catalog.ID{1}, Schema: "s", Name: "t", Revision: 1, Definition: "CREATE TABLE `t` (\n  `a` int DEFAULT NULL,\n  `b` int DEFAULT NULL,\n  KEY `k` (`a`)\n) ENGINE=InnoDB", Columns: []catalog.Column{{Name: "a"}, {Name: "b"}}}
	_ = table.Check() // for lookups by name
	mark := " ENGINE=InnoDB COMMENT=" + showcreate.QuoteString(ledger.Mark(table))
	for _, c := range []struct {
		name, stored string
		want         []Mismatch
	}{
		{"as it should be", "`a` int DEFAULT NULL,\n  `b` int DEFAULT NULL,\n  KEY `k` (`a`)\n)" + mark, nil},
		{"another type", "`a` bigint DEFAULT NULL,\n  `b` int DEFAULT NULL,\n  KEY `k` (`a`)\n)" + mark, []Mismatch{{Of: "column", Name: "a", Problem: Different}}},
		{"no column", "`a` int DEFAULT NULL,\n  KEY `k` (`a`)\n)" + mark, []Mismatch{{Of: "column", Name: "b", Problem: Missing}}},
		{"one more", "`a` int DEFAULT NULL,\n  `b` int DEFAULT NULL,\n  `a$eq` int DEFAULT NULL,\n  KEY `k` (`a`)\n)" + mark, []Mismatch{{Of: "column", Name: "a$eq", Problem: Unknown}}},
		{"no key", "`a` int DEFAULT NULL,\n  `b` int DEFAULT NULL\n)" + mark, []Mismatch{{Of: "key", Name: "k", Problem: Missing}}},
		{"no mark", "`a` int DEFAULT NULL,\n  `b` int DEFAULT NULL,\n  KEY `k` (`a`)\n) ENGINE=InnoDB", []Mismatch{{Of: "mark", Problem: Different}}},
	} {
		is, err := showcreate.Read("CREATE TABLE `t` (\n  " + c.stored)
		if err != nil {
			t.Fatal(c.name, err)
		}
		want, err := showcreate.Read(table.Definition)
		if err != nil {
			t.Fatal(err)
		}
		if got := Compare(table, is, want); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestBetweenSteps: what steps leave for the next one is known by its name.
func TestBetweenSteps(t *testing.T) {
	table := &catalog.Table{ID: catalog.ID{1}, Revision: 1}
	fenced := *table
	fenced.Fenced, fenced.Revision = true, 2
	found := []Mismatch{
		{Of: "key", Name: catalog.KeyAsidePrefix + "0", Problem: Unknown},
		{Of: "key", Name: "mine", Problem: Unknown},
		{Of: "column", Name: fenced.Fence(), Problem: Unknown},
		{Of: "column", Name: "a$eq", Problem: Unknown},
	}
	got := BetweenSteps(table, &showcreate.Table{}, &showcreate.Table{}, found)
	for i, want := range []bool{true, false, true, false} {
		if got[i].Between() != want {
			t.Errorf("%+v", got[i])
		}
	}
	if !got[3].Leftover() || got[1].Leftover() {
		t.Error("a column that looks like a layer is one that is left over, and a key is not")
	}
}
