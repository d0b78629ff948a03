package session

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/value"
	"tunic/internal/wire/wiretest"
)

// withFamily is a table with a family, a column that is sealed by itself and a plain one.
const withFamily = "CREATE TABLE line (id INT AUTO_INCREMENT PRIMARY KEY, o INT NOT NULL COMMENT 'tunic: order family line', w SMALLINT NOT NULL COMMENT 'tunic: equality family line'," +
	" amount DECIMAL(6,2) DEFAULT 1 COMMENT 'tunic: family line', info CHAR(24), n INT COMMENT 'tunic: plain', UNIQUE KEY k (w, o), CHECK (amount < 100))"

// both sends statements to both sides, and wants the same answers.
func (a *asked) both(t *testing.T, statements ...string) {
	t.Helper()
	for _, s := range statements {
		want, got := told(t, a.direct, strings.ReplaceAll(s, "THESCHEMA", "plain")), told(t, a.tunnel, strings.ReplaceAll(s, "THESCHEMA", "shop"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-plain +tunic)\n%.2000s", s, diff)
		}
	}
}

// denied sends statements to both sides, and wants both servers to deny the client a privilege: on the table, or on one of
// several columns that it lacks one on.
func (a *asked) denied(t *testing.T, statements ...string) {
	t.Helper()
	for _, s := range statements {
		for side, p := range map[string]*wiretest.Peer{"plain": a.direct, "tunic": a.tunnel} {
			if got := told(t, p, s); len(got) != 1 || !strings.HasPrefix(got[0], "error 1142 ") && !strings.HasPrefix(got[0], "error 1143 ") {
				t.Errorf("%s, %s: %s", s, side, got)
			}
		}
	}
}

// refusesAs wants a statement to be refused with a code.
func refusesAs(t *testing.T, p *wiretest.Peer, code, statement string) {
	t.Helper()
	if got := told(t, p, statement); len(got) != 1 || !strings.Contains(got[0], "see tunic help "+code) {
		t.Errorf("%s: %s, want %s", statement, got, code)
	}
}

