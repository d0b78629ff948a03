package plan

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
)

// TestActionsAreKnown: every plan that writes is one of the foreign keys that are there, that
// of a statement that only fails included. A session would plan another one again, for ever.
func TestActionsAreKnown(t *testing.T) {
	c := plantest.Tables(t)
	refers := *c.Table("test", "log")
	refers.ForeignKeys = []catalog.ForeignKey{{Name: "f", Columns: []string{"id"}}}
	c = c.Next(2, nil, []*catalog.Table{&refers})
	if c.Actions() == 0 {
		t.Fatal("a catalog with a foreign key is told from none")
	}
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	for _, text := range []string{
		"UPDATE person SET nosuch = 1",
		"INSERT INTO person (id, town) VALUES (1, 'x') ON DUPLICATE KEY UPDATE town = 'x'",
		"UPDATE person SET age = 1 WHERE nosuch = 1",
		"UPDATE person JOIN log ON log.id = person.id SET nosuch = 1",
		"UPDATE person SET age = age + 1 WHERE name = 'x'",
		"DELETE FROM person WHERE nosuch = 1",
		"DELETE person FROM person JOIN log ON nosuch = 1",
		"REPLACE INTO sbtest1 (nosuch) VALUES (1)",
		"REPLACE INTO sbtest1 (k) SELECT nosuch FROM person",
		"INSERT INTO person (age) VALUES (1) ON DUPLICATE KEY UPDATE nosuch = 1",
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person",
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person (nosuch)",
		"LOAD DATA LOCAL INFILE 'x' REPLACE INTO TABLE sbtest1",
		"EXPLAIN UPDATE person SET nosuch = 1",
	} {
		var fp sql.Fingerprinter
		got := p.Plan(&fp, []byte(text), plantest.MariaDB, "test")
		run := got.Run()
		if e := got.Explained(); e != nil {
			run = e.Run
		}
		if run == nil {
			t.Errorf("%s: %v", text, got.Refusal())
			continue
		}
		for _, r := range append(run.Others(), run) {
			if r.Writes() && r.Actions != c.Actions() {
				t.Errorf("%s: planned with the foreign keys of another catalog", text)
			}
		}
	}
}
