package plan

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/recipe"
	"tunic/internal/sql"
)

// explainedLines are what is said of a statement, or the refusal.
func explainedLines(c *catalog.Catalog, text string) string {
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	var fp sql.Fingerprinter
	got := p.Plan(&fp, []byte("EXPLAIN "+text), plantest.MariaDB, "test")
	if !Is[*Explain](got) {
		message := got.ActionName()
		if got.Refusal() != nil {
			message += ": " + got.Refusal().Error()
		}
		return message + "\n"
	}
	var b strings.Builder
	for _, l := range got.Explained().Lines(got.Explained().Run, false) {
		b.WriteString(l.About + strings.Repeat(" ", max(10-len(l.About), 1)) + l.Text + "\n")
	}
	return b.String()
}

// TestExplained: what is said of statements over columns with several layers.
func TestExplained(t *testing.T) {
	c := plantest.Tables(t)
	datadriven.Walk(t, "testdata/explain", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(_ *testing.T, d *datadriven.TestData) string {
			return explainedLines(c, d.Input)
		})
	})
}

// TestExplainedPlans: an EXPLAIN is planned once for its template, and the words
// before the statement are of the template.
func TestExplainedPlans(t *testing.T) {
	c := plantest.Tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	var fp sql.Fingerprinter
	plan := func(text string) *Plan { return p.Plan(&fp, []byte(text), plantest.MariaDB, "test") }
	first := plan("EXPLAIN SELECT name FROM person WHERE age = 5")
	if plan("EXPLAIN SELECT name FROM person WHERE age = 7") != first {
		t.Error("planned anew for another value")
	}
	for text, prefix := range map[string]string{
		"EXPLAIN SELECT name FROM person WHERE age = 5":             "EXPLAIN ",
		"EXPLAIN FORMAT=JSON SELECT name FROM person WHERE age = 5": "EXPLAIN FORMAT=JSON ",
		"EXPLAIN FORMAT=TREE SELECT name FROM person WHERE age = 5": "EXPLAIN FORMAT=TREE ",
		"ANALYZE SELECT name FROM person WHERE age = 5":             "ANALYZE ",
	} {
		got := plan(text)
		if !Is[*Explain](got) || got.Explained().Prefix != prefix {
			t.Errorf("%s: %v", text, got.ActionName())
		}
	}
}

// TestExplainedFallback: what is said of an execution with a value that no token
// stands for is of its own run.
func TestExplainedFallback(t *testing.T) {
	c := plantest.Tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	var fp sql.Fingerprinter
	e := p.Plan(&fp, []byte("EXPLAIN SELECT name FROM person WHERE age = 5 AND town = 'x' ORDER BY age"), plantest.MariaDB, "test").Explained()
	got := ""
	for _, l := range e.Lines(e.Run.Alternatives[recipe.NoToken], true) {
		got += l.About + " " + l.Text + "\n"
	}
	const want = "remote select `name`, `age` from `person` where `town` = ? limit 18446744073709551615\n" +
		"fetch name opened, age opened\n" +
		"local where `age` = ?\n" +
		"local order by `age`\n" +
		"local select `name`\n" +
		"where local, for this value there is no token: `age` = ?\n" +
		"where remote, plain: `town` = ?\n" +
		"order by local, because of what else is local: `age`\n"
	if got != want {
		t.Errorf("%s", got)
	}
}
