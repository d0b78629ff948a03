package check

import (
	"errors"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// TestFamilies: what stored statements may do with the form of a family, and that none names a column that is in one.
func TestFamilies(t *testing.T) {
	protected := policy.Protection{Protected: true, Allowed: policy.Equality}
	member := func(name string, layers ...catalog.Layer) catalog.Column {
		return catalog.Column{Name: name, Family: "f$form", Protection: protected, Layers: layers}
	}
	equality := func(name string) catalog.Layer {
		return catalog.Layer{Capability: policy.Equality, State: catalog.Ready, Stored: name + "$eq"}
	}
	table := &catalog.Table{
		Columns: []catalog.Column{
			{Name: "id"}, member("a", equality("a")), member("b", equality("b")),
			{Name: "c", Protection: protected, Layers: []catalog.Layer{equality("c")}},
		},
		Families: []catalog.Family{{Stored: "f$form"}},
	}
	for text, good := range map[string]bool{
		"SELECT `f$form`, id FROM t WHERE `a$eq` = 900":                                       true,
		"SELECT MIN(`f$form`) FROM t GROUP BY `a$eq`":                                         true,
		"SELECT `f$form`, `a$eq`, `b$eq` FROM t":                                              true,
		"UPDATE t SET `f$form` = 900 WHERE id = 1 AND `f$form` <=> 901":                       true,
		"UPDATE t SET `f$form` = IF(`a$eq` <=> 900 AND `b$eq` <=> 901, `f$form`, 902)":        true,
		"INSERT INTO t (id, `a$eq`, `f$form`) VALUES (1, 900, 901)":                           true,
		"SELECT `a$eq` FROM t":                                                                false,
		"SELECT `f$form`, `c$eq` FROM t":                                                      false,
		"SELECT c, `c$eq` FROM t":                                                             false,
		"SELECT MIN(`f$form`), `a$eq` FROM t GROUP BY `a$eq`":                                 false,
		"SELECT `f$form`, MIN(`a$eq`) FROM t":                                                 false,
		"UPDATE t SET `f$form` = IF(`a$eq` <=> 900, `f$form`, 902)":                           false,
		"UPDATE t SET `f$form` = IF(`a$eq` <=> 900 AND `c$eq` <=> 901, `f$form`, 902)":        false,
		"UPDATE t SET `f$form` = IF(`a$eq` = 900 AND `b$eq` = 901, `f$form`, 902)":            false,
		"UPDATE t SET `f$form` = IF(`a$eq` <=> 900 OR `b$eq` <=> 901, `f$form`, 902)":         false,
		"UPDATE t SET c = IF(`a$eq` <=> 900, c, 901)":                                         false,
		"UPDATE t SET `f$form` = NULL":                                                        false,
		"UPDATE t SET a = 900":                                                                false,
		"UPDATE t SET id = a":                                                                 false,
		"SELECT a FROM t":                                                                     false,
		"SELECT MIN(a) FROM t GROUP BY `a$eq`":                                                false,
		"SELECT COUNT(a) FROM t":                                                              false,
		"SELECT COUNT(`f$form`) FROM t":                                                       false,
		"SELECT id FROM t WHERE a IS NULL":                                                    false,
		"SELECT id FROM t WHERE `f$form` IS NULL":                                             false,
		"SELECT id FROM t WHERE a = 900":                                                      false,
		"SELECT id FROM t WHERE a <=> 900":                                                    false,
		"SELECT id FROM t ORDER BY a":                                                         false,
		"SELECT id FROM t GROUP BY a":                                                         false,
		"SELECT LENGTH(`f$form`) FROM t":                                                      false,
		"INSERT INTO t (id, a) VALUES (1, 900)":                                               false,
		"INSERT INTO t (id, `f$form`) VALUES (1, 'x')":                                        false,
		"INSERT INTO t (id, `f$form`) VALUES (1, 900) ON DUPLICATE KEY UPDATE `f$form` = 901": false,
	} {
		root := withSlotsOf(t, text)
		if err := Statement(root, table); (err == nil) != good || err != nil && !errors.Is(err, errAudit) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, good := range map[string]bool{
		"SELECT x.`f$form`, x.`a$eq`, y.`f$form` FROM t AS x JOIN t AS y": true,
		"SELECT x.`f$form`, y.`a$eq` FROM t AS x JOIN t AS y":             false,
	} {
		err := Joined(withSlotsOf(t, text), []Named{{table, "x"}, {table, "y"}})
		if (err == nil) != good || err != nil && !errors.Is(err, errAudit) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
