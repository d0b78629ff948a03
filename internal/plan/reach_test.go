package plan

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
)

// TestOutlived: what was planned when a table was plain is known to be otherwise once it is protected, if the server may
// come to the table by it, and else not.
func TestOutlived(t *testing.T) {
	before := plantest.Tables(t)
	w := *before.Table("test", "log")
	w.ID, w.Name = catalog.ID{0xee}, "w"
	after := before.Next(2, nil, []*catalog.Table{&w})
	p := New(Options{Catalog: func() *catalog.Catalog { return before }})
	for text, want := range map[string]bool{
		"SELECT line FROM w": true,
		"SELECT 1 FROM other WHERE id IN (SELECT id FROM w)": true,
		"UPDATE aaa, w SET w.line = 'x' WHERE aaa.id = w.id": true,
		"SELECT SLEEP(8); INSERT INTO w (line) VALUES ('x')": true,
		"INSERT INTO test.w (line) SELECT 'x' FROM aaa":      true,
		"PREPARE s FROM 'UPDATE aaa, w SET w.line = 1'":      true,
		"EXECUTE s":                                        true,
		"DO (SELECT COUNT(*) FROM w)":                      true,
		"SET @a = (SELECT line FROM w)":                    true,
		"CREATE TABLE x AS SELECT line FROM w":             true,
		"LOAD DATA INFILE 'x' INTO TABLE w":                true,
		"CHECKSUM TABLES aaa, w":                           true,
		"HANDLER w READ FIRST":                             true,
		"BEGIN NOT ATOMIC DO SLEEP(8); DELETE FROM w; END": true,
		"SELECT * FROM aaa, w FOR UPDATE WAIT 50":          true,
		"SELECT * FROM aaa, w LIMIT ROWS EXAMINED 500":     true,
		"SELECT * FROM w FOR SYSTEM_TIME ALL":              true,
		"UPDATE aaa, w SET w.line = 1 WHERE EXISTS (SELECT 1 OFFSET 0 ROWS FETCH FIRST 1 ROWS ONLY)": true,
		"INSERT INTO aaa VALUES (1) RETURNING (SELECT line FROM w)":                                  true,
		"DELETE FROM aaa RETURNING (SELECT line FROM w)":                                             true,
		"INSERT INTO w (line) WITH w AS (SELECT 'x' AS line) SELECT line FROM w":                     true,
		"WITH w AS (SELECT line FROM w) SELECT line FROM w":                                          true,
		"USE test; SELECT SLEEP(8); DELETE FROM w":                                                   true,
		"DO (SELECT line FROM w); DO SLEEP(8)":                                                       true,
		"CREATE OR REPLACE SEQUENCE w":                                                               true,
		"CREATE OR REPLACE SEQUENCE elsewhere.w":                                                     false,
		"ALTER TABLE aaa UNION (aaa, w)":                                                             true,
		"ALTER TABLE aaa EXCHANGE PARTITION p WITH TABLE w":                                          true,
		"CREATE OR REPLACE SEQUENCE q":                                                               false,
		"SELECT line FROM elsewhere.w":                                                               false,
		"SELECT SLEEP(8) FROM aaa LIMIT ROWS EXAMINED 500":                                           false,
		"SELECT line FROM aaa":                                                                       false,
		"SELECT w FROM aaa":                                                                          false,
		"SELECT line FROM log":                                                                       false,
		"SHOW CREATE TABLE log":                                                                      false,
		"SELECT SLEEP(8)":                                                                            false,
		"COMMIT":                                                                                     false,
		"CALL tunic.wait(1)":                                                                         false,
		"SELECT line FROM log; SELECT SLEEP(8); SELECT 2 AS w":                                       false,
	} {
		var fp sql.Fingerprinter
		if got := p.Plan(&fp, []byte(text), plantest.MariaDB, "test"); got.Outlived(after) != want || got.Outlived(before) && !isDoubted(got) {
			t.Errorf("%s, by %T: not %t", text, got.Action, want)
		}
	}
}

