package plan

import (
	"slices"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/resolve"
	"tunic/internal/sql"
)

// TestInsideSetStatement: what SET STATEMENT is for is forwarded only if it would be by itself and
// reads or writes rows, and where nothing is protected.
func TestInsideSetStatement(t *testing.T) {
	known := plantest.Tables(t)
	protecting, plain := New(Options{Catalog: func() *catalog.Catalog { return known }}), New(Options{})
	for inside, want := range map[string]string{
		"SELECT 1": "forward", "INSERT INTO plainlog VALUES (1)": "forward", "(SELECT 1) UNION SELECT 2": "forward",
		"DELETE FROM plainlog WHERE a = 'person'": "forward",
		"SELECT name FROM person":                 "refuse", "UPDATE person SET name = 'x' WHERE id = 1": "refuse",
		"INSERT INTO plainlog SELECT name FROM person": "refuse", "SELECT 1 INTO @v": "refuse", "SELECT 1 INTO OUTFILE 'f'": "refuse",
		"CREATE TABLE t (a INT)": "refuse", "ALTER TABLE t ADD b INT": "refuse", "TRUNCATE TABLE plainlog": "refuse",
		"EXECUTE IMMEDIATE 'SELECT 1'": "refuse", "EXECUTE IMMEDIATE CONCAT('SELECT * FROM per','son')": "refuse",
		"PREPARE p FROM @q": "refuse", "EXECUTE p": "refuse", "USE other": "refuse", "SET b = 2": "refuse", "BEGIN": "refuse",
		"SET STATEMENT b = 1 FOR SELECT 1": "refuse", "LOAD DATA INFILE 'f' INTO TABLE t": "refuse",
		"CALL sys.execute_prepared_stmt('SELECT * FROM test.person')": "refuse", "CALL sys.execute_prepared_stmt(@q)": "refuse",
		"SHOW TABLES": "refuse", "SHOW DATABASES": "refuse", "SHOW GRANTS": "refuse", "SHOW WARNINGS": "refuse", "DO 1": "refuse",
		"SELECT a FROM plainlog WHERE": "refuse",
	} {
		for _, set := range []string{"a = 1", "a = 1, password = 'x'", "a = 1, b = db.for(INSERT('1',1,0,''))"} {
			text := "SET STATEMENT " + set + " FOR " + inside
			var fp sql.Fingerprinter
			if got := protecting.Plan(&fp, []byte(text), sql.MariaDB, "test").ActionName(); got != want {
				t.Errorf("%s: %v, not %v", text, got, want)
			}
			alone := "forward"
			if inside == "PREPARE p FROM @q" { // an annotation may be in it
				alone = "refuse"
			}
			if got := plain.Plan(&fp, []byte(text), sql.MariaDB, "test").ActionName(); got != alone {
				t.Errorf("%s, where nothing is protected: %v", text, got)
			}
		}
	}
	var fp sql.Fingerprinter
	p := protecting.Plan(&fp, []byte("SET STATEMENT a = 1 FOR INSERT INTO nosuch SELECT * FROM s.other"), sql.MariaDB, "test")
	if want := []resolve.Name{{Schema: "test", Table: "nosuch"}, {Schema: "s", Table: "other"}}; !slices.Equal(p.Names, want) {
		t.Errorf("it names %v, not %v", p.Names, want)
	}
}

// TestFunctions: a plan says that a function which may be a stored one is called.
func TestFunctions(t *testing.T) {
	p := New(Options{Catalog: func() *catalog.Catalog { return catalog.New(false) }})
	for text, want := range map[string]bool{
		"SELECT 1": false, "SELECT a, CONCAT(b, NOW()) FROM t": false, "SELECT f()": true, "SELECT UPPER(s.f(1)) FROM t": true,
		"SET @x = f()": true, "SET @x = ABS(1)": false, "INSERT INTO t VALUES (f())": true, "UPDATE t SET a = UUID() WHERE b = 1": false,
		"SELECT nvl(1, 2)": true, "SELECT uuid_to_bin('x')": true, "INSERT INTO t VALUES (1) RETURNING f()": true, "DELETE FROM t RETURNING a": false,
		"SELECT (SELECT MAX(f(a)) FROM t)": true, "BEGIN": false, "SHOW TABLES": false,
	} {
		var fp sql.Fingerprinter
		if got := p.Plan(&fp, []byte(text), sql.MariaDB, "s").Functions; got != want {
			t.Errorf("%s: %v, not %v", text, got, want)
		}
	}
}