// TestFamilyGranted: who has privileges on some columns of a family may use those as on a plain server, and none of the others, though the
// stored column that he may use has the values of all.
func TestFamilyGranted(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		if err := a.server.Exec(t.Context(), "DROP USER IF EXISTS some@'%', whole@'%'", "CREATE USER some@'%' IDENTIFIED BY 'some'", "CREATE USER whole@'%' IDENTIFIED BY 'whole'"); err != nil {
			t.Fatal(err)
		}
		a.both(t, strings.Replace(withFamily, "info CHAR", "spare INT COMMENT 'tunic: equality family line', info CHAR", 1), "INSERT INTO line (o, w, amount, info, n) VALUES (1, 2, 3, 'four', 5), (6, 7, NULL, NULL, 8)")
		a.both(t,
			"GRANT SELECT (id, `AMOUNT`, n, info), INSERT (o, w, n), UPDATE (n, info, amount), REFERENCES (o) ON THESCHEMA.line TO some", "GRANT SELECT, INSERT, UPDATE, DELETE ON line TO whole",
		)
		some, whole := *a, *a
		some.direct, some.tunnel = a.connect(t, "some", "some")
		whole.direct, whole.tunnel = a.connect(t, "whole", "whole")
		some.both(t,
			"SHOW COLUMNS FROM line", "SHOW FULL COLUMNS FROM line",
			"SELECT column_name, privileges FROM information_schema.columns WHERE table_schema = 'THESCHEMA' ORDER BY ordinal_position",
			"SELECT TABLE_NAME, COLUMN_NAME, PRIVILEGE_TYPE FROM information_schema.COLUMN_PRIVILEGES WHERE TABLE_SCHEMA = 'THESCHEMA' ORDER BY COLUMN_NAME, PRIVILEGE_TYPE",
			"SELECT id, n, info, amount FROM line ORDER BY id", "SELECT info FROM line WHERE n = 5", "SELECT amount + 1 FROM line ORDER BY id", "SELECT COUNT(*), SUM(amount) FROM line",
			"SELECT l.amount FROM line l JOIN line m USING (id) ORDER BY l.amount", "SELECT id FROM line WHERE amount IN (SELECT amount FROM line)",
			"SELECT o FROM line", "SELECT amount, id, w FROM line", "SELECT id FROM line WHERE w = 2", "SELECT id FROM line WHERE o > 2", "SELECT amount FROM line WHERE w + 1 = 3", "SELECT id, w FROM line ORDER BY amount",
			"SELECT amount FROM line ORDER BY o + 1", "SELECT COUNT(o + 1) FROM line", "SELECT l.amount, m.o FROM line l JOIN line m USING (id)", "SELECT id FROM line WHERE amount IN (SELECT o FROM line)", "WITH c AS (SELECT o + 1 AS p FROM line) SELECT amount, p FROM line, c",
		)
		some.denied(t,
			"SELECT * FROM line",
			"INSERT INTO line VALUES (9, 1, 1, 1, 1, 'a', 1)", "INSERT INTO line (o, w) SELECT w, o FROM line", "UPDATE line SET o = 4", "UPDATE line SET o = 1", "UPDATE line l JOIN line m USING (id) SET l.amount = m.w",
		)
		if a.flavor == value.MySQL {
			some.denied(t, "TABLE line", "SELECT info FROM line UNION SELECT d.c FROM (TABLE line) d (a, b, d, e, f, c, g)")
		}
		some.both(t,
			"UPDATE line SET n = 9 WHERE n = 5", "UPDATE line SET info = 'five' WHERE id = 1", "UPDATE line SET amount = 50 WHERE id = 1", "UPDATE line SET amount = amount + 1", "UPDATE line SET amount = 101 WHERE id = 1",
			"UPDATE line SET amount = o", "UPDATE line SET amount = 1 WHERE w + 1 = 3", "UPDATE line SET n = 1 WHERE w + 1 = 3",
			"SELECT id, n, info, amount FROM line ORDER BY id",
			"INSERT INTO line (o, w) VALUES (10, 11)", "INSERT INTO line (w, n, o) VALUES (12, 13, 14), (15, 16, 17)", "INSERT INTO line (o, w, amount) VALUES (1, 1, 1)", "INSERT INTO line (o, w) VALUES (10, 11)",
			"INSERT INTO line (o, w) SELECT amount + 100, id + 100 FROM line WHERE id = 1", "INSERT INTO line (o, w, amount) SELECT amount + 200, id, 1 FROM line", "REPLACE INTO line (o, w) VALUES (10, 11)", "DELETE FROM line",
		)
		whole.both(t, "SELECT * FROM line ORDER BY id", "UPDATE line SET amount = 4 WHERE o = 6", "INSERT INTO line (o, w, n) VALUES (9, 9, 9)", "DELETE FROM line WHERE w = 2", "SELECT o, w, amount FROM line ORDER BY id")
		if grants := strings.Join(told(t, some.tunnel, "SHOW GRANTS"), "\n"); strings.Contains(grants, "$") || strings.Count(grants, "`line`") != 2 {
			t.Errorf("told of %s", grants)
		}
		a.both(t, "GRANT CREATE VIEW, DROP ON THESCHEMA.* TO some")
		some.both(t, "USE THESCHEMA", "CREATE VIEW own AS SELECT id, n, amount FROM line")
		if got := told(t, some.tunnel, "CREATE VIEW more AS SELECT id, o FROM line"); len(got) != 1 || !strings.Contains(got[0], "error 1143 (42000)") || !strings.Contains(got[0], "column 'o' in table 'line'") {
			t.Errorf("a view of what the account may not read: %s", got)
		}
		a.both(t, "GRANT SELECT ON own TO some", "GRANT CREATE, INSERT, SELECT ON THESCHEMA.copied TO some")
		some.both(t,
			"SELECT * FROM own ORDER BY id", "DROP VIEW own", "CREATE TABLE copied AS SELECT id, amount FROM line", "SELECT * FROM copied ORDER BY id", "DROP TABLE copied",
			"PREPARE p FROM 'SELECT amount FROM line WHERE id = ?'", "EXECUTE p USING 2", "SET @i = 2", "EXECUTE p USING @i", "PREPARE p FROM 'UPDATE line SET amount = ? WHERE id = 2'", "EXECUTE p USING @i", "DEALLOCATE PREPARE p",
			"SET @a = (SELECT amount FROM line WHERE id = 2)", "SELECT @a", "SELECT amount INTO @b FROM line WHERE id = 2", "SELECT @b", "SET @a = (SELECT o FROM line WHERE id = 2)", "SELECT o INTO @b FROM line WHERE id = 2",
		)
		some.denied(t, "CREATE TABLE copied AS SELECT id, o FROM line", "PREPARE p FROM 'SELECT o FROM line'", "PREPARE p FROM 'UPDATE line SET o = 1'", "EXPLAIN SELECT o FROM line", "EXPLAIN UPDATE line SET o = 1")
		if got := told(t, some.tunnel, "EXPLAIN SELECT amount FROM line"); strings.Contains(got[0], "error") {
			t.Errorf("explained: %s", got)
		}

		a.both(t, "REVOKE SELECT (amount), UPDATE (n) ON line FROM some")
		some.both(t, "SELECT amount FROM line", "SELECT id FROM line WHERE n = 8", "UPDATE line SET n = 1", "SELECT COUNT(amount) FROM line")
		a.both(t, "REVOKE ALL ON line FROM whole", "DROP TABLE line")
	})
}

