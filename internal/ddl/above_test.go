package ddl

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/catalog/catalogtest"
	"tunic/internal/ledger"
)

// TestAbove: a foreign key that comes with rows that follow moves the fence of what it refers to, once, and of nothing else.
func TestAbove(t *testing.T) {
	parent := catalogtest.Sbtest(t).Table("test", "sbtest1")
	child := func(onDelete string) *catalog.Table {
		c := *parent
		c.ID, c.Name, c.Twin = catalog.ID{7}, "child", "t_7"
		c.ForeignKeys = []catalog.ForeignKey{{Name: "f", Columns: []string{"id"}, Schema: "test", Table: "sbtest1", Referenced: []string{"id"}, OnDelete: onDelete}}
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		return &c
	}
	known := catalogtest.Sbtest(t)
	parent = known.Table("test", "sbtest1")
	follows, stays := child("CASCADE"), child("")
	if got := above(known, []ledger.Step{{New: follows}}); len(got) != 1 || got[0].Old != parent || got[0].New.Revision != parent.Revision+1 {
		t.Errorf("rows that follow: %+v", got)
	}
	for name, steps := range map[string][]ledger.Step{
		"rows that do not follow": {{New: stays}},
		"nothing comes":           {{Old: parent}},
		"the parent changes":      {{Old: parent, New: parent}, {New: follows}},
	} {
		if got := above(known, steps); len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	with := known.Next(2, nil, []*catalog.Table{follows})
	if got := above(with, []ledger.Step{{Old: follows, New: follows}}); len(got) != 0 {
		t.Errorf("it was there before: %+v", got)
	}
}
