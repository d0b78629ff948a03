package build

import (
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/recipe"
	"tunic/internal/sql"
)

// namesakesOf has a table person in two schemas.
func namesakesOf(t *testing.T) *catalog.Catalog {
	t.Helper()
	c := plantest.Tables(t)
	other := *c.Table("test", "log")
	other.ID, other.Schema, other.Name, other.Twin = catalog.ID{0xe1}, "other", "person", "t_9"
	return c.Next(c.Version+1, nil, []*catalog.Table{&other})
}

func runOf(t *testing.T, c *catalog.Catalog, text string) (*recipe.Run, error) {
	t.Helper()
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
	return Build(tree, c, "test", sql.MariaDB)
}

// TestNamesakes: tables of one name in two schemas stay apart, in what is planned and in what is
// described.
func TestNamesakes(t *testing.T) {
	c := namesakesOf(t)
	for text, want := range map[string]string{
		"SELECT name, line FROM person JOIN other.person USING (id)":                               "`t_9` as `t_9`",
		"SELECT test.person.name FROM person, other.person WHERE test.person.id = other.person.id": "`person`.`id` = `t_9`.`id`",
		"SELECT person.line FROM person, other.person":                                             "select `t_9`.`line`",
		"SELECT other.person.* FROM person, other.person":                                          "select `t_9`.*",
		"SELECT name FROM person WHERE EXISTS (SELECT 1 FROM other.person WHERE line = 'x')":       "`t_9` as `person`",
	} {
		run, err := runOf(t, c, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if described := run.Answer.Describe.String(); !strings.Contains(described, want) {
			t.Errorf("%s: %s", text, described)
		}
	}
	inner := "SELECT name FROM person WHERE EXISTS (SELECT 1 FROM other.person WHERE test.person.id = other.person.id)"
	run, err := runOf(t, c, inner)
	if err != nil {
		t.Fatal(err)
	}
	if read := recipe.OuterOf(run.Tree.Root.(*recipe.Block).Steps[0].(*recipe.Attach).Subqueries[0].Of); len(read) != 1 {
		t.Errorf("%s: the subquery reads %d columns of the row around it", inner, len(read))
	}
	if run, err := runOf(t, c, "SELECT person.id FROM person, other.person"); err != nil || run.Tree != nil {
		t.Errorf("a name of two columns is not left to the server: %v", err)
	}
}
