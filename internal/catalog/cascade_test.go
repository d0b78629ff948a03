package catalog

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tunic/internal/policy"
)

// tied are tables of two protected columns, id and ref, whose foreign keys are given as
// "child parent.column DELETE/UPDATE".
func tied(keys ...string) *Catalog {
	tables := map[string]*Table{}
	table := func(name string) *Table {
		if tables[name] == nil {
			protected := policy.Protection{Protected: true}
			tables[name] = &Table{
				ID: ID{name[0]}, Schema: "s", Name: name,
				Columns: []Column{{Name: "id", Protection: protected}, {Name: "ref", Protection: protected}},
			}
		}
		return tables[name]
	}
	for _, k := range keys {
		var child, to, actions string
		_, _ = fmt.Sscan(k, &child, &to, &actions)
		parent, column, _ := strings.Cut(to, ".")
		onDelete, onUpdate, _ := strings.Cut(strings.ReplaceAll(actions, "NULL", "SET NULL"), "/")
		table(parent)
		t := table(child)
		t.ForeignKeys = append(t.ForeignKeys, ForeignKey{
			Name: k, Columns: []string{"ref"}, Schema: "s", Table: parent, Referenced: []string{column},
			OnDelete: onDelete, OnRow: onUpdate, Layers: []policy.Capabilities{policy.Equality},
		})
	}
	var all []*Table
	for _, t := range tables {
		all = append(all, t)
	}
	return New(false).Next(1, nil, all)
}

// TestCascades: what follows a row of table a that is deleted, or whose id changes.
func TestCascades(t *testing.T) {
	for name, c := range map[string]struct {
		keys             []string
		deleted, changed string
	}{
		"restrict":           {[]string{"b a.id RESTRICT/NO"}, "", ""},
		"set null":           {[]string{"b a.id NULL/NULL"}, "b=null", "b=null"},
		"cascade":            {[]string{"b a.id CASCADE/CASCADE"}, "", "b=new"},
		"deleted, then null": {[]string{"b a.id CASCADE/NO", "c b.id NULL/CASCADE"}, "b.c=null", ""},
		"null, then null":    {[]string{"b a.id NULL/NO", "c b.ref NO/CASCADE"}, "b.c=null b=null", ""},
		"follows, then null": {[]string{"b a.id NO/CASCADE", "c b.ref NO/NULL"}, "", "b.c=null b=new"},
		"another column":     {[]string{"b a.ref NO/CASCADE"}, "", ""},
		"itself":             {[]string{"a a.id NULL/CASCADE"}, "a=null", ""},
		"by two ways":        {[]string{"b a.id NO/CASCADE", "c a.id NULL/CASCADE", "c b.ref NO/CASCADE"}, "c=null", "b.c=new b=new c=new"},
		"circle above null":  {[]string{"a a.id CASCADE/NO", "b a.id NULL/NO"}, "unknown", ""},
		"circle alone":       {[]string{"a a.id CASCADE/NO", "b a.id CASCADE/NO"}, "", ""},
	} {
		k := tied(c.keys...)
		a := k.Table("s", "a")
		if got := spell(k.Cascades(a, true, nil)); got != c.deleted {
			t.Errorf("%s: a row that is deleted: %q, want %q", name, got, c.deleted)
		}
		if got := spell(k.Cascades(a, false, []int{0})); got != c.changed {
			t.Errorf("%s: a row that changes: %q, want %q", name, got, c.changed)
		}
	}
}

func spell(all []Cascade, known bool) string {
	if !known {
		return "unknown"
	}
	var words []string
	for _, c := range all {
		var path []string
		for _, h := range c.Path {
			path = append(path, h.Table.Name)
		}
		to := "=new"
		if c.Nulls {
			to = "=null"
		}
		words = append(words, strings.Join(path, ".")+to)
	}
	return strings.Join(words, " ")
}

// TestAbove: the tables whose statements hang on a table's foreign keys, and that it is
// told when one comes.
func TestAbove(t *testing.T) {
	k := tied("b a.id CASCADE/NO", "c b.id NULL/NO", "c d.id NO/NO", "c c.id NULL/NO")
	var names []string
	for _, above := range k.Above(k.Table("s", "c")) {
		names = append(names, above.Name)
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "a b c" {
		t.Errorf("above c: %s", got)
	}
	if k.Actions() == tied("b a.id CASCADE/NO").Actions() || k.Actions() == tied().Actions() {
		t.Error("catalogs with other foreign keys are told alike")
	}
}