// TestFamilyGrantedBefore: privileges on columns are on those names alone, whatever comes into the family later, and whichever table has
// the names then.
func TestFamilyGrantedBefore(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		if err := a.server.Exec(t.Context(), "DROP USER IF EXISTS early@'%'", "CREATE USER early@'%' IDENTIFIED BY 'early'"); err != nil {
			t.Fatal(err)
		}
		a.both(t, strings.Replace(withFamily, ", CHECK (amount < 100)", "", 1), "INSERT INTO line (o, w, amount, info, n) VALUES (1, 2, 3, 'four', 5)", "GRANT SELECT (id, o, w), UPDATE (id, o, w) ON line TO 'early'")
		early := *a
		early.direct, early.tunnel = a.connect(t, "early", "early")
		may := []string{"SELECT id, o FROM line", "SELECT o FROM line WHERE o + 1 > 2", "UPDATE line SET o = o + 1", "UPDATE line SET id = 3 WHERE o = 2"}
		for _, of := range [][]string{ // a change, and what is denied then
			{"SELECT 1", "SELECT amount FROM line", "SELECT o FROM line WHERE amount = 3", "UPDATE line SET amount = 3", "UPDATE line SET amount = 4"},
			{"ALTER TABLE line ADD COLUMN more INT DEFAULT 4 COMMENT 'tunic: sealed family line'", "SELECT more FROM line", "UPDATE line SET more = 4", "UPDATE line SET more = 5", "UPDATE line SET o = more"},
			{"ALTER TABLE line RENAME COLUMN amount TO worth", "SELECT worth FROM line", "SELECT id FROM line WHERE worth = 3", "UPDATE line SET worth = 3", "SELECT id, o FROM line ORDER BY worth"},
			{"CREATE TABLE child (id INT PRIMARY KEY, w SMALLINT, o INT, FOREIGN KEY (w, o) REFERENCES line (w, o))", "SELECT info FROM line", "UPDATE line SET info = 'four'", "UPDATE line SET worth = 2"},
		} {
			a.both(t, of[0])
			early.both(t, may...)
			early.denied(t, of[1:]...)
		}
		a.both(t, "DROP TABLE child, line", "CREATE TABLE line (id INT PRIMARY KEY, o INT COMMENT 'tunic: sealed family line', other INT COMMENT 'tunic: sealed family line')", "INSERT INTO line VALUES (1, 2, 3)")
		early.both(t, "SELECT id, o FROM line")
		early.denied(t, "SELECT other FROM line", "SELECT o + other FROM line", "UPDATE line SET other = 3", "UPDATE line SET o = other")
		a.both(t, "DROP TABLE line", "CREATE TABLE line (id INT PRIMARY KEY, o INT)", "INSERT INTO line VALUES (1, 2)")
		early.both(t, "SELECT id, o FROM line")
		a.both(t, "DROP TABLE line")
	})
}

