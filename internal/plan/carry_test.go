package plan

import (
	"errors"
	"sync/atomic"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// TestActionsByCatalog: what becomes of a statement by the tables that it names, in
// the schema of its session.
func TestActionsByCatalog(t *testing.T) {
	c := plantest.Tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	for text, want := range map[string][2]string{ // in schema test, in another
		"SELECT 1":                                                             {"forward", "forward"},
		"SELECT name FROM person":                                              {"execute", "forward"},
		"SELECT name FROM test.person":                                         {"execute", "execute"},
		"SELECT DEFAULT(age) FROM person":                                      {"execute", "forward"}, // by eval, which refuses it
		"SELECT name FROM other.person":                                        {"forward", "forward"},
		"SELECT name FROM test.plain":                                          {"forward", "forward"},
		"SELECT person FROM plain":                                             {"forward", "forward"},
		"SELECT * FROM plain AS person":                                        {"forward", "forward"},
		"SELECT * FROM plain JOIN person":                                      {"refuse", "forward"},
		"SELECT (SELECT name FROM person)":                                     {"execute", "forward"},
		"SELECT name FROM plain UNION SELECT name FROM person":                 {"refuse", "forward"},
		"SELECT name FROM plain UNION TABLE person":                            {"refuse", "refuse"},
		"INSERT INTO person (name) VALUES ('x')":                               {"execute", "forward"},
		"INSERT INTO plain SELECT name FROM person":                            {"refuse", "forward"},
		"INSERT INTO plain VALUES ((SELECT name FROM person LIMIT 1))":         {"refuse", "forward"},
		"UPDATE plain SET a = (SELECT name FROM person LIMIT 1)":               {"refuse", "forward"},
		"DELETE FROM person":                                                   {"execute", "forward"},
		"DELETE person FROM person JOIN plain":                                 {"refuse", "forward"},
		"SELECT name FROM person; SELECT 1":                                    {"each", "each"},
		"SELECT * FROM _tunic.object":                                          {"refuse", "refuse"},
		"SELECT * FROM `_TUNIC`.object":                                        {"refuse", "refuse"},
		"DROP DATABASE _tunic":                                                 {"define", "define"},
		"ALTER TABLE person ADD x INT":                                         {"define", "define"},
		"DROP TABLE person":                                                    {"define", "define"},
		"CREATE TABLE y (a INT)":                                               {"define", "define"},
		"CREATE TABLE y (a INT); SELECT 1":                                     {"each", "each"},
		"CREATE TABLE y (a FROB)":                                              {"define", "define"},
		"CREATE TABLE y (a FROB COMMENT 'tunic: sealed')":                      {"refuse", "refuse"},
		"CREATE TABLE y (a FROB, b INT REFERENCES person (id))":                {"refuse", "refuse"},
		"TRUNCATE plain":                                                       {"define", "define"},
		"PREPARE s FROM 'CREATE TABLE y (a INT)'":                              {"by_name", "by_name"},
		"PREPARE s FROM 'SELECT a FROM plain'":                                 {"by_name", "by_name"},
		"PREPARE s FROM @text":                                                 {"by_name", "by_name"},
		"PREPARE s FROM CONCAT('SELECT name', ' FROM person')":                 {"refuse", "refuse"},
		"PREPARE s FROM X'53454C4543542031'":                                   {"refuse", "refuse"},
		"EXECUTE IMMEDIATE UNHEX('53454C4543542031')":                          {"refuse", "refuse"},
		"EXECUTE s USING @a, 1 + 1":                                            {"by_name", "by_name"},
		"EXECUTE s 'x'":                                                        {"refuse", "refuse"},
		"SELECT 1; EXECUTE s 'x'":                                              {"each", "each"},
		"DROP PREPARE s":                                                       {"by_name", "by_name"},
		"EXECUTE IMMEDIATE 'SELECT name FROM person WHERE age = ?' USING 1":    {"by_name", "by_name"},
		"PREPARE s FROM 'SELECT name FROM person'; EXECUTE s":                  {"each", "each"},
		"SET @a = 'x', @b := @a":                                               {"set_variables", "set_variables"},
		"SET @a = (SELECT name FROM person LIMIT 1)":                           {"set_variables", "set_variables"},
		"SET @a = 'x'; SET @b = 'y'":                                           {"each", "each"},
		"SELECT 1; SELECT 'x' INTO @a":                                         {"each", "each"},
		"SELECT 1; SET @a = 'x', sql_safe_updates = 0":                         {"each", "each"},
		"SELECT 1; PREPARE s FROM 'SELECT a FROM plain'":                       {"each", "each"},
		"SET @a = 1; LOAD DATA LOCAL INFILE 'x' INTO TABLE plain":              {"forward", "forward"},
		"SELECT 1; SELECT a FROM plain":                                        {"forward", "forward"},
		"SET @a = @b := 1":                                                     {"forward", "forward"},
		"SET @a = 1, sql_safe_updates = 0":                                     {"forward", "forward"},
		"SELECT name INTO @a FROM person":                                      {"set_variables", "set_variables"},
		"SELECT name FROM person LIMIT 1 INTO @a":                              {"set_variables", "set_variables"},
		"SELECT name INTO OUTFILE 'x' FROM person":                             {"refuse", "refuse"},
		"SELECT @a, @b + 1":                                                    {"forward", "forward"},
		"SELECT name FROM person WHERE name = @a":                              {"execute", "forward"},
		"SELECT name FROM person LIMIT @a":                                     {"execute", "forward"},
		"EXECUTE IMMEDIATE CONCAT('DROP ', 'TABLE plain')":                     {"refuse", "refuse"},
		"LOAD DATA INFILE 'x' INTO TABLE person":                               {"refuse", "forward"},
		"CREATE TABLE x AS SELECT * FROM person":                               {"define", "define"},
		"CREATE VIEW v AS SELECT * FROM person":                                {"define", "define"},
		"HANDLER person OPEN":                                                  {"refuse", "refuse"},
		"SELECT name FROM person INTO OUTFILE '/tmp/x'":                        {"refuse", "refuse"},
		"EXPLAIN SELECT name FROM person":                                      {"explain", "forward"},
		"EXPLAIN SELECT name FROM test.person":                                 {"explain", "explain"},
		"EXPLAIN FORMAT=JSON DELETE FROM person":                               {"explain", "forward"},
		"EXPLAIN SELECT name FROM plain JOIN person":                           {"refuse", "forward"},
		"EXPLAIN FORMAT='json' SELECT name FROM person":                        {"refuse", "refuse"},
		"EXPLAIN SELECT name FROM person; SELECT 1":                            {"each", "each"},
		"ANALYZE TABLE person":                                                 {"forward", "forward"},
		`ANALYZE TABLE person UPDATE HISTOGRAM ON name USING DATA '{}'`:        {"refuse", "refuse"},
		"ANALYZE SELECT name FROM person":                                      {"explain", "forward"},
		"ANALYZE DELETE FROM person":                                           {"refuse", "forward"},
		"EXPLAIN ANALYZE UPDATE person SET name = 'x'":                         {"refuse", "forward"},
		"PREPARE s FROM 'EXPLAIN SELECT name FROM person'":                     {"by_name", "by_name"},
		"KILL (SELECT id FROM person WHERE name = 'x')":                        {"refuse", "refuse"},
		"SHOW STATUS WHERE variable_name IN (SELECT name FROM person)":         {"refuse", "refuse"},
		"SHOW COLLATION WHERE (SELECT COUNT(*) FROM person) > 0":               {"refuse", "refuse"},
		"SIGNAL SQLSTATE '45000' SET message_text = (SELECT name FROM person)": {"refuse", "refuse"},
		"FROBNICATE person":                                                    {"refuse", "refuse"},
		"SELECT 'person":                                                       {"refuse", "refuse"},
		"INSERT INTO plain VALUES (1) RETURNING (SELECT name FROM person)":     {"refuse", "forward"},
		"INSERT INTO plain VALUES (1) RETURNING person":                        {"forward", "forward"},
		"INSERT INTO plain VALUES (1) RETURNING test.person.name":              {"refuse", "refuse"},
		"SET SESSION sql_mode = (SELECT person FROM plain)":                    {"forward", "forward"},
		"SET SESSION sql_mode = (SELECT name FROM person)":                     {"refuse", "forward"},
		`INSERT INTO "person" (name) VALUES ('x')`:                             {"refuse", "refuse"},
		`INSERT IGNORE 'person' VALUES ('x')`:                                  {"refuse", "refuse"},
		`UPDATE "test"."person" SET name = 'x'`:                                {"refuse", "refuse"},
		`DELETE FROM plain WHERE a = "person"`:                                 {"forward", "forward"},
		`SELECT TRIM('x' FROM 'person') FROM plain`:                            {"forward", "forward"},
		"SET SESSION sql_mode = (SELECT f(person) FROM plain)":                 {"refuse", "refuse"},
	} {
		for i, schema := range []string{"test", "other"} {
			var fp sql.Fingerprinter
			for range 2 { // the second from the cache
				got := p.Plan(&fp, []byte(text), plantest.MariaDB, schema)
				if got.ActionName() != want[i] {
					t.Errorf("%s in %s: %v (%v), want %v", text, schema, got.ActionName(), got.Refusal(), want[i])
				}
				if Is[*Execute](got) != (got.Run() != nil) || (Is[*Refuse](got) || Is[*Each](got)) != (got.Refusal() != nil) {
					t.Errorf("%s in %s: %+v", text, schema, got)
				}
				if _, ok := errors.AsType[*sqlerr.Error](got.Refusal()); got.Refusal() != nil && !ok {
					t.Errorf("%s: refused with %v", text, got.Refusal())
				}
			}
		}
	}
}

// TestOwnSchema: what names tunic's own schema hears that it does.
func TestOwnSchema(t *testing.T) {
	c := plantest.Tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	for _, text := range []string{
		"SELECT * FROM _tunic.object", "SELECT name FROM person WHERE age = (SELECT 1 FROM `_TUNIC`.journal)",
		"INSERT INTO _tunic.journal VALUES (1)", "DELETE FROM _tunic.master", "SELECT _tunic.object.id FROM person",
	} {
		var fp sql.Fingerprinter
		if got := p.Plan(&fp, []byte(text), plantest.MariaDB, "test"); !Is[*Refuse](got) || !errors.Is(got.Refusal(), sqlerr.OwnSchema()) {
			t.Errorf("%s: %v, %v", text, got.ActionName(), got.Refusal())
		}
	}
}

// TestWithinOwnSchema: nor is one of its tables reached by a name without a schema.
func TestWithinOwnSchema(t *testing.T) {
	c := plantest.Tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	for text, want := range map[string]bool{
		"SELECT id FROM object": true, "DELETE FROM quiesce": true, "INSERT INTO job VALUES (1)": true, "SELECT (TABLE object)": true, "SET @a = (SELECT id FROM object)": true,
		"BEGIN NOT ATOMIC DELETE FROM quiesce; END": true, "PREPARE s FROM 'DELETE FROM quiesce'": true, "LOAD DATA LOCAL INFILE 'x' INTO TABLE job": true,
		"CREATE VIEW v AS SELECT 1": true, "CREATE TRIGGER g BEFORE INSERT ON job FOR EACH ROW SET @a = 1": true, "HANDLER object OPEN": true, "CHECKSUM TABLE object": true,
		"CREATE OR REPLACE SEQUENCE object": true, "SHOW CREATE SEQUENCE object": true, "LOCK TABLES object READ": true, "FROBNICATE object": true,
		"SHOW TABLES FROM test WHERE (SELECT COUNT(*) FROM object)": true, "EXPLAIN SELECT id FROM object": true, "CREATE TABLE x (a FROBNICATE": true,
		"USE test": false, "SELECT 1": false, "SELECT DATABASE(), @@version": false, "SET @a = 1": false, "COMMIT": false, "SHOW STATUS": false, "SET NAMES utf8mb4": false,
	} {
		for _, schema := range []string{"_tunic", "_TUNIC"} {
			var fp sql.Fingerprinter
			p.Plan(&fp, []byte(text), plantest.MariaDB, "test") // may be remembered
			if got := p.Plan(&fp, []byte(text), plantest.MariaDB, schema); errors.Is(got.Refusal(), sqlerr.OwnSchema()) != want {
				t.Errorf("%s: %v, %v", text, got.ActionName(), got.Refusal())
			}
		}
	}
	for text, want := range map[string]bool{"USE _tunic; DELETE FROM quiesce": true, "USE _tunic; USE test; SELECT a FROM plain": false} {
		var fp sql.Fingerprinter
		if got := p.Plan(&fp, []byte(text), plantest.MariaDB, "test"); errors.Is(got.Refusal(), sqlerr.OwnSchema()) != want {
			t.Errorf("%s: %v, %v", text, got.ActionName(), got.Refusal())
		}
	}
	if err := p.Table(sql.ShowColumns, "_tunic", []byte("object")); !errors.Is(err, sqlerr.OwnSchema()) {
		t.Errorf("COM_FIELD_LIST: %v", err)
	}
}

// TestSequences: a sequence has a name of those of tables, in whatever statement it is made, changed or dropped.
func TestSequences(t *testing.T) {
	c := plantest.Tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	own, refused := sqlerr.OwnSchema(), sqlerr.StatementRefused("")
	for text, want := range map[string]error{
		"CREATE OR REPLACE SEQUENCE person": refused, "CREATE TEMPORARY SEQUENCE IF NOT EXISTS test.person": refused, "/*M!100300 CREATE OR REPLACE SEQUENCE person */": refused,
		"ALTER SEQUENCE person RESTART": refused, "DROP SEQUENCE IF EXISTS q, `person`": refused, "SELECT 1; CREATE OR REPLACE SEQUENCE person": refused,
		"CREATE OR REPLACE SEQUENCE _tunic.object": own, "ALTER SEQUENCE _TUNIC.foo RESTART": own, "DROP SEQUENCE q, _tunic.foo": own,
		"CREATE OR REPLACE SEQUENCE /*!999999 person */ q": sqlerr.StatementUnread(), "DROP SEQUENCE q,": sqlerr.StatementUnread(),
		"CREATE OR REPLACE SEQUENCE other.person": nil, "CREATE SEQUENCE q": nil, "DROP SEQUENCE q, other.r": nil,
	} {
		var fp sql.Fingerprinter
		got := p.Plan(&fp, []byte(text), plantest.MariaDB, "test")
		if want == nil && !Is[*Define](got) || want != nil && !errors.Is(got.Refusal(), want) {
			t.Errorf("%s: %v, %v", text, got.ActionName(), got.Refusal())
		}
		if want == nil && len(got.Names) > 0 {
			t.Errorf("%s: a rule of the policy may be about it", text)
		}
	}
}

// TestRowsAreNotTaken: no definition makes the rows of a protected table those of another one.
func TestRowsAreNotTaken(t *testing.T) {
	c := plantest.Tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	own, refused := sqlerr.OwnSchema(), sqlerr.StatementRefused("")
	for text, want := range map[string]error{
		"CREATE TABLE x (a INT) ENGINE=MERGE UNION=(y, person) INSERT_METHOD=LAST": refused, "ALTER TABLE x COMMENT 'x', UNION (`test`.`person`)": refused,
		"CREATE TABLE x (a FROBNICATE) UNION=(person)": refused, "ALTER TABLE other.x UNION=(test.person)": refused, "/*!50000 ALTER TABLE x UNION=(person) */": refused,
		"CREATE TABLE x (a INT) ENGINE=MERGE UNION=(_tunic.object)": own, "ALTER TABLE x EXCHANGE PARTITION p0 WITH TABLE person": refused,
		"ALTER TABLE x EXCHANGE PARTITION p0 WITH TABLE _tunic.object WITHOUT VALIDATION": own, "ALTER TABLE x CONVERT PARTITION p TO TABLE person": refused,
		"ALTER TABLE x CONVERT TABLE person TO PARTITION p VALUES LESS THAN (5)":       refused,
		"CREATE TABLE x (a INT) ENGINE=FEDERATED CONNECTION='mysql://u@h/test/person'": refused, "CREATE TABLE x (a INT) ENGINE='connect' TABLE_TYPE=PROXY TABNAME='Person'": refused,
		"CREATE TABLE x (a INT) ENGINE=SPIDER COMMENT='table \"person\"'": refused, "ALTER TABLE x CONNECTION='s/person'": refused, "ALTER TABLE x SRCDEF='SELECT * FROM _tunic.object'": refused,
		"CREATE TABLE x (a INT) ENGINE=MERGE UNION=()": nil, "ALTER TABLE x UNION=(y, other.person)": nil, "CREATE TABLE x AS (SELECT a FROM plain) UNION (SELECT b FROM plain)": nil,
		"ALTER TABLE x EXCHANGE PARTITION p0 WITH TABLE y": nil, "CREATE TABLE x (a INT) ENGINE=FEDERATED CONNECTION='mysql://u@h/test/persons'": nil,
		"CREATE TABLE x (a INT) COMMENT 'of a person'": nil, "ALTER TABLE x CONVERT TO CHARACTER SET utf8mb4": nil,
	} {
		var fp sql.Fingerprinter
		got := p.Plan(&fp, []byte(text), plantest.MariaDB, "test")
		if want == nil && !Is[*Define](got) || want != nil && !errors.Is(got.Refusal(), want) {
			t.Errorf("%s: %v, %v", text, got.ActionName(), got.Refusal())
		}
	}
}

// TestNoDefaultSchema: a name without a schema could be any table's.
func TestNoDefaultSchema(t *testing.T) {
	c := plantest.Tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	var fp sql.Fingerprinter
	for text, want := range map[string]string{
		"SELECT name FROM person": "refuse", "SELECT name FROM test.person": "execute", "SELECT a FROM plain": "forward",
	} {
		if got := p.Plan(&fp, []byte(text), plantest.MariaDB, ""); got.ActionName() != want {
			t.Errorf("%s: %v", text, got.ActionName())
		}
	}
}

// TestPlansAreOfAVersion: a plan of one version of the catalog is not used under
// the next.
func TestPlansAreOfAVersion(t *testing.T) {
	full := plantest.Tables(t)
	var current atomic.Pointer[catalog.Catalog]
	current.Store(catalog.New(false))
	p := New(Options{Catalog: current.Load})
	var fp sql.Fingerprinter
	plan := func() string {
		return p.Plan(&fp, []byte("SELECT name FROM person"), plantest.MariaDB, "test").ActionName()
	}
	if got := plan(); got != "forward" {
		t.Errorf("before there is a table: %v", got)
	}
	current.Store(full)
	if got := plan(); got != "execute" {
		t.Errorf("with the table: %v", got)
	}
	person := full.Table("test", "person")
	current.Store(full.Next(full.Version+1, []*catalog.Table{person}, nil))
	if got := plan(); got != "forward" {
		t.Errorf("after it: %v", got)
	}
}

// TestAHitOfACarriedPlanAllocatesNothing: as that of any other.
func TestAHitOfACarriedPlanAllocatesNothing(t *testing.T) {
	c := plantest.Tables(t)
	p := New(Options{Catalog: func() *catalog.Catalog { return c }})
	var fp sql.Fingerprinter
	for _, text := range []string{
		"SELECT c FROM sbtest1 WHERE id=4993",
		"INSERT INTO sbtest1 (id, k, c, pad) VALUES (4984, 5031, '047', '275'), (1, 2, 'x', 'y')",
	} {
		b := []byte(text)
		p.Plan(&fp, b, plantest.MariaDB, "test")
		if n := testing.AllocsPerRun(100, func() { p.Plan(&fp, b, plantest.MariaDB, "test") }); n != 0 {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
}
