package definition

import (
	"errors"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// TestTieLater: a table that comes after the foreign keys that refer to it has columns of the
// kind that those were taken to be of.
func TestTieLater(t *testing.T) {
	column := func(name string, protected bool) catalog.Column {
		return catalog.Column{Name: name, Domain: catalog.ID{7}, Protection: policy.Protection{Protected: protected, Allowed: policy.Equality}}
	}
	for _, to := range []bool{false, true} {
		for _, from := range []bool{false, true} {
			child := &catalog.Table{ID: catalog.ID{1}, Schema: "s", Name: "a", Columns: []catalog.Column{column("of", from), column("x", true)}, ForeignKeys: []catalog.ForeignKey{
				{Name: "f", Columns: []string{"of"}, Schema: "s", Table: "b", Referenced: []string{"id"}},
			}}
			parent := &catalog.Table{ID: catalog.ID{2}, Schema: "s", Name: "b", Columns: []catalog.Column{column("id", to)}}
			_, err := Tie(parent, catalog.New(false).Next(1, nil, []*catalog.Table{child, parent}))
			refusal, refused := errors.AsType[*sqlerr.Error](err)
			if refused != (to != from) || refused && refusal.Number != 1235 {
				t.Errorf("protected %t refers to protected %t: %v", from, to, err)
			}
		}
	}
}
