package plan

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tunic/internal/catalog"
	"tunic/internal/sql"
)

// explainedLines are what is said of a statement, or the refusal.
func explainedLines(c *catalog.Catalog, text string) string {
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	var fp sql.Fingerprinter
	got := p.Plan(&fp, []byte("EXPLAIN "+text), mariadb, "test")
	if got.Action != Explain {
		message := got.Action.String()
		if got.Refusal != nil {
			message += ": " + got.Refusal.Error()
		}
		return message + "\n"
	}
	var b strings.Builder
	for _, l := range got.Explained.Lines(got.Explained.Run, false) {
		b.WriteString(l.About + strings.Repeat(" ", max(10-len(l.About), 1)) + l.Text + "\n")
	}
	return b.String()
}

// TestExplained: what is said of statements over columns with several layers.
func TestExplained(t *testing.T) {
	c := tables(t)
	datadriven.Walk(t, "testdata/explain", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(_ *testing.T, d *datadriven.TestData) string {
			return explainedLines(c, d.Input)
		})
	})
}
