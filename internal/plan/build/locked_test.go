package build

import (
	"testing"

	"tunic/internal/plan/plantest"
)

// TestLocked: a statement is of one row, and may lock it so that nothing of it has to be read again, if its WHERE says what the row's key
// is, and nothing else; an UPDATE leaves all other rows alone if it sets no column of a key.
func TestLocked(t *testing.T) {
	c := plantest.Tables(t)
	for text, want := range map[string]string{
		"SELECT name FROM person WHERE id = 1 FOR UPDATE":                        "locks",
		"SELECT name FROM person WHERE 1 = id FOR UPDATE NOWAIT":                 "locks",
		"SELECT CONCAT(name, 'x') FROM person WHERE id = 1 FOR UPDATE":           "locks",
		"SELECT name FROM person WHERE id = 1 LIMIT 1 FOR UPDATE SKIP LOCKED":    "locks",
		"SELECT name FROM person WHERE id = 1":                                   "one",
		"SELECT name FROM person WHERE id = 1 FOR SHARE":                         "one",
		"SELECT name FROM person WHERE id = 1 LOCK IN SHARE MODE":                "one",
		"SELECT name FROM person WHERE id >= 1 FOR UPDATE":                       "",
		"SELECT name FROM person WHERE id <=> 1 FOR UPDATE":                      "",
		"SELECT name FROM person WHERE id IN (1) FOR UPDATE":                     "",
		"SELECT name FROM person WHERE id = -1 FOR UPDATE":                       "",
		"SELECT name FROM person WHERE id = 1 + 0 FOR UPDATE":                    "",
		"SELECT name FROM person WHERE id = 1 AND id = 2 FOR UPDATE":             "",
		"SELECT name FROM person WHERE id = 1 OR id = 2 FOR UPDATE":              "",
		"SELECT name FROM person WHERE id = 1 AND name = 'x' FOR UPDATE":         "",
		"SELECT name FROM person WHERE id = 1 AND name LIKE 'x%' FOR UPDATE":     "",
		"SELECT name FROM person WHERE name = 'x' FOR UPDATE":                    "",
		"SELECT name FROM person FOR UPDATE":                                     "",
		"SELECT MAX(name) FROM person WHERE id = 1 FOR UPDATE":                   "",
		"SELECT name FROM person WHERE id = 1 GROUP BY name FOR UPDATE":          "",
		"SELECT DISTINCT name FROM person WHERE id = 1 FOR UPDATE":               "",
		"UPDATE person SET note = CONCAT(note, 'x') WHERE id = 1":                "locks alone",
		"UPDATE person SET note = 'x' WHERE id = 1":                              "locks alone",
		"UPDATE person SET note = CONCAT(note, 'x') WHERE id = 1 LIMIT 1":        "",
		"UPDATE person SET note = CONCAT(note, 'x') WHERE id = 1 ORDER BY id":    "",
		"UPDATE IGNORE person SET note = CONCAT(note, 'x') WHERE id = 1":         "",
		"UPDATE person SET note = CONCAT(note, 'x') WHERE id = 1 AND town = 'y'": "",
		"UPDATE person SET id = 2, note = CONCAT(note, 'x') WHERE id = 1":        "locks",
		"DELETE FROM person WHERE id = 1":                                        "",
	} {
		run, err := buildText(c, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := ""
		switch {
		case run.Locks:
			got = "locks"
		case run.Key != nil:
			got = "one"
		}
		if run.Alone {
			got += " alone"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
