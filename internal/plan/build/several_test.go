package build

import (
	"errors"
	"strings"
	"testing"

	"tunic/internal/plan/plantest"
	"tunic/internal/sqlerr"
)

// TestVariablesOfTargets: a user variable that a statement over several tables would write
// into a plain column is one that the server gets as it is, so that one with a value of a
// protected column is refused; in a protected column it is not.
func TestVariablesOfTargets(t *testing.T) {
	c := plantest.Tables(t)
	for text, want := range map[string]bool{
		"UPDATE person p JOIN sbtest1 s ON s.id = p.id SET p.town = @v":            true,
		"UPDATE person p JOIN sbtest1 s ON s.id = p.id SET p.town = CONCAT(@v, 1)": true,
		"UPDATE person p JOIN sbtest1 s ON s.id = p.id SET p.note = @v":            false,
		"UPDATE person p JOIN sbtest1 s ON s.k = p.age SET p.note = CONCAT(@v, 1)": false,
		"SELECT name FROM person WHERE (name, age) IN ((@v, 1), ('x', 2))":         false,
		"SELECT name FROM person WHERE (town, age) IN ((@v, 1), ('x', 2))":         true,
	} {
		run, err := buildText(c, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if sent := run.SentVariables(); len(sent) > 0 != want {
			t.Errorf("%s: %v are sent, want %v", text, sent, want)
		}
	}
	if _, err := buildText(c, "UPDATE person p JOIN town t ON t.name = p.town SET p.town = CONCAT(t.zip, @v)"); err == nil {
		t.Error("a variable in what is computed for a plain column is not refused")
	}
}

// TestWellFormedConstants: what is described has texts that MySQL takes for a UUID and a
// document, as it computes constants when it prepares a statement, and none of the client's.
func TestWellFormedConstants(t *testing.T) {
	c := plantest.Tables(t)
	for _, text := range []string{
		"UPDATE person p JOIN sbtest1 s ON s.id = p.id SET p.age = 1 WHERE p.town = %s",
		"INSERT INTO person (id, name) SELECT id, name FROM person WHERE town = %s",
		"SELECT p.name FROM person p JOIN sbtest1 s ON s.id = p.id WHERE p.town = %s",
	} {
		for given, want := range map[string]string{
			"UUID_TO_BIN('6ccd780c-baba-1026-9564-5b8c656024db')":    "UUID_TO_BIN('00000000-0000-0000-0000-000000000000')",
			"BIN_TO_UUID(x'6ccd780cbaba102695645b8c656024db', TRUE)": "BIN_TO_UUID('0000000000000000', ",
			"CAST('[7]' AS JSON)":  "cast('{}' as json)",
			"CONVERT('[7]', JSON)": "json)",
		} {
			run, err := buildFor(c, strings.Replace(text, "%s", given, 1), 0)
			if err != nil {
				t.Errorf("%s of %s: %v", text, given, err)
				continue
			}
			described := run.Answer.Describe.String()
			if !strings.Contains(strings.ToLower(described), strings.ToLower(want)) || strings.Contains(described, "7") {
				t.Errorf("%s of %s is described as %s", text, given, described)
			}
		}
	}
}

// TestReadAgain: a statement that reads a table that it writes is planned where all of that is
// read before the first row is written; where it hangs on the server's plan it is refused, and
// what MySQL has an error for has that.
func TestReadAgain(t *testing.T) {
	c := plantest.Tables(t)
	const planned, refused, wrong = "planned", "refused", "1093"
	for text, want := range map[string]string{
		"UPDATE person p JOIN (SELECT id FROM person WHERE age = 2) q USING (id) SET p.age = 9":                                             planned,
		"DELETE p FROM person p JOIN (SELECT id FROM person WHERE age = 2) q USING (id)":                                                    planned,
		"WITH q AS (SELECT id FROM person) UPDATE person SET age = 1 WHERE id IN (SELECT id FROM q)":                                        planned,
		"UPDATE person SET age = (SELECT MAX(a) FROM (SELECT age AS a FROM person) q), note = 'x'":                                          planned,
		"UPDATE person SET age = 1 WHERE id IN (SELECT id FROM (SELECT id FROM person) q) AND age > 3":                                      planned,
		"UPDATE person SET age = 1 WHERE id = (SELECT MAX(id) FROM (SELECT id FROM person) q)":                                              planned,
		"DELETE FROM person WHERE EXISTS (SELECT 1 FROM (SELECT id FROM person) q WHERE id = 7)":                                            planned,
		"UPDATE person SET age = (SELECT MAX(a) FROM (SELECT age AS a FROM person) q) + 1":                                                  refused,
		"UPDATE person SET age = (SELECT MAX(a) FROM (SELECT age AS a FROM person) q WHERE a < person.id)":                                  refused,
		"UPDATE person p JOIN sbtest1 s ON s.id = p.id SET p.age = (SELECT MAX(a) FROM (SELECT age AS a FROM person) q), s.k = 1":           refused,
		"UPDATE person p LEFT JOIN (SELECT id FROM person) q USING (id) SET p.age = 9":                                                      refused,
		"UPDATE person SET age = 1 WHERE age = 3 OR id IN (SELECT id FROM (SELECT id FROM person) q)":                                       refused,
		"UPDATE person SET age = 1 WHERE id NOT IN (SELECT id FROM (SELECT id FROM person) q)":                                              refused,
		"UPDATE person SET age = 1 WHERE id IN (SELECT 1 UNION ALL SELECT id FROM (SELECT id FROM person) q)":                               refused,
		"UPDATE person SET age = 1 WHERE id IN (SELECT s.id FROM sbtest1 s LEFT JOIN (SELECT id FROM person) q ON q.id = s.id)":             refused,
		"UPDATE person SET age = 1 WHERE id IN (SELECT s.id FROM sbtest1 s WHERE k = 1 OR k IN (SELECT id FROM (SELECT id FROM person) q))": refused,
		"UPDATE person p JOIN sbtest1 s ON s.id IN (SELECT id FROM (SELECT id FROM person) q) SET p.age = 1":                                refused,
		"UPDATE person SET age = (SELECT MAX(age) FROM person q)":                                                                           wrong,
		"UPDATE person SET age = (SELECT MAX(x.age) FROM (SELECT id FROM person) q JOIN person x)":                                          wrong,
		"UPDATE person SET age = 1 WHERE id IN (SELECT id FROM person)":                                                                     wrong,
		"DELETE FROM person WHERE id = (SELECT MAX(id) FROM person q)":                                                                      wrong,
	} {
		run, err := buildFor(c, text, 0)
		got := planned
		if e, ok := errors.AsType[*sqlerr.Error](err); ok && e.Number == 1093 {
			got = wrong
		} else if err != nil {
			got = refused
		}
		if got != want {
			t.Errorf("%s: %s, want %s: %v", text, got, want, err)
		}
		if got == planned && !strings.Contains(run.Answer.Describe.String(), "update ") && !strings.Contains(run.Answer.Describe.String(), "delete ") {
			t.Errorf("%s: MySQL is not asked whether it takes it, but %s", text, run.Answer.Describe)
		}
	}
	for text, want := range map[string]bool{
		"UPDATE person SET age = 1 WHERE id IN (SELECT id FROM (SELECT id FROM person) q)":              true,
		"UPDATE person SET age = 1 WHERE age = 3 OR id IN (SELECT id FROM person q)":                    true,
		"DELETE FROM person WHERE age = 3 OR id IN (SELECT id FROM (SELECT DISTINCT id FROM person) q)": false,
	} {
		if _, err := buildText(c, text); (err == nil) != want {
			t.Errorf("%s on MariaDB: %v", text, err)
		}
	}
}

// TestLateralReadsAgain: a table that is written and read in a table made anew for each row of
// others is refused: whether that is before the first row is written hangs on MySQL's plan.
func TestLateralReadsAgain(t *testing.T) {
	c := plantest.Tables(t)
	for _, text := range []string{
		"UPDATE person SET town = 1 WHERE id IN (SELECT x.id FROM sbtest1 s, LATERAL (SELECT id FROM person WHERE town = s.c LIMIT 3) x)",
		"DELETE FROM person WHERE id IN (SELECT y.id FROM (SELECT x.id FROM sbtest1 s, LATERAL (SELECT id FROM person WHERE town = s.c LIMIT 3) x) y)",
	} {
		if run, err := buildFor(c, text, 0); err == nil {
			t.Errorf("%s: planned as %v", text, run.Remote)
		}
	}
}