// TestFamilyNamed: whatever has the name of a column of a family in a text that the server keeps gets its value, or is refused.
// The server has a column of that name, without a value.
func TestFamilyNamed(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		a.both(t, withFamily, "INSERT INTO line (o, w, amount, info, n) VALUES (1, 2, 3, 'four', 5), (6, 7, NULL, NULL, 8)")
		a.both(t,
			"CREATE VIEW some AS SELECT id, o, amount, n FROM line WHERE w > 1", "CREATE VIEW upon AS SELECT o + 1 AS p, amount FROM some", "CREATE VIEW rest AS SELECT id, n FROM line WHERE amount IS NULL",
			"CREATE VIEW counted AS SELECT w, COUNT(amount) AS c, COUNT(*) AS d FROM line GROUP BY w", "CREATE ALGORITHM = TEMPTABLE SQL SECURITY INVOKER VIEW two AS SELECT l.o, m.amount FROM line l JOIN line m ON l.id = m.id",
			"SELECT * FROM some ORDER BY id", "SELECT * FROM upon ORDER BY p", "SELECT * FROM rest", "SELECT * FROM counted ORDER BY w", "SELECT * FROM two ORDER BY o", "SELECT COUNT(*) FROM some WHERE amount IS NOT NULL",
			"SHOW CREATE VIEW some", "SHOW COLUMNS FROM some", "SHOW FULL COLUMNS FROM counted", "SELECT COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'THESCHEMA' AND TABLE_NAME = 'upon' ORDER BY ORDINAL_POSITION",
			"UPDATE some SET amount = 9 WHERE o = 6", "UPDATE some SET o = 5, amount = 8 WHERE id = 1", "DELETE FROM some WHERE o = 5", "SELECT * FROM line ORDER BY id",
			"CREATE VIEW most AS SELECT id, o, w, amount FROM line", "INSERT INTO most (o, w, amount) VALUES (3, 4, 5)", "SELECT * FROM most ORDER BY o",
			"INSERT INTO most (o, w, amount) VALUES (3, 5, 500)", "INSERT INTO line (o, w, amount) VALUES (3, 6, 5), (3, 7, 500)", "SELECT o, w FROM line ORDER BY o, w",
		)
		for _, of := range namingMembers {
			refusesAs(t, a.tunnel, of[0], of[1])
		}
		a.both(t, // what the server does not know of them tunic does
			"CREATE TABLE made (a INT COMMENT 'tunic: sealed family f', b INT AS (a + 1), c INT COMMENT 'tunic: plain', CHECK (a > c))", "INSERT INTO made (a, c) VALUES (1, 2)", "INSERT INTO made (a, c) VALUES (2, 1)", "SELECT * FROM made", "DROP TABLE made",
			"CREATE TABLE made AS SELECT amount, o FROM line", "SELECT * FROM made ORDER BY o", "DROP TABLE made",
			"SELECT `line$form` FROM line", "SELECT DEFAULT(amount) FROM line", "SHOW COLUMNS FROM line LIKE 'line$form'", "SHOW COLUMNS FROM line WHERE Field LIKE '%form'", "SHOW COLUMNS FROM line WHERE Extra LIKE '%VIRTUAL%'",
		)
		a.both(t, "DROP VIEW upon, some, rest, counted, two, most", "DROP TABLE line")
	})
}

