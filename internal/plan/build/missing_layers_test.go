package build

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tunic/internal/catalog"
	"tunic/internal/plan/columns"
	"tunic/internal/plan/explanation"
	"tunic/internal/plan/plantest"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
)

// withoutLayers is the catalog with columns that may have layers and have none.
func withoutLayers(t *testing.T) *catalog.Catalog {
	t.Helper()
	c := plantest.Tables(t)
	was := c.Table("test", "sbtest1")
	may := *was
	may.Columns = append([]catalog.Column{}, was.Columns...)
	anything, err := policy.Parse("order")
	if err != nil {
		t.Fatal(err)
	}
	for i := range may.Columns {
		if may.Columns[i].Protected() {
			may.Columns[i].Protection = anything
		}
	}
	if err := may.Check(); err != nil {
		t.Fatal(err)
	}
	return c.Next(2, []*catalog.Table{was}, []*catalog.Table{&may})
}

// missingTold are the layers missed by a text, and the layers that it reads.
func missingTold(c *catalog.Catalog, text string) string {
	r, err := buildText(c, text)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	for _, w := range r.Missing {
		what := [...]string{recipe.ForWhere: "where", recipe.ForGroup: "group", recipe.ForOrder: "order", recipe.ForJoin: "join"}[w.For]
		fmt.Fprintf(&b, "%s: %s.%s %s, leaf %d", what, w.Table.Name, w.Table.Columns[w.Column].Name, recipe.CapabilityNames[w.Layer], w.Leaf)
		if w.Share > 0 {
			fmt.Fprintf(&b, ", one of %d", w.Share)
		}
		if !w.Allowed {
			b.WriteString(", above the ceiling")
		}
		if w.Backfilling {
			b.WriteString(", being filled")
		}
		b.WriteString("\n")
	}
	for _, u := range r.Used {
		fmt.Fprintf(&b, "used: %s.%s %s\n", u.Table.Name, u.Table.Columns[u.Column].Name, recipe.CapabilityNames[u.Layer])
	}
	if b.Len() == 0 {
		return "nothing\n"
	}
	return b.String()
}

// TestMissingLayers: what statements would leave to the server if it had a layer.
func TestMissingLayers(t *testing.T) {
	c := withoutLayers(t)
	datadriven.RunTest(t, "testdata/missing_layers", func(_ *testing.T, d *datadriven.TestData) string {
		return missingTold(c, d.Input)
	})
}

// TestMissingLayersAreAdvice: what is missed is what EXPLAIN advises, and a plan with the
// layer no longer misses it.
func TestMissingLayersAreAdvice(t *testing.T) {
	c := withoutLayers(t)
	for _, text := range []string{
		"SELECT id FROM sbtest1 WHERE c = 'x'",
		"SELECT id FROM sbtest1 WHERE k > 5 AND pad = 'y'",
		"SELECT id FROM sbtest1 ORDER BY k LIMIT 3",
		"SELECT COUNT(DISTINCT c) FROM sbtest1",
		"UPDATE sbtest1 SET pad = 'z' WHERE c IN ('x', 'y')",
	} {
		r, err := buildText(c, text)
		if err != nil || len(r.Missing) == 0 {
			t.Fatalf("%s: %v, missing %v", text, err, r)
		}
		told := explainedBuilt(t, c, text)
		var layers []explanation.Advice
		for _, w := range r.Missing {
			a := explanation.Advice{Column: w.Column, Layer: w.Layer}
			of := explanation.Layer{Column: w.Table.Columns[w.Column].Name, Capability: w.Layer}.String()
			if !strings.Contains(told, "advice    the "+of+":") {
				t.Errorf("%s: EXPLAIN does not advise the %s:\n%s", text, of, told)
			}
			layers = append(layers, a)
		}
		with := c.Next(3, []*catalog.Table{r.Table}, []*catalog.Table{columns.WithLayers(r.Table, layers)})
		if r, err = buildText(with, text); err != nil || len(r.Missing) > 0 || len(r.Local) > 0 || len(r.Used) == 0 {
			t.Errorf("%s: with all layers: %v, missing %v, local %v, uses %v", text, err, r.Missing, r.Local, r.Used)
		}
	}
}

// explainedBuilt is what is said of a statement.
func explainedBuilt(t *testing.T, c *catalog.Catalog, text string) string {
	t.Helper()
	var fp sql.Fingerprinter
	fp.Record(true)
	fp.Fingerprint([]byte(text), plantest.MariaDB)
	read, err := sql.Parse([]byte(text), plantest.MariaDB)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := read[0].TreeWithPlaces(fp.Literals())
	if err != nil {
		t.Fatal(err)
	}
	run, err := Build(tree, c, "test", plantest.MariaDB)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, l := range NewExplained(tree, run, "", c, "test", plantest.MariaDB).Lines(run, false) {
		fmt.Fprintf(&b, "%-9s %s\n", l.About, l.Text)
	}
	return b.String()
}
