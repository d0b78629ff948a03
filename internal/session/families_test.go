package session

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// refusesAs wants a statement to be refused with a code.
func refusesAs(t *testing.T, p *wiretest.Peer, code, statement string) {
	t.Helper()
	if got := told(t, p, statement); len(got) != 1 || !strings.Contains(got[0], "see tunic help "+code) {
		t.Errorf("%s: %s, want %s", statement, got, code)
	}
}

// TestFamilyGranted: privileges on columns of a family are not given alone. Who has some on the table's other columns may use
// those, and is told of the others what a plain server tells him.
func TestFamilyGranted(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		if err := a.server.Exec(t.Context(), "DROP USER IF EXISTS some@'%', whole@'%'", "CREATE USER some@'%' IDENTIFIED BY 'some'", "CREATE USER whole@'%' IDENTIFIED BY 'whole'"); err != nil {
			t.Fatal(err)
		}
		a.both(t, withFamily, "INSERT INTO line (o, w, amount, info, n) VALUES (1, 2, 3, 'four', 5), (6, 7, NULL, NULL, 8)")
		for _, s := range []string{
			"GRANT SELECT (o) ON line TO some", "GRANT SELECT (id, `AMOUNT`) ON shop.line TO some", "GRANT INSERT (w), UPDATE (n) ON TABLE line TO some", "GRANT REFERENCES (o) ON line TO some",
		} {
			refusesAs(t, a.tunnel, "TUNIC-2068", s)
		}
		a.both(t, "GRANT SELECT (id, n, info), INSERT (n), UPDATE (n, info) ON line TO some", "GRANT SELECT, INSERT, UPDATE, DELETE ON line TO whole")
		some, whole := *a, *a
		some.direct, some.tunnel = a.connect(t, "some", "some")
		whole.direct, whole.tunnel = a.connect(t, "whole", "whole")
		some.both(t,
			"SHOW COLUMNS FROM line", "SHOW FULL COLUMNS FROM line",
			"SELECT column_name, privileges FROM information_schema.columns WHERE table_schema = 'THESCHEMA' ORDER BY ordinal_position",
			"SELECT TABLE_NAME, COLUMN_NAME, PRIVILEGE_TYPE FROM information_schema.COLUMN_PRIVILEGES WHERE TABLE_SCHEMA = 'THESCHEMA'",
			"SELECT id, n, info FROM line ORDER BY id", "SELECT info FROM line WHERE n = 5", "UPDATE line SET n = 9 WHERE n = 5", "UPDATE line SET info = 'five' WHERE id = 1", "SELECT n, info FROM line WHERE id = 1",
			"SELECT o FROM line", "SELECT amount, id FROM line", "SELECT id FROM line WHERE w = 2", "SELECT id FROM line WHERE o > 2", "SELECT amount + 1 FROM line", "SELECT id, w FROM line ORDER BY amount",
			"SELECT l.amount FROM line l JOIN line m USING (id)",
		)
		if grants := strings.Join(told(t, some.tunnel, "SHOW GRANTS"), "\n"); strings.Contains(grants, "$") || strings.Count(grants, "`line`") != 2 {
			t.Errorf("told of %s", grants)
		}
		whole.both(t, "SELECT * FROM line ORDER BY id", "UPDATE line SET amount = 4 WHERE o = 6", "INSERT INTO line (o, w, n) VALUES (9, 9, 9)", "DELETE FROM line WHERE w = 2", "SELECT o, w, amount FROM line ORDER BY id")
		a.both(t, "GRANT CREATE VIEW, DROP ON THESCHEMA.* TO some")
		some.both(t, "USE THESCHEMA", "CREATE VIEW own AS SELECT id, n FROM line")
		if got := told(t, some.tunnel, "CREATE VIEW more AS SELECT id, o FROM line"); len(got) != 1 || !strings.Contains(got[0], "error 1143 (42000)") || !strings.Contains(got[0], "column 'o' in table 'line'") {
			t.Errorf("a view of what the account may not read: %s", got)
		}
		a.both(t, "GRANT SELECT ON own TO some")
		some.both(t, "SELECT * FROM own ORDER BY id", "DROP VIEW own")
		a.both(t, // it moves the fence, for which there is no privilege then
			"CREATE TABLE child (id INT PRIMARY KEY, w SMALLINT, o INT, FOREIGN KEY (w, o) REFERENCES line (w, o) ON DELETE SET NULL)")
		some.both(t, "SELECT id, n, info FROM line ORDER BY id", "UPDATE line SET n = 10 WHERE id = 1", "SELECT o FROM line", "SELECT n FROM line WHERE o = 6")
		a.both(t, "DROP TABLE child", "REVOKE UPDATE (n) ON line FROM some", "REVOKE SELECT (o) ON line FROM some", "REVOKE ALL ON line FROM whole", "DROP TABLE line")
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
