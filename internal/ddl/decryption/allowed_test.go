package decryption

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/catalog/catalogtest"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// TestAllowed: each thing that stands against a decryption is named, with a fix; what is decrypted by now goes on.
func TestAllowed(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*catalog.Table)
		views  []*catalog.Table
		why    string
	}{
		"good":      {func(*catalog.Table) {}, nil, ""},
		"decrypted": {func(t *catalog.Table) { t.Bared, t.Fenced = true, false }, nil, ""},
		"encrypting": {func(t *catalog.Table) {
			shadow := t.Columns[1]
			shadow.Name, shadow.Shadows, shadow.Backfilling, shadow.Invisible = "id$copy", "id", true, true
			t.Columns = append(t.Columns, shadow)
		}, nil, "being encrypted"},
		"no fence": {func(t *catalog.Table) { t.Fenced = false }, nil, "no place for a fence"},
		"a family": {func(t *catalog.Table) {
			t.Families = []catalog.Family{{ID: catalog.ID{9}, Stored: "f$form", Layouts: []catalog.Layout{{Number: 1, Written: []byte{1}}}}}
			t.Columns[1].Family = "f$form"
		}, nil, ""},
		"a CHECK": {func(t *catalog.Table) { t.Checks = []catalog.Check{{}} }, nil, "CHECK"},
		"no key":  {func(t *catalog.Table) { t.Keys = nil }, nil, "tells its rows apart"},
		"a view":  {func(*catalog.Table) {}, []*catalog.Table{{ID: catalog.ID{8}, Schema: "test", Name: "v", View: &catalog.View{Over: []catalog.ViewOver{{Schema: "test", Name: "sbtest1"}}}}}, "view test.v reads it"},
		"a job":   {func(t *catalog.Table) { t.Columns[1].Layers[0].State = catalog.Backfilling }, nil, "on its way"},
		"an answer": {func(t *catalog.Table) {
			t.Columns[1].Generated, t.Columns[1].Default.Kind = true, catalog.DefaultExpression
		}, nil, "the server computes it"},
		"a rule": {func(*catalog.Table) {}, nil, "the policy"},
	} {
		table := *catalogtest.Sbtest(t).Table("test", "sbtest1")
		table.Columns = slices.Clone(table.Columns)
		table.Columns[1].Layers = slices.Clone(table.Columns[1].Layers)
		table.Keys = []catalog.Key{{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "id"}}}}
		table.Definition = "CREATE TABLE `sbtest1` (\n  `id` int NOT NULL,\n  `k` int NOT NULL,\n  `c` char(120) NOT NULL,\n  `pad` char(60) NOT NULL,\n  PRIMARY KEY (`id`)\n) ENGINE=InnoDB"
		c.change(&table)
		rules := &policy.Policy{}
		rules.Default.Protected = name == "a rule"
		err := Allowed(rules, value.MySQL, catalog.New(false).Next(1, nil, append(c.views, &table)), &table)
		if refusal, ok := errors.AsType[*NotBared](err); (err == nil) != (c.why == "") || c.why != "" && (!ok || !strings.Contains(refusal.Why, c.why) || refusal.Fix == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHindrances: all that stands against a decryption is told at once, views with the SQL that takes them away and
// brings them back.
func TestHindrances(t *testing.T) {
	table := *catalogtest.Sbtest(t).Table("test", "sbtest1")
	table.Columns = slices.Clone(table.Columns)
	table.Columns[1].OnUpdateNow = true
	table.Checks = []catalog.Check{{}}
	table.Keys = []catalog.Key{{Name: "PRIMARY", Kind: catalog.Primary, Parts: []catalog.Part{{Column: "id"}}}}
	table.Definition = "CREATE TABLE `sbtest1` (\n  `id` int NOT NULL,\n  `k` int NOT NULL,\n  `c` char(120) NOT NULL,\n  `pad` char(60) NOT NULL,\n  PRIMARY KEY (`id`)\n) ENGINE=InnoDB"
	all := []*catalog.Table{&table}
	for i, name := range []string{"v", "u"} {
		all = append(all, &catalog.Table{
			ID: catalog.ID{byte(8 + i)}, Schema: "test", Name: name, Columns: []catalog.Column{{Name: "a"}},
			View: &catalog.View{Shown: "select `test`.`sbtest1`.`k` AS `a` from `test`.`sbtest1`", Security: "INVOKER", Over: []catalog.ViewOver{{Schema: "test", Name: "sbtest1"}}},
		})
	}
	found, err := Hindrances(&policy.Policy{}, value.MySQL, catalog.New(false).Next(1, nil, all), &table)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range found {
		got = append(got, h.Error())
		got = append(got, append(h.Remove, h.Restore...)...)
	}
	want := []string{
		"the table cannot be decrypted: a CHECK is over a protected column",
		"the table cannot be decrypted: view test.u reads it", "DROP VIEW `test`.`u`",
		"CREATE SQL SECURITY INVOKER VIEW `test`.`u` (`a`) AS select `test`.`sbtest1`.`k` AS `a` from `test`.`sbtest1`",
		"the table cannot be decrypted: view test.v reads it", "DROP VIEW `test`.`v`",
		"CREATE SQL SECURITY INVOKER VIEW `test`.`v` (`a`) AS select `test`.`sbtest1`.`k` AS `a` from `test`.`sbtest1`",
		"column k cannot be decrypted: the server computes its values",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
