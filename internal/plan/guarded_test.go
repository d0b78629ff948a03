package plan

import (
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
		"INSERT INTO other VALUES (1)":                                            "",
		"INSERT INTO other (ssn) VALUES (1)":                                      "other",
		"INSERT INTO other SET SSN = 1":                                           "other",
		"INSERT INTO other (a) VALUES (1) ON DUPLICATE KEY UPDATE ssn = 2":        "other",
		"INSERT INTO away.other (ssn) VALUES (1)":                                 "",
		"REPLACE INTO patient VALUES (1)":                                         "patient",
		"INSERT INTO patient (a) SELECT * FROM patient":                           "",
		"INSERT INTO patient (phone) SELECT a FROM other":                         "patient",
		"UPDATE other o SET o.a = 1 WHERE o.ssn = 2":                              "other",
		"UPDATE other o JOIN away.more m SET m.ssn = 1":                           "",
		"DELETE FROM other WHERE ssn = 2":                                         "other",
		"SELECT * FROM patient":                                                   "",
		"SELECT phone FROM other":                                                 "",
		"SELECT a FROM patient ORDER BY `phone` = 'x'":                            "patient",
		"SELECT * FROM patient WHERE EXISTS (SELECT * FROM patient)":              "",
		"SELECT * FROM (SELECT * FROM patient) d (a, b) WHERE b = 'x'":            "patient",
		"SELECT 'x' IN (SELECT patient.* FROM patient)":                           "patient",
		"SELECT 'x' IN (SELECT other.* FROM other, patient)":                      "",
		"SELECT 1, 'x' UNION SELECT * FROM patient":                               "patient",
		"SELECT * FROM patient NATURAL JOIN (SELECT 'x' AS phone) x":              "patient",
		"SELECT * FROM patient JOIN (SELECT 'x' AS y) x":                          "",
		"SELECT * FROM patient JOIN (SELECT 'x' AS phone) x USING (phone)":        "patient",
		"WITH q AS (SELECT * FROM other WHERE ssn = 'x') SELECT * FROM q":         "other",
		"EXPLAIN SELECT a FROM patient WHERE phone = 'x'":                         "patient",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE other (a, ssn)":                    "other",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE other (a, @b) SET ssn = @b":        "other",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE other":                             "",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE shop.patient":                      "patient",
		"LOAD DATA LOCAL INFILE 'f' INTO TABLE patient (a)":                       "",
		"SELECT 1; INSERT INTO other (ssn) VALUES (1)":                            "other",
		"UPDATE patient SET a = 1 WHERE b = 'phone'":                              "",
		"INSERT INTO other (a) VALUES (1) RETURNING ssn = 'x'":                    "other",
		"SELECT * FROM patient p JOIN away.more m ON p.id = m.id WHERE m.ssn = 1": "",
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
