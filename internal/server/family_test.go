package server

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// familyTable has columns of two families, one that is sealed by itself and a plain one.
const familyTable = "CREATE TABLE line (id INT AUTO_INCREMENT PRIMARY KEY, o INT NOT NULL COMMENT 'the order; tunic: order family line', w SMALLINT NOT NULL DEFAULT 7 COMMENT 'tunic: equality family line'," +
	" info CHAR(24), amount DECIMAL(6,2) DEFAULT 1.50 COMMENT 'tunic: family line', e ENUM('x','y') COMMENT 'tunic: family e', twice INT AS (o * 2) STORED COMMENT 'tunic: family e'," +
	" n INT COMMENT 'tunic: plain', UNIQUE KEY k (w, o), KEY later (e), CONSTRAINT low CHECK (amount > 0)) COMMENT = 'lines'"

// TestFamilyIsNotSeen: who asks what a table with families is like is told what a plain server tells.
func TestFamilyIsNotSeen(t *testing.T) {
	throughAndDirectly(t, func(t *testing.T, db, root *sql.DB) {
		mustExec(t, db, familyTable)
		mustExec(t, root, "CREATE DATABASE plainly", strings.Replace(familyTable, "TABLE line", "TABLE plainly.line", 1))
		for _, query := range []string{
			"SHOW COLUMNS FROM S.line", "SHOW FULL COLUMNS FROM S.line", "DESCRIBE S.line", "DESCRIBE S.line o", "SHOW COLUMNS FROM S.line LIKE '%form'", "SHOW CREATE TABLE S.line", "SHOW INDEX FROM S.line",
			"SELECT column_name, ordinal_position, column_default, is_nullable, data_type, character_maximum_length, numeric_precision, column_type, column_key, extra, column_comment, generation_expression" +
				" FROM information_schema.columns WHERE table_schema = 'S' ORDER BY ordinal_position",
			"SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = 'S' AND column_name LIKE '%form'",
			"SELECT index_name, non_unique, seq_in_index, column_name, nullable FROM information_schema.statistics WHERE table_schema = 'S' ORDER BY index_name, seq_in_index",
			"SELECT constraint_name, column_name, ordinal_position FROM information_schema.key_column_usage WHERE table_schema = 'S' ORDER BY 1, 3",
			"SELECT constraint_name, constraint_type FROM information_schema.table_constraints WHERE table_schema = 'S' ORDER BY 1",
			"SELECT constraint_name FROM information_schema.check_constraints WHERE constraint_schema = 'S' ORDER BY 1",
			"SELECT table_comment FROM information_schema.tables WHERE table_schema = 'S'",
			"SELECT column_name, privilege_type FROM information_schema.column_privileges WHERE table_schema = 'S'",
		} {
			got := textOf(t, db, strings.NewReplacer("S.line", "test.line", "'S'", "'test'").Replace(query))
			want := textOf(t, root, strings.NewReplacer("S.line", "plainly.line", "'S'", "'plainly'").Replace(query))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-plain +tunic):\n%s", query, diff)
			}
		}
	})
}

// TestFamilyGoes: a table with families is made, emptied, renamed, copied, changed and dropped by clients, and nothing is left of it.
func TestFamilyGoes(t *testing.T) {
	throughAndDirectly(t, func(t *testing.T, db, root *sql.DB) {
		mustExec(t, db, familyTable, "CREATE TABLE copy LIKE line", "TRUNCATE TABLE line", "RENAME TABLE line TO moved", "ALTER TABLE moved RENAME TO line", "OPTIMIZE TABLE line", "ANALYZE TABLE line")
		mustExec(t, db, "ALTER TABLE line ADD COLUMN x INT", "CREATE INDEX i ON line (amount)", "DROP INDEX later ON line", "ALTER TABLE line DROP COLUMN x")
		mustExec(t, db, "DROP TABLE line", "DROP TABLE copy")
		if left := textOf(t, root, "SELECT table_name FROM information_schema.tables WHERE table_schema IN ('test', '_tunic') AND (table_schema = 'test' OR table_name LIKE 't\\_%')"); len(left) > 0 {
			t.Errorf("left is %v", left)
		}
	})
}
