package plan

import (
	"errors"
	"testing"

	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// TestAudit: stored statements that would tell the server a value, or have it
// compute with ciphertext, whatever rule has made them. A number from 900 on
// stands for a slot.
func TestAudit(t *testing.T) {
	table := tables(t).Table("test", "person")
	for text, good := range map[string]bool{
		"SELECT name, town, id + 1 FROM person WHERE `name$eq` = 900 ORDER BY `age$ord`, town":    true,
		"SELECT COUNT(name), COUNT(DISTINCT `name$eq`) FROM person WHERE note IS NULL":            true,
		"SELECT name FROM person WHERE `age$ord` BETWEEN 900 AND 901 AND `name$eq` IN (902, 903)": true,
		"UPDATE person SET age = IF(`age$eq` <=> 900, age, 901), `age$eq` = 902, town = 'x'":      true,
		"INSERT INTO person (id, name, `name$eq`, town) VALUES (5, 900, 901, UPPER('x'))":         true,
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
		if err := audit(root, table); (err == nil) != good || err != nil && !errors.Is(err, errAudit) {
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