// namingMembers are definitions and statements that would have the server read a column of a family, with the codes of their
// refusals.
var namingMembers = [][2]string{
	{"TUNIC-2032", "CREATE TABLE made (a INT COMMENT 'tunic: sealed family f', b INT AS (a + 1) COMMENT 'tunic: plain')"},
	{"TUNIC-2035", "CREATE TABLE made (a INT COMMENT 'tunic: sealed family f', b INT DEFAULT (a + 1) COMMENT 'tunic: plain')"},
	{"TUNIC-2037", "CREATE TABLE made (a INT COMMENT 'tunic: sealed family f', b INT COMMENT 'tunic: plain', KEY ((a + b)))"},
	{"TUNIC-2039", "CREATE TABLE made (a INT COMMENT 'tunic: sealed family f') PARTITION BY HASH (a)"},
	{"TUNIC-2043", "CREATE TABLE made (a INT PRIMARY KEY COMMENT 'tunic: plain', b SMALLINT COMMENT 'tunic: plain', FOREIGN KEY (b) REFERENCES line (w))"},
	{"TUNIC-2006", "CREATE TABLE made (a INT COMMENT 'tunic: plain') AS SELECT amount AS a FROM line"},
	{"TUNIC-2006", "INSERT INTO open_book (id) SELECT o FROM line"},
	{"TUNIC-2001", "CREATE TRIGGER made BEFORE INSERT ON line FOR EACH ROW SET NEW.n = NEW.o"},
	{"TUNIC-2001", "CREATE PROCEDURE made() SELECT o FROM line"},
	{"TUNIC-2001", "CREATE FUNCTION made() RETURNS INT RETURN (SELECT MAX(o) FROM line)"},
	{"TUNIC-2001", "CREATE EVENT made ON SCHEDULE EVERY 1 DAY DO DELETE FROM line WHERE o IS NULL"},
	{"TUNIC-2001", "SELECT o INTO OUTFILE '/nowhere' FROM line"},
	{"TUNIC-2001", "HANDLER line OPEN"},
	{"TUNIC-2001", "CHECKSUM TABLE line"},
}

// TestFamilyChanged: questions about a table with a family, and views of it, are answered as on a plain server when its columns
// have changed.
func TestFamilyChanged(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		a.both(t, withFamily, "INSERT INTO line (o, w, amount, info, n) VALUES (1, 2, 3, 'four', 5), (6, 7, NULL, NULL, 8)", "CREATE VIEW part AS SELECT id, amount, o FROM line")
		for _, change := range []string{
			"ALTER TABLE line ADD COLUMN more INT DEFAULT 4 COMMENT 'tunic: sealed family line' AFTER o", "ALTER TABLE line ADD COLUMN last DATE COMMENT 'tunic: sealed family line'",
			"ALTER TABLE line RENAME COLUMN last TO final", "ALTER TABLE line DROP COLUMN more",
		} {
			a.both(t, change)
			a.both(t,
				"SHOW FULL COLUMNS FROM line", "SHOW CREATE TABLE line", "SHOW INDEX FROM line", "SELECT * FROM line ORDER BY id", "SELECT * FROM part ORDER BY id", "SHOW COLUMNS FROM part",
				"SELECT COLUMN_NAME, ORDINAL_POSITION, COLUMN_TYPE, COLUMN_DEFAULT, EXTRA, COLUMN_COMMENT FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'THESCHEMA' AND TABLE_NAME = 'line' ORDER BY ORDINAL_POSITION",
			)
		}
		a.both(t, "DROP VIEW part", "DROP TABLE line")
	})
}
