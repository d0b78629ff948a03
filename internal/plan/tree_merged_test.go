package plan

import (
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
)

// TestMergedColumns: a condition on a plain column that a join is USING together with a
// protected one is decided here.
func TestMergedColumns(t *testing.T) {
	known := plantest.Tables(t)
	plain := *known.Table("test", "person")
	plain.Name, plain.ID = "beside", catalog.ID{99}
	plain.Columns = nil
	for _, c := range known.Table("test", "person").Columns {
		c.Layers, c.Protection = nil, policy.Protection{}
		plain.Columns = append(plain.Columns, c)
	}
	for text, sent := range map[string]bool{
		"SELECT p.id FROM beside b JOIN person p USING (name) WHERE name = 'canary'":                         false,
		"SELECT p.id FROM beside b JOIN person p USING (name) WHERE b.name IN ('canary', 'x') AND p.age = 1": false,
		"SELECT p.id FROM beside b LEFT JOIN person p USING (name) WHERE name = 'canary'":                    false,
		"SELECT p.id FROM beside b NATURAL JOIN person p WHERE note = 'canary'":                              false,
		"SELECT p.id FROM beside b JOIN (beside c JOIN person p USING (name)) USING (name) WHERE name > 'a'": false,
		"SELECT b.id FROM beside b JOIN (SELECT name FROM person) d USING (name) WHERE name LIKE 'c%'":       false,
		"SELECT p.id FROM beside b JOIN person p ON p.name = b.name WHERE b.name = 'canary'":                 true,
		"SELECT p.id FROM beside b JOIN beside c USING (name), person p WHERE name = 'canary'":               true,
		"SELECT p.id FROM beside b JOIN person p USING (id) WHERE b.name = 'canary'":                         true,
	} {
		fp := new(sql.Fingerprinter)
		p := New(Options{}).PlanBeside(known, []*catalog.Table{&plain}, fp, []byte(text), servers[0], "test")
		if !Is[*Execute](p) {
			t.Errorf("%s: %v %v", text, p.ActionName(), p.Refusal())
			continue
		}
		for _, r := range []*recipe.Run{p.Run(), p.Run().Alternatives[recipe.CountsChanged], p.Run().Alternatives[recipe.NoToken]} {
			if r != nil && r.Remote != nil && strings.Contains(r.Remote.String(), ":p") != sent {
				t.Errorf("%s: %s", text, r.Remote)
			}
		}
	}
}
