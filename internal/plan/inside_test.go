package plan

import (
	"slices"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/sql"
)

// TestInsideSetStatement: what SET STATEMENT is for is forwarded only if it would be by itself and
// reads or writes rows, and where nothing is protected.
func TestInsideSetStatement(t *testing.T) {
	known := tables(t)
	protecting, plain := New(Options{Catalog: func() *catalog.Catalog { return known }}), New(Options{})
	for inside, want := range map[string]Action{
		"SELECT 1": Forward, "INSERT INTO plainlog VALUES (1)": Forward, "(SELECT 1) UNION SELECT 2": Forward,
		"DELETE FROM plainlog WHERE a = 'person'": Forward,
		"SELECT name FROM person":                 Refuse, "UPDATE person SET name = 'x' WHERE id = 1": Refuse,
		"INSERT INTO plainlog SELECT name FROM person": Refuse, "SELECT 1 INTO @v": Refuse, "SELECT 1 INTO OUTFILE 'f'": Refuse,
		"CREATE TABLE t (a INT)": Refuse, "ALTER TABLE t ADD b INT": Refuse, "TRUNCATE TABLE plainlog": Refuse,
		"EXECUTE IMMEDIATE 'SELECT 1'": Refuse, "EXECUTE IMMEDIATE CONCAT('SELECT * FROM per','son')": Refuse,
		"PREPARE p FROM @q": Refuse, "EXECUTE p": Refuse, "USE other": Refuse, "SET b = 2": Refuse, "BEGIN": Refuse,
		"SET STATEMENT b = 1 FOR SELECT 1": Refuse, "LOAD DATA INFILE 'f' INTO TABLE t": Refuse,
		"CALL sys.execute_prepared_stmt('SELECT * FROM test.person')": Refuse, "CALL sys.execute_prepared_stmt(@q)": Refuse,
		"SHOW TABLES": Refuse, "SHOW DATABASES": Refuse, "SHOW GRANTS": Refuse, "SHOW WARNINGS": Refuse, "DO 1": Refuse,
		"SELECT a FROM plainlog WHERE": Refuse,
	} {
		for _, set := range []string{"a = 1", "a = 1, password = 'x'", "a = 1, b = db.for(INSERT('1',1,0,''))"} {
			text := "SET STATEMENT " + set + " FOR " + inside
			var fp sql.Fingerprinter
			if got := protecting.Plan(&fp, []byte(text), sql.MariaDB, "test").Action; got != want {
				t.Errorf("%s: %v, not %v", text, got, want)
			}
			alone := Forward
			if inside == "PREPARE p FROM @q" { // an annotation may be in it
				alone = Refuse
			}
			if got := plain.Plan(&fp, []byte(text), sql.MariaDB, "test").Action; got != alone {
				t.Errorf("%s, where nothing is protected: %v", text, got)
			}
		}
	}
	var fp sql.Fingerprinter
	p := protecting.Plan(&fp, []byte("SET STATEMENT a = 1 FOR INSERT INTO nosuch SELECT * FROM s.other"), sql.MariaDB, "test")
	if want := []Named{{"test", "nosuch"}, {"s", "other"}}; !slices.Equal(p.Names, want) {
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
