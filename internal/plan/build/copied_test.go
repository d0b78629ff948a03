package build

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
)

// copiedTown is the catalog of tables in which the plain column person.town has a copy.
func copiedTown(t *testing.T) *catalog.Catalog {
	t.Helper()
	known := plantest.Tables(t)
	person := *known.Table("test", "person")
	person.Columns = slices.Clone(person.Columns)
	town := &person.Columns[person.Column("town")]
	c := person.Columns[person.Column("note")] // a sealed one
	c.ID, c.Domain, c.Name = catalog.ID{0xee}, catalog.ID{0xee}, "tunic$town"
	c.TypeText, c.CollationName, c.Type = town.TypeText, town.CollationName, town.Type
	c.Backfilling, c.Invisible, c.Shadows, c.Default = true, true, "town", catalog.Default{Kind: catalog.DefaultNull}
	person.Columns = append(person.Columns, c)
	if err := person.Check(); err != nil {
		t.Fatal(err)
	}
	return known.Next(2, nil, []*catalog.Table{&person})
}

// TestCopied: whatever writes a plain column that is copied writes the copy, and nothing
// reads it.
func TestCopied(t *testing.T) {
	c := copiedTown(t)
	for text, there := range map[string]bool{
		"SELECT * FROM person": false,
		"SELECT name FROM person WHERE town = 'x' ORDER BY town":                        false,
		"INSERT INTO person (name, town) VALUES ('a', 't')":                             true,
		"INSERT INTO person (name) VALUES ('a')":                                        false,
		"REPLACE INTO person VALUES (1, 'a', 5, 'n', 't')":                              true,
		"INSERT INTO person (name) SELECT town FROM person":                             false,
		"INSERT INTO person (town) SELECT town FROM person":                             true,
		"INSERT INTO person (name) VALUES ('a') ON DUPLICATE KEY UPDATE town = 't'":     true,
		"UPDATE person SET town = 't' WHERE id = 1":                                     true,
		"UPDATE person SET town = CONCAT(town, 't')":                                    true,
		"UPDATE person SET age = 6 WHERE id = 1":                                        false,
		"DELETE FROM person WHERE town = 't'":                                           false,
		"UPDATE person a JOIN person b ON a.id = b.age SET a.town = 't' WHERE b.id = 1": true,
	} {
		run := planned(c, text)
		if !strings.Contains(run, "remote") {
			t.Errorf("%s is not planned: %s", text, run)
		}
		if strings.Contains(run, "tunic$town") != there {
			t.Errorf("%s: the copy is %v, in\n%s", text, !there, run)
		}
	}
}

// TestCopiedFlows: until the copy has taken its place, the column is a plain one, into
// which no value of a protected one goes.
func TestCopiedFlows(t *testing.T) {
	c := copiedTown(t)
	for _, text := range []string{
		"INSERT INTO person (town) SELECT name FROM person",
		"INSERT INTO person (town) VALUES ((SELECT name FROM person LIMIT 1))",
		"UPDATE person SET town = name",
		"UPDATE person a JOIN person b ON a.id = b.id SET a.town = b.name",
		"INSERT INTO person (name, town) VALUES ('a', 'b') ON DUPLICATE KEY UPDATE town = name",
	} {
		if run := planned(c, text); !strings.HasPrefix(run, "beyond: ") && !strings.HasPrefix(run, "error: ") {
			t.Errorf("%s is carried out:\n%s", text, run)
		}
	}
	if run, err := buildText(c, "INSERT INTO person (town) VALUES (@v)"); err != nil || len(run.SentVariables()) != 1 {
		t.Errorf("the server gets the value of a variable, and it is not told: %v", err)
	}
}
