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

// backfillingRow is the catalog of tables in which the plain columns person.town and person.zip are about to come into a family.
func backfillingRow(t *testing.T) *catalog.Catalog {
	t.Helper()
	known := copiedTown(t)
	person := *known.Table("test", "person")
	person.Columns = slices.Clone(person.Columns)
	town := &person.Columns[len(person.Columns)-1]
	zip, copied := person.Columns[person.Column("town")], *town
	zip.ID, zip.Name = catalog.ID{0xed}, "zip"
	copied.ID, copied.Domain, copied.Name, copied.Shadows = catalog.ID{0xef}, catalog.ID{0xef}, "zip$copy", "zip"
	town.Family, copied.Family = "0$form$copy", "0$form$copy"
	person.Families = []catalog.Family{{ID: catalog.ID{0xf0}, Stored: "0$form$copy", Takes: "row$form", Layouts: []catalog.Layout{{Number: 1, Written: []byte{1}}}, Bytes: 100}}
	person.Columns = append(slices.Insert(person.Columns, len(person.Columns)-1, zip), copied)
	if err := person.Check(); err != nil {
		t.Fatal(err)
	}
	return known.Next(3, nil, []*catalog.Table{&person})
}

// TestBackfillingFamily: whatever writes a plain column that comes into a family writes the family's form whole, and nothing reads it; what
// a statement does not set of it is read from the plain columns.
func TestBackfillingFamily(t *testing.T) {
	c := backfillingRow(t)
	for text, there := range map[string]bool{
		"SELECT * FROM person": false,
		"SELECT name FROM person WHERE town = 'x' ORDER BY town":                             false,
		"INSERT INTO person (name, town) VALUES ('a', 't')":                                  true,
		"INSERT INTO person (name) VALUES ('a')":                                             true,
		"INSERT INTO person () VALUES ()":                                                    true,
		"INSERT INTO person SET town = 't'":                                                  true,
		"INSERT IGNORE INTO person (name, zip) VALUES ('a', 1), ('b', 2)":                    true,
		"REPLACE INTO person VALUES (1, 'a', 5, 'n', 't', 'z')":                              true,
		"INSERT INTO person (name) SELECT town FROM person":                                  true,
		"INSERT INTO person (zip) SELECT town FROM person":                                   true,
		"INSERT INTO person (name) VALUES ('a') ON DUPLICATE KEY UPDATE town = 't'":          true,
		"UPDATE person SET town = 't' WHERE id = 1":                                          true,
		"UPDATE person SET town = 't', zip = 'z' WHERE id = 1":                               true,
		"UPDATE person SET zip = CONCAT(town, 't')":                                          true,
		"UPDATE person SET age = 6 WHERE id = 1":                                             false,
		"DELETE FROM person WHERE town = 't'":                                                false,
		"UPDATE person a JOIN person b ON a.id = b.age SET a.town = 't' WHERE b.id = 1":      true,
		"UPDATE person SET town = 't' WHERE id = (SELECT MIN(id) FROM person WHERE age = 1)": true,
	} {
		run := planned(c, text)
		if !strings.Contains(run, "remote") {
			t.Errorf("%s is not planned: %s", text, run)
		}
		if strings.Contains(run, "0$form$copy") != there {
			t.Errorf("%s: the form is %v, in\n%s", text, !there, run)
		}
		if strings.Contains(text, "UPDATE person SET town = 't' WHERE id = 1") && !strings.Contains(run, "`zip`") {
			t.Errorf("%s does not read the other member, in\n%s", text, run)
		}
		if strings.Contains(run, "`zip$copy`") || strings.Contains(run, "`tunic$town`") {
			t.Errorf("%s names a member's column, which the server has not yet, in\n%s", text, run)
		}
	}
}

// movingNote is the catalog of tables in which the protected columns person.age and person.note are about to come into a family.
func movingNote(t *testing.T) *catalog.Catalog {
	t.Helper()
	known := plantest.Tables(t)
	person := *known.Table("test", "person")
	person.Columns = slices.Clone(person.Columns)
	for _, name := range []string{"age", "note"} {
		c := person.Columns[person.Column(name)]
		c.Shadows, c.Name, c.Layers, c.Backfilling, c.Invisible, c.Family = c.Name, c.Name+"$copy", nil, true, true, "0$form$copy"
		c.Default = catalog.Default{Kind: catalog.DefaultNull}
		person.Columns = append(person.Columns, c)
	}
	person.Families = []catalog.Family{{ID: catalog.ID{0xf0}, Stored: "0$form$copy", Takes: "row$form", Layouts: []catalog.Layout{{Number: 1, Written: []byte{1}}}, Bytes: 100}}
	if err := person.Check(); err != nil {
		t.Fatal(err)
	}
	return known.Next(2, nil, []*catalog.Table{&person})
}

// TestMoving: whatever writes a protected column that comes into a family writes both forms, and what is read is the one that was there.
func TestMoving(t *testing.T) {
	c := movingNote(t)
	for text, there := range map[string]bool{
		"SELECT age, note FROM person WHERE age > 1 ORDER BY age":                       false,
		"INSERT INTO person (name) VALUES ('a')":                                        true,
		"INSERT INTO person (name, note) SELECT name, note FROM person":                 true,
		"INSERT INTO person (name) VALUES ('a') ON DUPLICATE KEY UPDATE note = 't'":     true,
		"REPLACE INTO person VALUES (1, 'a', 5, 'n', 't')":                              true,
		"UPDATE person SET note = 't' WHERE id = 1":                                     true,
		"UPDATE person SET note = 't', age = 1 WHERE id = 1":                            true,
		"UPDATE person SET name = 'a' WHERE id = 1":                                     false,
		"UPDATE person a JOIN person b ON a.id = b.age SET a.note = 't' WHERE b.id = 1": true,
		"DELETE FROM person WHERE age = 1":                                              false,
	} {
		run := planned(c, text)
		if !strings.Contains(run, "remote") {
			t.Errorf("%s is not planned: %s", text, run)
		}
		if strings.Contains(run, "0$form$copy") != there || strings.Contains(run, "`note$copy`") {
			t.Errorf("%s: the form is not %v, in\n%s", text, there, run)
		}
	}
}
