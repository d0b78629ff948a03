package policy

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawRules draws rules of few names, so that many are of the same columns.
func drawRules(t *rapid.T) (rules []Rule) {
	part := rapid.SampledFrom([]string{"*", "a", "b", "a*", "?b"})
	for range rapid.IntRange(0, 4).Draw(t, "rules") {
		rules = append(rules, Rule{
			Columns:    Pattern{part.Draw(t, "schema"), part.Draw(t, "table"), part.Draw(t, "column")},
			Protection: drawProtection(t),
			Waits:      rapid.Bool().Draw(t, "waits"),
			Family:     rapid.SampledFrom([]string{"", "", "x", "y"}).Draw(t, "family"),
			Apart:      rapid.Bool().Draw(t, "apart"),
		})
	}
	return rules
}

// TestRulesAgree: whoever asks by what rule a column is, or whether one guards it, gets what Column goes by; and what may be
// asked of a table is true of a table with such a column.
func TestRulesAgree(t *testing.T) {
	if rules, patterns := reflect.TypeFor[Rule]().NumField(), reflect.TypeFor[Pattern]().NumField(); rules != 5 || patterns != 3 {
		t.Fatalf("a rule has %d fields and a pattern %d: draw the new one, too", rules, patterns)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := &Policy{Default: drawProtection(t), Rules: drawRules(t)}
		part := rapid.SampledFrom([]string{"a", "A", "b", "ab", "bb", "c"})
		c := Column{Schema: part.Draw(t, "schema"), Table: part.Draw(t, "table"), Name: part.Draw(t, "column")}
		d, err := p.Column(c)
		if err != nil {
			t.Fatal(err)
		}
		var rule Rule
		n := p.RuleOf(c.Schema, c.Table, c.Name)
		if n >= 0 {
			rule = p.Rules[n]
		}
		if (d.By == ByRule) != (n >= 0) || n >= 0 && (d.Protection != rule.Protection || d.Family != rule.Family) {
			t.Errorf("RuleOf says %d, %v; Column says %v by %v", n, rule, d.Protection, d.By)
		}
		ruled := rule.Protection.Protected
		guarded := ruled && !rule.Waits
		if p.Ruled(c.Schema, c.Table, c.Name) != ruled || p.Guarded(c.Schema, c.Table, c.Name) != guarded {
			t.Errorf("by %v a column is ruled: %t, guarded: %t", rule, ruled, guarded)
		}
		if guarded && (!p.HasGuards() || !p.Guards(c.Schema, c.Table) || !p.MayGuardAmong("", []string{strings.ToLower(c.Schema), strings.ToLower(c.Table)})) {
			t.Errorf("the table of a column that %v guards is not guarded", rule)
		}
		if d.Protected && !p.MayProtect(c.Schema, c.Table) {
			t.Errorf("the table of a column that is %v is one that has none", d.Protection)
		}
	})
}
