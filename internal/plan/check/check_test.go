package check

import (
	"errors"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// TestAudit: stored statements that would tell the server a value, or have it
// compute with ciphertext, whatever rule has made them. A number from 900 on
// stands for a slot.
func TestAudit(t *testing.T) {
	table := audited()
	for text, good := range map[string]bool{
		"SELECT name, town, id + 1 FROM person WHERE `name$eq` = 900 ORDER BY `age$ord`, town":                    true,
		"SELECT COUNT(name), COUNT(DISTINCT `name$eq`) FROM person WHERE note IS NULL":                            true,
		"SELECT name FROM person WHERE `age$ord` BETWEEN 900 AND 901 AND `name$eq` IN (902, 903)":                 true,
		"UPDATE person SET age = IF(`age$eq` <=> 900, age, 901), `age$eq` = 902, town = 'x'":                      true,
		"INSERT INTO person (id, name, `name$eq`, town) VALUES (5, 900, 901, UPPER('x'))":                         true,
		"SELECT id FROM person WHERE `name$eq` < 900":                                                             false,
		"SELECT id FROM person WHERE `name$eq` >= 900":                                                            false,
		"SELECT id FROM person WHERE `name$eq` BETWEEN 900 AND 901":                                               false,
		"SELECT id FROM person WHERE `name$eq` <> 900":                                                            true,
		"SELECT id FROM person WHERE `age$ord` < 900":                                                             true,
		"SELECT id FROM person ORDER BY `name$eq`":                                                                false,
		"SELECT UPPER(name) FROM person":                                                                          false,
		"SELECT SUM(age) FROM person":                                                                             false,
		"SELECT COUNT(DISTINCT name) FROM person":                                                                 false,
		"SELECT `name$eq` FROM person":                                                                            false,
		"SELECT id FROM person WHERE name = 900":                                                                  false,
		"SELECT id FROM person WHERE name = 'x'":                                                                  false,
		"SELECT id FROM person WHERE `name$eq` = 'x'":                                                             false,
		"SELECT id FROM person WHERE 'x' = `name$eq`":                                                             false,
		"SELECT id FROM person WHERE `name$eq` IN (900, 'x')":                                                     false,
		"SELECT id FROM person WHERE `age$ord` BETWEEN 900 AND 7":                                                 false,
		"SELECT id FROM person WHERE `age$ord` + 1 > 900":                                                         false,
		"SELECT id FROM person WHERE note IS TRUE":                                                                false,
		"SELECT id FROM person WHERE note LIKE 'x%'":                                                              false,
		"SELECT id FROM person ORDER BY name":                                                                     false,
		"SELECT town FROM person GROUP BY `name$eq`":                                                              true,
		"SELECT MIN(age), COUNT(*) FROM person GROUP BY `age$eq`, town":                                           true,
		"SELECT MIN(age) + 1 FROM person GROUP BY `age$eq`":                                                       false,
		"SELECT MAX(age) FROM person GROUP BY `age$eq`":                                                           false,
		"SELECT town FROM person GROUP BY name":                                                                   false,
		"SELECT town FROM person GROUP BY `name$eq` + 1":                                                          false,
		"SELECT COUNT(*) FROM person HAVING MIN(name) > 'x'":                                                      false,
		"UPDATE person SET name = 'x'":                                                                            false,
		"UPDATE person SET name = town":                                                                           false,
		"UPDATE person SET town = name":                                                                           false,
		"UPDATE person SET `age$eq` = 5":                                                                          false,
		"UPDATE person SET age = IF(`age$eq` <=> 900, note, 901)":                                                 false,
		"UPDATE person SET age = IF(`age$eq` <=> 900, age, 5)":                                                    false,
		"UPDATE person SET age = IF(town <=> 900, age, 901)":                                                      false,
		"INSERT INTO person (id, name) VALUES (5, 'x')":                                                           false,
		"INSERT INTO person (id, name) VALUES (5, 900), (6, 'x')":                                                 false,
		"INSERT INTO person (town) VALUES (name)":                                                                 false,
		"INSERT INTO person (town) VALUES (900)":                                                                  false,
		"INSERT INTO person (id, name) SELECT id, name FROM person":                                               false,
		"INSERT INTO person (id, name) VALUES (5, 900) ON DUPLICATE KEY UPDATE name = 'x'":                        false,
		"INSERT INTO person (id, name) VALUES (5, 900) ON DUPLICATE KEY UPDATE town = CONCAT(town, VALUES(town))": true,
		"INSERT INTO person (id, name) VALUES (5, 900) ON DUPLICATE KEY UPDATE town = name":                       false,
		"INSERT INTO person (id, name) VALUES (5, 900) ON DUPLICATE KEY UPDATE town = VALUES(name)":               false,
		"INSERT INTO person (id, name) VALUES (5, 900) ON DUPLICATE KEY UPDATE name = 901":                        false,
		"INSERT INTO person (id, name) VALUES (5, 900) ON DUPLICATE KEY UPDATE town = (SELECT 1)":                 false,
	} {
		root := withSlotsOf(t, text)
		if err := Statement(root, table); (err == nil) != good || err != nil && !errors.Is(err, errAudit) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// withSlots puts slots where numbers from 900 on are.
func withSlots(root ast.Node) ast.Node {
	return ast.Rewrite(root, func(c *ast.Cursor) bool {
		if l, ok := c.Node().(*ast.Literal); ok && l.Type == ast.IntVal && len(l.Val) == 3 && l.Val[0] == '9' {
			c.Replace(sql.Slot(int(l.Val[2]-'0'), nil))
		}
		return true
	}, nil)
}

// TestJoined: tables that are joined are joined by what is plain, and by tokens.
func TestJoined(t *testing.T) {
	p, q := audited(), audited()
	for text, good := range map[string]bool{
		"SELECT p.name, q.town FROM person p JOIN person q ON p.id = q.id WHERE p.`name$eq` = 900": true,
		"SELECT p.name FROM person p JOIN person q ON p.`name$eq` = q.`name$eq`":                   true,
		"SELECT p.name FROM person p JOIN person q ON p.name = q.name":                             false,
		"SELECT p.name FROM person p JOIN person q ON p.id = q.id WHERE p.`age$ord` < 900":         true,
		"SELECT p.name FROM person p JOIN person q ON p.id = q.id WHERE p.`name$eq` < 900":         false,
		"SELECT p.name FROM person p JOIN person q ON p.`name$eq` = q.town":                        false,
		"SELECT p.name FROM person p JOIN person q ON p.`name$eq` = q.`name$eq` + 1":               false,
		"SELECT p.`name$eq` FROM person p JOIN person q ON p.id = q.id":                            false,
		"SELECT town FROM person p JOIN person q ON p.id = q.id":                                   true, // a sealed form may be read
		"SELECT UPPER(town) FROM person p JOIN person q ON p.id = q.id":                            false,
		"UPDATE person p JOIN person q ON p.id = q.id SET p.name = NULL, p.`name$eq` = NULL":       true,
		"UPDATE person p JOIN person q ON p.id = q.id SET p.name = q.town":                         false,
	} {
		err := Joined(withSlotsOf(t, text), []Named{{p, "p"}, {q, "q"}})
		if (err == nil) != good || err != nil && !errors.Is(err, errAudit) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestSemijoinAudit: rows are left out by what is plain, and by tokens. First rows may be in the order of any tokens, and nothing else.
func TestSemijoinAudit(t *testing.T) {
	p, q := audited(), audited()
	for text, good := range map[string]bool{
		"SELECT p.name FROM person p WHERE p.`name$eq` IN (SELECT q.`name$eq` FROM person q WHERE q.`age$ord` < 900)":                                  true,
		"SELECT p.name FROM person p WHERE (p.id, p.`name$eq`) IN (SELECT q.id, q.`name$eq` FROM person q)":                                            true,
		"SELECT p.name FROM person p WHERE p.`name$eq` IN (SELECT q.`name$eq` FROM (SELECT q.`name$eq` FROM person q ORDER BY q.`name$eq` LIMIT 2) q)": true,
		"SELECT p.name FROM person p ORDER BY p.`age$ord`, p.`name$eq` LIMIT 2":                                                                        true,
		"SELECT p.name FROM person p WHERE p.`name$eq` NOT IN (SELECT q.`name$eq` FROM person q)":                                                      false,
		"SELECT p.name FROM person p WHERE p.name IN (SELECT q.name FROM person q)":                                                                    false,
		"SELECT p.name FROM person p WHERE p.id IN (SELECT q.`name$eq` FROM person q)":                                                                 false,
		"SELECT p.name FROM person p WHERE p.`name$eq` IN (SELECT q.`name$eq` FROM person q WHERE q.`name$eq` < 900)":                                  false,
		"SELECT p.name FROM person p WHERE p.`name$eq` IN (SELECT q.`name$eq` FROM person q WHERE q.name = 'x')":                                       false,
		"SELECT p.name FROM person p WHERE p.`name$eq` IN (SELECT q.`name$eq` FROM person q ORDER BY q.id LIMIT 2)":                                    false,
		"SELECT p.name FROM person p WHERE p.id IN (SELECT q.id FROM (SELECT q.`name$eq` AS id FROM person q LIMIT 2) q)":                              false,
		"SELECT p.name FROM person p WHERE p.`name$eq` IN (SELECT q.`name$eq` FROM (SELECT q.`name$eq` FROM person q ORDER BY q.name LIMIT 2) q)":      false,
		"SELECT p.name FROM person p WHERE p.`name$eq` IN (SELECT q.`name$eq` FROM (SELECT q.`name$eq`, q.name FROM person q LIMIT 2) q)":              false,
		"SELECT p.name FROM person p ORDER BY p.`name$eq`":                                                                                             false,
		"SELECT p.name FROM person p ORDER BY p.`name$eq`, p.town LIMIT 2":                                                                             false,
		"SELECT GROUP_CONCAT(p.id ORDER BY p.`name$eq`) FROM person p LIMIT 2":                                                                         false,
		"SELECT ROW_NUMBER() OVER (ORDER BY p.`name$eq`) FROM person p LIMIT 2":                                                                        false,
	} {
		err := Joined(withSlotsOf(t, text), []Named{{p, "p"}, {q, "q"}})
		if (err == nil) != good || err != nil && !errors.Is(err, errAudit) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestBaredAudit: stored statements that would give a plain form something else than its
// column's value, or something else such a value, or read it. Number 900 stands for the slot
// of the plain form, 901 for that of the sealed one, 902 for that of another column's plain form.
func TestBaredAudit(t *testing.T) {
	table := audited()
	bared := &table.Columns[2]
	bared.Layers = append(bared.Layers, catalog.Layer{Capability: catalog.PlainForm, Scheme: catalog.AsIs, Stored: catalog.StoredName("age", catalog.PlainForm)})
	const age, name = 2, 1
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
		root := withSlotsOf(t, text)
		err := Statement(root, table)
		if err == nil {
			err = Bare(root, table, slots, 0)
		}
		if err != nil && !errors.Is(err, errAudit) || (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// audited is a table with a protected column that has both layers, one that has none, and a plain one.
func audited() *catalog.Table {
	column := func(name string, layers ...policy.Capabilities) catalog.Column {
		c := catalog.Column{Name: name, Protection: policy.Protection{Protected: true}}
		for _, l := range layers {
			c.Layers = append(c.Layers, catalog.Layer{Capability: l, State: catalog.Ready, Stored: catalog.StoredName(name, l)})
		}
		return c
	}
	return &catalog.Table{Schema: "test", Name: "person", Columns: []catalog.Column{
		{Name: "id"}, column("name", policy.Equality, policy.Order), column("age", policy.Equality, policy.Order), column("note"), {Name: "town"},
	}}
}

// withSlotsOf is the tree of a text, with slots where numbers from 900 on are.
func withSlotsOf(t *testing.T, text string) ast.Statement {
	t.Helper()
	read, err := sql.Parse([]byte(text), sql.Modes(0).WithServer("10.11.6-MariaDB"))
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
	return root
}

// TestOtherCapability: rows are not found, grouped or counted by a layer of a capability that is not known to hold
// equal tokens for equal values.
func TestOtherCapability(t *testing.T) {
	table := audited()
	table.Columns[1].Layers[0].Capability = policy.Capabilities(1 << 5)
	for text, good := range map[string]bool{
		"INSERT INTO person (id, name, `name$eq`) VALUES (5, 900, 901)": true,
		"SELECT id FROM person WHERE `name$eq` = 900":                   false,
		"SELECT COUNT(DISTINCT `name$eq`) FROM person":                  false,
		"SELECT town FROM person GROUP BY `name$eq`":                    false,
	} {
		if err := Statement(withSlotsOf(t, text), table); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
	err := Joined(withSlotsOf(t, "SELECT p.town FROM person p JOIN person q ON p.`name$eq` = q.`name$eq`"), []Named{{table, "p"}, {table, "q"}})
	if !errors.Is(err, errAudit) {
		t.Errorf("joined: %v", err)
	}
}
