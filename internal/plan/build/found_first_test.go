package build

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
)

// TestFindsFirst: MariaDB finds the rows of an UPDATE before it writes any where they are in an
// order that WHERE does not fix, or their primary key is set and no unique key may find one row.
func TestFindsFirst(t *testing.T) {
	c := plantest.Tables(t)
	person := *c.Table("test", "person")
	person.Definition = "CREATE TABLE `person` (\n) ENGINE=InnoDB"
	c = c.Next(c.Version+1, []*catalog.Table{&person}, []*catalog.Table{&person})
	for text, want := range map[string]bool{
		"UPDATE person SET name = CONCAT(name, 'x') WHERE town = 5 ORDER BY id":                                   true,
		"UPDATE person SET name = CONCAT(name, 'x') WHERE town = 5 AND id > 3 ORDER BY id LIMIT 1":                true,
		"UPDATE person SET name = CONCAT(name, 'x') WHERE town = 5 AND id = 3 ORDER BY id, age":                   true,
		"UPDATE person SET id = id + 10, name = CONCAT(name, 'x') WHERE town = 5":                                 true,
		"UPDATE person SET name = CONCAT(name, 'x') WHERE town = 5":                                               false,
		"UPDATE person SET name = CONCAT(name, 'x') WHERE town = 5 LIMIT 1":                                       false,
		"UPDATE person SET name = CONCAT(name, 'x') WHERE town = 5 AND id = 3 ORDER BY id":                        false,
		"UPDATE person SET name = CONCAT(name, 'x') WHERE town = 5 AND id + 1 < 3 ORDER BY id":                    false,
		"UPDATE person SET name = CONCAT(name, 'x') WHERE town = 5 ORDER BY town":                                 false,
		"UPDATE person SET id = id + 10, name = CONCAT(name, 'x') WHERE town = 5 AND id < 2":                      false,
		"UPDATE person SET name = CONCAT(name, 'x') WHERE id IN (SELECT id FROM sbtest1 WHERE k = 5) ORDER BY id": false,
		"DELETE FROM person WHERE town = 5 AND CONCAT(name, 'x') = 'ax' ORDER BY id":                              false,
	} {
		run, err := buildText(c, text)
		if err != nil || run.Rewrite() == nil {
			t.Errorf("%s: does not read rows to write them: %v", text, err)
			continue
		}
		if run.Rewrite().FindsFirst != want {
			t.Errorf("%s: got %v, want %v", text, run.Rewrite().FindsFirst, want)
		}
		if run, err := buildFor(c, text, 0); err != nil || run.Rewrite().FindsFirst {
			t.Errorf("%s: taken for MySQL's too: %v", text, err)
		}
	}
}
