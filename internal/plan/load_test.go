package plan

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
)

// TestLoads: what is done with LOAD DATA by where it goes and what it names.
func TestLoads(t *testing.T) {
	c := plantest.Tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	for text, want := range map[string]string{
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person":                                                            "execute",
		"LOAD DATA LOCAL INFILE 'x' REPLACE INTO TABLE test.person (name, @v) SET age = @v + 1":                   "execute",
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person (nothere)":                                                  "execute", // the server says what is wrong
		"LOAD DATA INFILE 'x' INTO TABLE person":                                                                  "refuse",
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person (name) SET id = LENGTH(name)":                               "refuse",
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person (name) SET age = (SELECT MAX(age) FROM person)":             "refuse",
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person (name) SET age = @other":                                    "refuse",
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person PARTITION (p0)":                                             "refuse",
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE plain SET person = 1":                                              "forward",
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE plain SET a = (SELECT name FROM person LIMIT 1)":                   "refuse",
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE _tunic.object (person)":                                            "refuse",
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person FIELDS TERMINATED BY ',' IGNORE 1 LINES (name) SET age = 5": "execute",
	} {
		var fp sql.Fingerprinter
		got := p.Plan(&fp, []byte(text), plantest.MariaDB, "test")
		if got.ActionName() != want {
			t.Errorf("%s: %v (%v), want %v", text, got.ActionName(), got.Refusal(), want)
		}
		if Is[*Execute](got) && (got.Run().Load() == nil || reusable(got)) {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
