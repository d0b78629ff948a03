package build

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
)

// planned is the Run of a text, or what is said instead of one.
func planned(c *catalog.Catalog, text string) string {
	said, _ := plannedBy(c, text)
	return said
}

// plannedBy is planned with the name of the rule that has planned the statement; there is none of
// what no rule is asked about.
func plannedBy(c *catalog.Catalog, text string) (said, rule string) {
	lacks := &Lacking{}
	r, rule, err := buildBy(c, text, plantest.MariaDB, lacks)
	beyond := (*resolve.Beyond)(nil)
	switch {
	case err != nil && len(lacks.Needs) > 0:
		return fmt.Sprintf("needs: %v\n", lacks.Needs), rule
	case errors.As(err, &beyond):
		return "beyond: " + beyond.Error() + "\n", rule
	case err != nil:
		return "error: " + err.Error() + "\n", rule
	}
	return r.String(), rule
}

func buildText(c *catalog.Catalog, text string) (*recipe.Run, error) {
	return buildFor(c, text, plantest.MariaDB)
}

// buildFor builds the Run of a text for a server.
func buildFor(c *catalog.Catalog, text string, modes sql.Modes) (*recipe.Run, error) {
	r, _, err := buildBy(c, text, modes, nil)
	return r, err
}

// buildBy is buildFor with the name of the rule that has planned the statement.
func buildBy(c *catalog.Catalog, text string, modes sql.Modes, lacks *Lacking) (r *recipe.Run, rule string, err error) {
	fp := sql.Fingerprinter{}
	fp.Record(true)
	fp.Fingerprint([]byte(text), modes)
	read, err := sql.Parse([]byte(text), modes)
	if err != nil {
		return nil, "", err
	}
	tree, err := read[0].TreeWithPlaces(fp.Literals())
	if err != nil {
		return nil, "", err
	}
	b := &Builder{Catalog: c, Schema: "test", Modes: modes, Tree: tree, Plain: []*catalog.Table{plantest.Town(), plantest.Rate("rate", true), plantest.Rate("seen", false)}, Lacks: lacks}
	r, err = b.Start()
	return r, b.rule, err
}

// TestRuns: the plans of statements over protected tables, as people read them. Each rule plans one.
func TestRuns(t *testing.T) {
	c := plantest.Tables(t)
	expected := map[string]bool{}
	datadriven.Walk(t, "testdata/run", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(_ *testing.T, d *datadriven.TestData) string {
			said, rule := plannedBy(c, d.Input)
			if rule != "" {
				rule = "rule     " + rule + "\n"
			}
			if strings.HasPrefix(d.Expected, rule) {
				expected[strings.TrimSpace(strings.TrimPrefix(rule, "rule"))] = true
			}
			return rule + said
		})
	})
	for _, r := range buildRules() {
		if !expected[r.name] {
			t.Errorf("no case is planned by the rule %s", r.name)
		}
	}
}
