package plan

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
)

// TestWritesThroughView: none is planned, and none is forwarded.
func TestWritesThroughView(t *testing.T) {
	c := plantest.WithView(t, "select `id`, `name` from `test`.`person`", "id", "name")
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	for _, text := range []string{
		"INSERT INTO v VALUES (1, 'x')", "UPDATE v SET name = 'x'", "DELETE FROM v WHERE id = 1", "REPLACE INTO v (id) VALUES (1)",
		"UPDATE person SET name = 'x' WHERE id IN (SELECT id FROM v)", "INSERT INTO other SELECT name FROM v", "DELETE v FROM v, person",
	} {
		var fp sql.Fingerprinter
		if got := p.Plan(&fp, []byte(text), 0, "test"); !Is[*Refuse](got) {
			t.Errorf("%s: %v", text, got.ActionName())
		}
	}
}

// TestOutdatedView: a view whose table has another twin is to be told anew.
func TestOutdatedView(t *testing.T) {
	c := plantest.WithView(t, "select `id` from `test`.`person`", "id")
	now := *c.Table("test", "person")
	now.Revision, now.Twin = now.Revision+1, "another"
	c = c.Next(c.Version+1, []*catalog.Table{&now}, []*catalog.Table{&now})
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	var fp sql.Fingerprinter
	if got := p.Plan(&fp, []byte("SELECT * FROM v"), 0, "test"); !Is[*Refuse](got) || len(got.Outdated()) != 1 {
		t.Errorf("%v, %d outdated", got.ActionName(), len(got.Outdated()))
	}
}
