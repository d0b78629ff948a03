package build

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
)

// TestBackfilling: what is being filled is written by every statement that writes its
// value, and read by none; of a column that is being filled the server says, over the
// twin, that there is none.
func TestBackfilling(t *testing.T) {
	known := plantest.Tables(t)
	person := *known.Table("test", "person")
	person.Columns = slices.Clone(person.Columns)
	age := &person.Columns[2]
	age.Layers = slices.Clone(age.Layers)
	for i := range age.Layers {
		age.Layers[i].State = catalog.Backfilling
	}
	later := person.Columns[3] // like note, a sealed one
	later.ID, later.Domain, later.Name = catalog.ID{0xee}, catalog.ID{0xee}, "later"
	later.Backfilling, later.Invisible, later.Default = true, true, catalog.Default{Kind: catalog.DefaultValue}
	person.Columns = append(person.Columns, later)
	if err := person.Check(); err != nil {
		t.Fatal(err)
	}
	c := known.Next(2, nil, []*catalog.Table{&person})
	for text, forms := range map[string]map[string]bool{
		"SELECT * FROM person":                                                   {"age": true, "$": false, "later": false},
		"SELECT name FROM person WHERE age = 5":                                  {"age": true, "age$": false},
		"SELECT name FROM person WHERE age BETWEEN 5 AND 6 ORDER BY age":         {"age$": false},
		"SELECT age, COUNT(*) FROM person GROUP BY age":                          {"age$": false},
		"INSERT INTO person (name, age, note, town) VALUES ('a', 5, 'n', 't')":   {"age$eq": true, "age$ord": true, "later": true},
		"REPLACE INTO person VALUES (1, 'a', 5, 'n', 't')":                       {"age$eq": true, "age$ord": true, "later": true},
		"INSERT INTO person (name) VALUES ('a') ON DUPLICATE KEY UPDATE age = 6": {"age$eq": true, "age$ord": true, "later": true},
		"UPDATE person SET age = 6 WHERE id = 1":                                 {"age$eq": true, "age$ord": true, "later": false},
		"UPDATE person SET age = age + 1 WHERE note = 'n'":                       {"age$eq": true, "age$ord": true, "later": false},
		"SELECT later FROM person":                                               {"describe select `later`": true, "fetch    later": false},
		"UPDATE person SET later = 'x'":                                          {"describe update": true, "remote": false},
		"INSERT INTO person (later) VALUES ('x')":                                {"describe insert": true, "remote": false},
		"DELETE FROM person WHERE age = 5":                                       {"age$": false},
	} {
		run := planned(c, text)
		for form, there := range forms {
			if strings.Contains(run, form) != there {
				t.Errorf("%s: %s is %v, in\n%s", text, form, !there, run)
			}
		}
	}
}
