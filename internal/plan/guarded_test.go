package plan

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sql"
)

// TestSaysToGuarded: a statement to be forwarded has said what columns it names of plain tables
// under a rule, or may give a value by their place.
func TestSaysToGuarded(t *testing.T) {
	rules := &policy.Policy{}
	for _, columns := range []string{"shop.*.ssn", "shop.patient.phone"} {
		rule, err := policy.ParseRule(columns, "sealed")
		if err != nil {
			t.Fatal(err)
		}
		rules.Rules = append(rules.Rules, rule)
	}
	none := catalog.New(false)
	planner := New(Options{Catalog: func() *catalog.Catalog { return none }, Policy: func() *policy.Policy { return rules }})
	for text, want := range map[string]string{
		"INSERT INTO other VALUES (1)":                                                  "",
		"INSERT INTO other (ssn) VALUES (1)":                                            "other",
		"INSERT INTO other SET SSN = 1":                                                 "other",
		"INSERT INTO other (a) VALUES (1) ON DUPLICATE KEY UPDATE ssn = 2":              "other",
		"INSERT INTO away.other (ssn) VALUES (1)":                                       "",
		"REPLACE INTO patient VALUES (1)":                                               "patient",
		"INSERT INTO patient (a) SELECT * FROM patient":                                 "",
		"INSERT INTO patient (phone) SELECT a FROM other":                               "patient",
		"UPDATE other o SET o.a = 1 WHERE o.ssn = 2":                                    "other",
		"UPDATE other o JOIN away.more m SET m.ssn = 1":                                 "",
		"DELETE FROM other WHERE ssn = 2":                                               "other",
		"SELECT * FROM patient":                                                         "",
		"SELECT phone FROM other":                                                       "",
		"SELECT a FROM patient ORDER BY `phone` = 'x'":                                  "patient",
		"SELECT * FROM patient WHERE EXISTS (SELECT * FROM patient)":                    "",
		"SELECT * FROM (SELECT * FROM patient) d (a, b) WHERE b = 'x'":                  "patient",
		"SELECT 'x' IN (SELECT patient.* FROM patient)":                                 "patient",
		"SELECT 'x' IN (SELECT other.* FROM other, patient)":                            "",
		"SELECT 1, 'x' UNION SELECT * FROM patient":                                     "patient",
		"SELECT * FROM patient NATURAL JOIN (SELECT 'x' AS phone) x":                    "patient",
		"SELECT * FROM patient JOIN (SELECT 'x' AS y) x":                                "",
		"SELECT * FROM patient JOIN (SELECT 'x' AS phone) x USING (phone)":              "patient",
		"WITH q AS (SELECT * FROM other WHERE ssn = 'x') SELECT * FROM q":               "other",
		"EXPLAIN SELECT a FROM patient WHERE phone = 'x'":                               "patient",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE other (a, ssn)":                          "other",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE other (a, @b) SET ssn = @b":              "other",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE other":                                   "",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE shop.patient":                            "patient",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE patient (a)":                             "",
		"SELECT 1; INSERT INTO other (ssn) VALUES (1)":                                  "other",
		"UPDATE patient SET a = 1 WHERE b = 'phone'":                                    "",
		"INSERT INTO other (a) VALUES (1) RETURNING ssn = 'x'":                          "other",
		"SET STATEMENT max_statement_time = 1 FOR INSERT INTO patient VALUES (1)":       "patient",
		"SET STATEMENT max_statement_time = 1 FOR UPDATE other SET ssn = 1":             "other",
		"SET STATEMENT max_statement_time = 1 FOR UPDATE other SET a = 1":               "",
		"INSERT INTO other (a) VALUES (1) RETURNING (SELECT phone FROM patient)":        "patient",
		"INSERT INTO other (a) VALUES (1) RETURNING (SELECT a FROM patient)":            "",
		"INSERT INTO patient WITH patient AS (SELECT 1) SELECT * FROM patient":          "patient",
		"WITH patient AS (SELECT a FROM patient WHERE phone = 1) SELECT * FROM patient": "patient",
		"WITH patient AS (SELECT 1 AS phone) SELECT * FROM patient WHERE phone = 1":     "",
		"USE away; INSERT INTO patient VALUES (1)":                                      "",
		"USE away; USE shop; INSERT INTO patient VALUES (1)":                            "patient",
		"SELECT * FROM patient p JOIN away.more m ON p.id = m.id WHERE m.ssn = 1":       "",
	} {
		p := planner.Plan(new(sql.Fingerprinter), []byte(text), sql.MariaDB, "shop")
		got := ""
		for _, name := range forwarded(p).Guarded {
			got += name.Table
		}
		if !Is[*Forward](p) || got != want {
			t.Errorf("%s: %v, of %q; want %q", text, p.ActionName(), got, want)
		}
	}
}

