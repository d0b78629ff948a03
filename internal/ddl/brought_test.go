package ddl

import (
	"errors"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/catalog/catalogtest"
	"tunic/internal/ddl/definition"
	"tunic/internal/policy"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// TestBroughtBy: layers that nobody has named are told, but not those that a rule names or that tell nothing more; with keys refused
// a key that needs one is refused.
func TestBroughtBy(t *testing.T) {
	table := *catalogtest.Sbtest(t).Table("test", "sbtest1")
	table.Keys = []catalog.Key{{Name: "k_1", Kind: catalog.Unique, Parts: []catalog.Part{{Column: "k", Layer: policy.Equality}}}}
	of := func(by policy.Voice) *definition.Definition {
		def := &ast.ColumnDefinition{Name: ast.Identifier("k")}
		return &definition.Definition{Columns: []definition.Column{{ColumnDefinition: def, Decision: policy.Decision{By: by, Wanted: policy.Equality}}}}
	}
	ask, refuse := &policy.Policy{}, &policy.Policy{Keys: policy.KeysRefuse}
	got, err := broughtBy(ask, &definition.Definition{}, &table, nil, false)
	if err != nil || len(got) != 1 || got[0].Column != "k" || got[0].Layer != policy.Equality || !got[0].Alone || got[0].Rows {
		t.Errorf("by a key: %+v, %v", got, err)
	}
	if got, err := broughtBy(ask, of(policy.ByAnnotation), &table, nil, true); err != nil || len(got) != 1 || !got[0].Rows {
		t.Errorf("by an annotation, with rows: %+v, %v", got, err)
	}
	if got, err := broughtBy(refuse, of(policy.ByRule), &table, nil, false); err != nil || len(got) != 0 {
		t.Errorf("by a rule: %+v, %v", got, err)
	}
	if got, err := broughtBy(refuse, &definition.Definition{}, &table, &table, false); err != nil || len(got) != 0 {
		t.Errorf("it was there: %+v, %v", got, err)
	}
	if _, err := broughtBy(refuse, &definition.Definition{}, &table, nil, false); !errors.Is(err, sqlerr.KeyLayer("", "", "")) {
		t.Errorf("keys are refused: %v", err)
	}
}
