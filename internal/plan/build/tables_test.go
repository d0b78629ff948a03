package build

import (
	"testing"

	"tunic/internal/plan/plantest"
	"tunic/internal/recipe"
	"tunic/internal/sql"
)

// TestTablesOfRuns: a Run and those that may take its place know the tables that they
// are of, by which it is known that one has changed.
func TestTablesOfRuns(t *testing.T) {
	c := plantest.Tables(t)
	for text, want := range map[string]int{
		"SELECT name FROM person WHERE name = 'x'":                                    1,
		"UPDATE person SET age = 3 WHERE name = 'x'":                                  1,
		"SELECT p.name FROM person p JOIN log l ON l.id = p.id WHERE p.name = 'x'":    2,
		"SELECT p.name FROM person p JOIN person q ON p.name = q.name AND p.age = 1":  1,
		"SELECT name FROM person WHERE age IN (SELECT k FROM sbtest1) AND name = 'x'": 2,
	} {
		var f sql.Fingerprinter
		f.Record(true)
		f.Fingerprint([]byte(text), sql.MariaDB)
		all, err := sql.Parse([]byte(text), sql.MariaDB)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := all[0].TreeWithPlaces(f.Literals())
		if err != nil {
			t.Fatal(err)
		}
		run, err := Build(tree, c, "test", sql.MariaDB)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, r := range []*recipe.Run{run, run.Alternatives[recipe.CountsChanged], run.Alternatives[recipe.NoToken]} {
			if r != nil && len(r.Tables) != want {
				t.Errorf("%s: %d tables, want %d", text, len(r.Tables), want)
			}
		}
		if run.Alternatives[recipe.CountsChanged] == nil && run.Alternatives[recipe.NoToken] == nil {
			t.Errorf("%s: no other Run may take the place of it", text)
		}
	}
}
