package build

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
)

// baredAge is the catalog of tables in which the protected column person.age has a plain
// form.
func baredAge(t *testing.T) *catalog.Catalog {
	t.Helper()
	known := plantest.Tables(t)
	person := *known.Table("test", "person")
	person.Columns = slices.Clone(person.Columns)
	age := &person.Columns[person.Column("age")]
	age.Layers = append(slices.Clone(age.Layers), catalog.Layer{
		Capability: catalog.PlainForm, Scheme: catalog.AsIs, State: catalog.Backfilling, Nullable: true, Stored: catalog.StoredName("age", catalog.PlainForm),
	})
	if err := person.Check(); err != nil {
		t.Fatal(err)
	}
	return known.Next(2, nil, []*catalog.Table{&person})
}

// TestBared: whatever writes a column that has a plain form writes that, and nothing reads it.
func TestBared(t *testing.T) {
	c := baredAge(t)
	for text, there := range map[string]bool{
		"SELECT * FROM person":                                                          false,
		"SELECT name FROM person WHERE age = 5":                                         false,
		"SELECT name FROM person WHERE age BETWEEN 5 AND 6 ORDER BY age":                false,
		"SELECT age, COUNT(*) FROM person GROUP BY age":                                 false,
		"SELECT age FROM person WHERE age IS NULL":                                      false,
		"SELECT p.name FROM person p JOIN person q ON p.age = q.age":                    false,
		"INSERT INTO person (name, age, note, town) VALUES ('a', 5, 'n', 't')":          true,
		"INSERT INTO person (name, age) VALUES ('a', 5), ('b', 1 + 2)":                  true,
		"REPLACE INTO person VALUES (1, 'a', 5, 'n', 't')":                              true,
		"INSERT INTO person (age) SELECT age FROM person":                               true,
		"INSERT INTO person (name) VALUES ('a') ON DUPLICATE KEY UPDATE age = 6":        true,
		"UPDATE person SET age = 6 WHERE id = 1":                                        true,
		"UPDATE person SET age = age + 1":                                               true,
		"UPDATE person SET town = 't' WHERE age = 6":                                    false,
		"UPDATE person a JOIN person b ON a.id = b.id SET a.age = b.age WHERE b.id = 1": true,
		"DELETE FROM person WHERE age = 5":                                              false,
	} {
		run := planned(c, text)
		if !strings.Contains(run, "remote") {
			t.Errorf("%s is not planned: %s", text, run)
		}
		if strings.Contains(run, "age$bare") != there {
			t.Errorf("%s: the plain form is %v, in\n%s", text, !there, run)
		}
	}
}
