package plan

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// baredAge is the catalog of tables in which the protected column person.age has a plain
// form.
func baredAge(t *testing.T) *catalog.Catalog {
	t.Helper()
	known := tables(t)
	person := *known.Table("test", "person")
	person.Columns = slices.Clone(person.Columns)
	age := &person.Columns[person.Column("age")]
	age.Layers = append(slices.Clone(age.Layers), catalog.Layer{
		Capability: catalog.PlainForm, Scheme: catalog.AsIs, State: catalog.Filling, Nullable: true, Stored: catalog.StoredName("age", catalog.PlainForm),
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

// TestBaredAudit: stored statements that would give a plain form something else than its
// column's value, or something else such a value, or read it. Number 900 stands for the slot
// of the plain form, 901 for that of the sealed one, 902 for that of another column's plain form.
func TestBaredAudit(t *testing.T) {
	table := baredAge(t).Table("test", "person")
	age, name := table.Column("age"), table.Column("name")
	slots := []recipe.Slot{{Column: age, Form: recipe.Bare}, {Column: age, Form: recipe.Sealed}, {Column: name, Form: recipe.Bare}}
	for text, good := range map[string]bool{
		"UPDATE person SET age = 901, `age$bare` = 900":                 true,
		"UPDATE person SET age = NULL, `age$bare` = NULL":               true,
		"INSERT INTO person (id, age, `age$bare`) VALUES (5, 901, 900)": true,
		"INSERT INTO person (age, `age$bare`) VALUES (901, 900)":        true,
		"INSERT INTO person (age, `age$bare`) VALUES (900, 901)":        false,
		"INSERT INTO person (age, `age$bare`) VALUES (901, 901)":        false,
		"INSERT INTO person (age, `age$bare`) VALUES (901, 902)":        false,
		"INSERT INTO person (age, town) VALUES (901, 900)":              false,
		"UPDATE person SET age = 900":                                   false,
		"UPDATE person SET town = 900":                                  false,
		"UPDATE person SET `age$bare` = 901":                            false,
		"UPDATE person SET `age$bare` = 'x'":                            false,
		"UPDATE person SET town = `age$bare`":                           false,
		"UPDATE person SET `age$bare` = 900 WHERE `age$bare` IS NULL":   false,
		"UPDATE person SET age = 901 WHERE town = 900":                  false,
		"SELECT `age$bare` FROM person":                                 false,
		"SELECT COUNT(`age$bare`) FROM person":                          false,
		"SELECT id FROM person WHERE `age$bare` = 900":                  false,
		"SELECT id FROM person ORDER BY `age$bare`":                     false,
		"SELECT MIN(age) FROM person GROUP BY `age$bare`":               false,
		"SELECT id FROM person WHERE `age$eq` = 900":                    false,
	} {
		read, err := sql.Parse([]byte(text), mariadb)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := read[0].Tree()
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		root, ok := withSlots(tree.Root()).(ast.Statement)
		if !ok {
			t.Fatal(text)
		}
		err = audit(root, table)
		if err == nil {
			err = auditBare(root, table, slots, 0)
		}
		if err != nil && !errors.Is(err, errAudit) || (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}
