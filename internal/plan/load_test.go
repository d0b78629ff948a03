package plan

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/sql"
)

// TestLoads: what is done with LOAD DATA by where it goes and what it names.
func TestLoads(t *testing.T) {
	c := tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	for text, want := range map[string]Action{
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person":                                                            Carry,
		"LOAD DATA LOCAL INFILE 'x' REPLACE INTO TABLE test.person (name, @v) SET age = @v + 1":                   Carry,
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person (nothere)":                                                  Carry, // the server says what is wrong
		"LOAD DATA INFILE 'x' INTO TABLE person":                                                                  Refuse,
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person (name) SET id = LENGTH(name)":                               Refuse,
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person (name) SET age = (SELECT MAX(age) FROM person)":             Refuse,
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person (name) SET age = @other":                                    Refuse,
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person PARTITION (p0)":                                             Refuse,
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE plain SET person = 1":                                              Forward,
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE plain SET a = (SELECT name FROM person LIMIT 1)":                   Refuse,
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE _tunic.object (person)":                                            Refuse,
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE person FIELDS TERMINATED BY ',' IGNORE 1 LINES (name) SET age = 5": Carry,
	} {
		var fp sql.Fingerprinter
		got := p.Plan(&fp, []byte(text), mariadb, "test")
		if got.Action != want {
			t.Errorf("%s: %v (%v), want %v", text, got.Action, got.Refusal, want)
		}
		if got.Action == Carry && (got.Run.Load == nil || reusable(got)) {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