// TestWording: of what a plan has not all tables of it has the words, and whether a value may come without a column's name.
func TestWording(t *testing.T) {
	none := catalog.New(false)
	planner := New(Options{Catalog: func() *catalog.Catalog { return none }})
	oracle := sql.MariaDB.WithSQLMode("ORACLE")
	for _, c := range []struct {
		text    string
		modes   sql.Modes
		words   string
		unnamed bool
	}{
		{"INSERT INTO w (c) SELECT 1 FROM dual LIMIT ROWS EXAMINED 5", sql.MariaDB, "w c", false},
		{"INSERT INTO w SELECT 1 FROM dual LIMIT ROWS EXAMINED 5", sql.MariaDB, "w", true},
		{"UPDATE w SET c = CAST('x' AS YEAR)", 0, "w c", false},
		{"SELECT * FROM w WHERE c = 'x' FOR UPDATE WAIT 50", sql.MariaDB, "w c", false},
		{"SELECT 1; USE away; SELECT * FROM w WHERE c = 'x' FOR UPDATE WAIT 50", sql.MariaDB, "w c away", false},
		{"EXPLAIN UPDATE w SET c = CAST('x' AS YEAR)", 0, "w c", false},
		{"EXPLAIN FORMAT='json' UPDATE w SET c = 1", 0, "w c", false},
		{"EXPLAIN INTO @v FORMAT=JSON INSERT INTO w VALUES (1)", 0, "w", true},
		{"LOAD XML LOCAL INFILE 'f' INTO TABLE w", 0, "w", true},
		{"LOAD DATA LOCAL INFILE 'f' INTO TABLE w PARTITION (p)", 0, "w", true},
		{"HANDLER w READ i = (1)", 0, "w", true},
		{"ANALYZE TABLE w UPDATE HISTOGRAM ON c USING DATA '{}'", 0, "w c", false},
		{"CREATE TABLE m AS SELECT a FROM u WHERE (1, 2) IN (SELECT * FROM w) LIMIT ROWS EXAMINED 5", sql.MariaDB, "w", true},
		{"CREATE VIEW v AS SELECT a FROM w WHERE c = 1 LIMIT ROWS EXAMINED 5", sql.MariaDB, "w c", false},
		{"CREATE PROCEDURE p() INSERT INTO w VALUES (1)", 0, "w", true},
		{"BEGIN INSERT INTO w VALUES (1); END", oracle, "w", true},
		{"DECLARE v INT; BEGIN UPDATE w SET c = 1; END", oracle, "w c", false},
		{"INSERT INTO \"w\" SELECT 1 FROM dual LIMIT ROWS EXAMINED 5", oracle, "w", true},
		{"INSERT INTO \"w\" (c) VALUES (1)", 0, "w c", true},
		{"FROBNICATE w c = 1", 0, "w c", true},
		{"DO 1 /*!99999 + (SELECT c FROM w) */", sql.Modes(0).WithServer("8.4.0"), "w c", true},
		{"INSERT INTO w (c) VALUES (1)", 0, "", false},
		{"DO 1 /* FROM w */", 0, "", false},
		{"USE away; INSERT INTO w VALUES (1)", 0, "", false},
		{"LOAD DATA LOCAL INFILE 'f' INTO TABLE w (c)", 0, "w c", false},
	} {
		p := planner.Plan(new(sql.Fingerprinter), []byte(c.text), c.modes, "shop")
		got := p.Wording()
		for _, word := range strings.Fields(c.words) {
			if !slices.Contains(got.Words, word) {
				t.Errorf("%s: %q, without %s (%s)", c.text, got.Words, word, p.ActionName())
			}
		}
		if got.Unnamed != c.unnamed || c.words == "" && got.Words != nil {
			t.Errorf("%s: %q, unnamed %t", c.text, got.Words, got.Unnamed)
		}
	}
}