// TestMayReachPlain: what names no table, by any word, comes to none.
func TestMayReachPlain(t *testing.T) {
	p := New(Options{Catalog: func() *catalog.Catalog { return plantest.Tables(t) }})
	for text, want := range map[string]bool{
		"SELECT line FROM w":                             true,
		"SELECT SLEEP(8); INSERT INTO w (line) SELECT 1": true,
		"DO (SELECT COUNT(*) FROM w)":                    true,
		"TABLE w":                                        true,
		"HANDLER w OPEN":                                 true,
		"CHECKSUM TABLE w":                               true,
		"BEGIN NOT ATOMIC DELETE FROM w; END":            true,
		"SELECT * FROM aaa, w FOR UPDATE WAIT 50":        true,
		"CALL q()":                                       true, // whatever it does
		"SELECT 1; CALL q()":                             true,
		"BEGIN NOT ATOMIC DO 1; END":                     true,
		"SELECT 1":                                       false,
		"SET autocommit = 0":                             false,
		"SET NAMES utf8mb4; SELECT 2":                    false,
		"BEGIN":                                          false,
		"COMMIT":                                         false,
		"SHOW VARIABLES":                                 false,
		"SELECT line FROM log":                           false,
	} {
		var fp sql.Fingerprinter
		if got := p.Plan(&fp, []byte(text), plantest.MariaDB, "test"); got.MayReachPlain() != want {
			t.Errorf("%s, by %T: not %t", text, got.Action, want)
		}
	}
}

// TestHoldsBack: a program that runs keeps a table from coming, whatever it is about.
func TestHoldsBack(t *testing.T) {
	before := plantest.Tables(t)
	w := *before.Table("test", "log")
	w.ID, w.Name = catalog.ID{0xee}, "w"
	p := New(Options{Catalog: func() *catalog.Catalog { return before }})
	for text, want := range map[string]bool{
		"CALL q()":                     true,
		"SELECT 1; CALL q()":           true,
		"BEGIN NOT ATOMIC DO 1; END":   true,
		"EXECUTE IMMEDIATE 'CALL q()'": true,
		"SELECT line FROM log":         false,
		"SELECT 1":                     false,
		"DO SLEEP(8)":                  false,
	} {
		var fp sql.Fingerprinter
		got := p.Plan(&fp, []byte(text), plantest.MariaDB, "test")
		if got.HoldsBack(before.WithComing(before.Version|1<<62, []*catalog.Table{&w})) != want {
			t.Errorf("%s, by %T: not %t", text, got.Action, want)
		}
		if got.HoldsBack(before) && !isDoubted(got) {
			t.Errorf("%s keeps something back where nothing comes", text)
		}
	}
}

// TestOutlivedElsewhere: a text that goes to another schema is known to come to its tables.
func TestOutlivedElsewhere(t *testing.T) {
	before := plantest.Tables(t)
	w := *before.Table("test", "log")
	w.ID, w.Name = catalog.ID{0xee}, "w"
	after := before.Next(2, nil, []*catalog.Table{&w})
	p := New(Options{Catalog: func() *catalog.Catalog { return before }})
	for _, schema := range []string{"", "other"} {
		var fp sql.Fingerprinter
		if got := p.Plan(&fp, []byte("USE test; SELECT SLEEP(8); DELETE FROM w"), plantest.MariaDB, schema); !got.Outlived(after) {
			t.Errorf("in schema %q: %T, %v", schema, got.Action, got.Names)
		}
	}
}

// isDoubted reports whether a plan tells nothing of the tables that the server comes to.
func isDoubted(p *Plan) bool {
	switch p.Action.(type) {
	case *ByName, *SetVariables:
		return true
	}
	return false
}

// TestOutlivedBeside: so it is of a statement over protected tables that reads plain ones, and of one over a table that had no
// fence then.
func TestOutlivedBeside(t *testing.T) {
	before, town := plantest.Tables(t), plantest.Town()
	var fp sql.Fingerprinter
	p := New(Options{}).PlanBeside(before, []*catalog.Table{town}, &fp, []byte("SELECT line, town.name FROM log, town"), plantest.MariaDB, "test")
	if p.Run() == nil {
		t.Fatalf("it is not executed: %v", p.Refusal())
	}
	protected := *before.Table("test", "log")
	protected.ID, protected.Name = catalog.ID{0xee}, town.Name
	old := before.Table("test", "log")
	fenced := *old
	fenced.Fenced, fenced.Revision = true, old.Revision+1
	for name, now := range map[string]*catalog.Catalog{
		"a plain table is protected": before.Next(2, nil, []*catalog.Table{&protected}),
		"a table has a fence":        before.Next(2, []*catalog.Table{old}, []*catalog.Table{&fenced}),
	} {
		if !p.Outlived(now) {
			t.Errorf("%s, and the plan holds", name)
		}
	}
	if p.Outlived(before) {
		t.Error("the plan does not hold by its own catalog")
	}
}
