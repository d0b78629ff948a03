package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
)

// ruleNames are the names of all rules that decide about texts.
func ruleNames() []string {
	names := []string{ruleOthers, ruleNoted, ruleAlias, ruleCipher, ruleSeveral}
	for _, rules := range [][]rule{textRules(), sessionRules(), statementRules(), protectedRules()} {
		for _, r := range rules {
			if r.name != "" && !slices.Contains(names, r.name) {
				names = append(names, r.name)
			}
		}
	}
	return names
}

// TestRules: which rule decides about a text, and what it decides. Each rule decides about one.
func TestRules(t *testing.T) {
	c := plantest.Tables(t)
	planner := New(Options{Catalog: func() *catalog.Catalog { return c }})
	expected := map[string]bool{}
	datadriven.Walk(t, "testdata/rules", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var fp sql.Fingerprinter
			p := planner.Plan(&fp, []byte(d.Input), plantest.MariaDB, "test")
			if d.Cmd == "elsewhere" {
				p = planner.PlanElsewhere(c, nil, &fp, []byte(d.Input), plantest.MariaDB, "test")
			}
			if d.Cmd == "within" {
				p = planner.Plan(&fp, []byte(d.Input), plantest.MariaDB, catalog.Schema)
			}
			var expect string
			d.ScanArgs(t, "expect", &expect)
			if p.rule != expect {
				d.Fatalf(t, "%s has decided, not %s", p.rule, expect)
			}
			expected[expect] = true
			return decision(p)
		})
	})
	for _, name := range ruleNames() {
		if !expected[name] {
			t.Errorf("no case expects the rule %s", name)
		}
	}
}

// decision is what a plan says, as people read it.
func decision(p *Plan) string {
	var b strings.Builder
	fmt.Fprintln(&b, p.ActionName())
	if refusal := p.Refusal(); refusal != nil {
		fmt.Fprintln(&b, "refusal:", refusal)
	}
	if len(p.Names) > 0 {
		fmt.Fprintln(&b, "names:", p.Names)
	}
	if needs := p.Needs(); len(needs) > 0 {
		fmt.Fprintln(&b, "needs:", needs)
	}
	if words := p.Wording().Words; len(words) > 0 {
		fmt.Fprintln(&b, "words:", words)
	}
	if v := p.Variables(); len(v.Names) > 0 || v.Any {
		fmt.Fprintln(&b, "variables:", v.Names, v.Any)
	}
	if run := p.Run(); run != nil && run.Remote != nil {
		fmt.Fprintln(&b, "remote:", run.Remote)
	}
	return b.String()
}
