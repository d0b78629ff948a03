package build

import (
	"fmt"
	"testing"

	"tunic/internal/plan/plantest"
	"tunic/internal/recipe"
)

// TestOperations: what is carried out does something, those that may take its place as well, and what cannot be
// right does nothing.
func TestOperations(t *testing.T) {
	c := plantest.Tables(t)
	for text, want := range map[string]string{
		"SELECT name FROM person WHERE name = 'x'":                                         "*recipe.Query",
		"SELECT COUNT(*) FROM person WHERE name LIKE 'x%'":                                 "*recipe.Query",
		"SELECT p.name FROM person p JOIN sbtest1 s USING (id) WHERE p.name = 'x'":         "*recipe.Query",
		"SELECT name FROM person UNION SELECT name FROM person":                            "*recipe.Query",
		"INSERT INTO person (id, name) VALUES (1, 'x')":                                    "*recipe.Insert of *recipe.TextRows",
		"INSERT INTO person (id, name) VALUES (1, 'x') ON DUPLICATE KEY UPDATE name = 'y'": "*recipe.Insert of *recipe.TextRows",
		"REPLACE INTO person (id, name) VALUES (1, 'x')":                                   "*recipe.Insert of *recipe.TextRows",
		"INSERT INTO person (id, name) SELECT id, name FROM person WHERE name = 'x'":       "*recipe.Insert of *recipe.QueryRows",
		"UPDATE person SET name = 'y' WHERE name = 'x'":                                    "*recipe.Change",
		"UPDATE person SET name = CONCAT(name, 'x') WHERE town = 5":                        "*recipe.Rewrite",
		"UPDATE person p JOIN sbtest1 s USING (id) SET p.name = 'x'":                       "*recipe.Several",
		"DELETE FROM person WHERE id = 1":                                                  "*recipe.Change",
		"DELETE FROM person WHERE CONCAT(name, 'x') = 'ax'":                                "*recipe.Rewrite",
		"DELETE p FROM person p JOIN sbtest1 s USING (id)":                                 "*recipe.Several",
		"UPDATE person SET nothing = 1":                                                    "<nil>",
	} {
		run, err := buildText(c, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if (run.Remote == nil) != (run.Does == nil) {
			t.Errorf("%s: sent is %v, and done %s", text, run.Remote, doing(run))
		}
		if got := doing(run); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		for _, other := range run.Others() {
			if other.Does == nil || other.Remote == nil {
				t.Errorf("%s: one in its place does nothing", text)
			}
		}
	}
}

// doing is what a Run does, by its type.
func doing(run *recipe.Run) string {
	text := fmt.Sprintf("%T", run.Does)
	if insert, ok := run.Does.(*recipe.Insert); ok {
		text += fmt.Sprintf(" of %T", insert.Rows)
	}
	return text
}
