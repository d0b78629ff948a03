package plan

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// TestInquire: which questions the server answers as it is, which are changed, and
// which are refused.
func TestInquire(t *testing.T) {
	known := plantest.Tables(t)
	for _, c := range []struct{ schema, text, want string }{
		{"test", "SHOW TABLES", "forward"},
		{"test", "SHOW COLUMNS FROM nosuch", "forward"},
		{"other", "SHOW COLUMNS FROM person", "forward"},
		{"test", "SHOW COLUMNS FROM person", "introspect"},
		{"other", "SHOW FULL FIELDS FROM test.person", "introspect"},
		{"test", "DESC person", "introspect"},
		{"test", "SHOW COLUMNS FROM person WHERE `Key` = 'PRI'", "introspect [Key]"},
		{"test", "SHOW COLUMNS FROM person WHERE `Null` = 'NO' AND `Key` IS NOT NULL", "introspect [Null Key]"},
		{"test", "SHOW COLUMNS FROM person WHERE `Default` = 'x'", "refuse"},
		{"test", "SHOW INDEX FROM person WHERE Column_name = 'name'", "introspect [Column_name]"},
		{"test", "SHOW COLUMNS FROM person; SELECT 1", "each"},
		{"test", "SHOW DATABASES", "introspect"},
		{"test", "SHOW TABLE STATUS", "introspect"},
		{"other", "SHOW TABLE STATUS", "forward"},
		{"other", "SHOW TABLES FROM _tunic", "refuse"},
		{"_TUNIC", "SHOW TABLES", "refuse"},
		{"test", "SELECT * FROM information_schema.columns", "introspect [columns as columns]"},
		{"test", "SELECT * FROM INFORMATION_SCHEMA.Columns c", "introspect [columns]"},
		{"test", "SELECT `columns`.a, information_schema.columns.b FROM information_schema.columns", "introspect [- columns as columns]"},
		{"test", "SELECT * FROM information_schema.tables t JOIN information_schema.STATISTICS USING (a)", "introspect [tables statistics as STATISTICS]"},
		{"test", "SELECT * FROM columns", "forward"},
		{"information_schema", "SELECT * FROM columns", "introspect [columns as columns]"},
		{"test", "SELECT * FROM information_schema.engines", "forward"},
		{"test", "SELECT tables FROM plain_table", "forward"},
		{"test", "SELECT * FROM information_schema.innodb_columns", "refuse"},
		{"test", "SELECT * FROM information_schema.innodb_trx", "forward"},
		{"test", "SELECT * FROM information_schema.st_geometry_columns", "forward"},
		{"test", "SELECT name FROM person WHERE name IN (SELECT column_name FROM information_schema.columns)", "refuse"},
		{"test", "CREATE VIEW v AS SELECT * FROM information_schema.columns", "refuse"},
		{"test", "EXPLAIN SELECT * FROM information_schema.columns", "forward"},
		{"test", "SET @a = (SELECT COUNT(*) FROM information_schema.tables)", "set_variables"},
		{"test", "SELECT id FROM tunic.jobs", "introspect [tunic.jobs as jobs]"},
		{"test", "EXPLAIN SELECT id FROM tunic.jobs", "refuse"},
		{"test", "EXPLAIN FORMAT=JSON SELECT id FROM Tunic.Layers l", "refuse"},
		{"test", "ANALYZE SELECT id FROM tunic.jobs", "refuse"},
		{"test", "EXPLAIN SELECT id FROM tunic.other", "forward"},
		{"tunic", "EXPLAIN SELECT id FROM jobs", "forward"},
		{"test", "DESCRIBE tunic.jobs", "refuse"},
		{"test", "EXPLAIN tunic.layers", "refuse"},
		{"test", "SHOW COLUMNS FROM jobs FROM tunic", "refuse"},
		{"test", "SHOW CREATE TABLE tunic.jobs", "refuse"},
		{"test", "SHOW INDEX FROM tunic.layers", "refuse"},
		{"tunic", "DESCRIBE jobs", "forward"},
		{"test", "INSERT INTO tunic.jobs (id) VALUES (1)", "own"},
		{"test", "INSERT INTO tunic.jobs SELECT * FROM tunic.jobs", "own"},
		{"test", "REPLACE INTO `TUNIC` . `Layers` SET a = 1", "own"},
		{"test", "UPDATE tunic.jobs SET state = 'done'", "own"},
		{"test", "UPDATE plain_table p JOIN tunic.jobs j USING (id) SET p.a = 1", "own"},
		{"test", "DELETE FROM tunic.jobs WHERE id = 1", "own"},
		{"test", "DELETE j FROM plain_table, tunic.jobs j", "own"},
		{"test", "DELETE jobs FROM tunic.jobs", "own"},
		{"test", "LOAD DATA INFILE 'x' INTO TABLE tunic.jobs", "own"},
		{"test", "TRUNCATE tunic.jobs", "own"},
		{"test", "DROP TABLE a, tunic.layers", "own"},
		{"test", "CREATE TABLE tunic.jobs (a INT)", "own"},
		{"test", "ALTER TABLE a RENAME TO tunic.jobs", "own"},
		{"test", "CREATE INDEX i ON tunic.jobs (a)", "own"},
		{"test", "CREATE VIEW v AS SELECT id FROM tunic.jobs", "own"},
		{"test", "LOCK TABLES tunic.jobs WRITE", "own"},
		{"test", "INSERT INTO tunic.jobs (((", "own"},
		{"test", "INSERT INTO plain_table SELECT id FROM tunic.jobs", "introspect [tunic.jobs as jobs]"},
		{"test", "DELETE p FROM plain_table p JOIN tunic.jobs j ON p.id = j.id", "introspect [tunic.jobs]"},
		{"test", "UPDATE plain_table tunic SET tunic.jobs = 1", "forward"},
		{"test", "INSERT INTO tunic.other VALUES (1)", "forward"},
		{"tunic", "INSERT INTO jobs VALUES (1)", "forward"},
		{"test", "CREATE TABLE t (a INT)", "define"},
		{"test", "SELECT a b c FROM information_schema.columns", "refuse"},
		{"test", "WITH columns AS (SELECT 1) SELECT * FROM information_schema.columns", "refuse"},
	} {
		fp := new(sql.Fingerprinter)
		planner := New(Options{})
		p := planner.PlanWith(known, fp, []byte(c.text), 0, c.schema)
		if got := describeInquiry(p); got != c.want {
			t.Errorf("%s: %s: %s, want %s", c.schema, c.text, got, c.want)
		}
		if Is[*Introspect](p) && reusable(p) {
			t.Errorf("%s: the plan is for one text, and would be kept", c.text)
		}
	}
}

func describeInquiry(p *Plan) string {
	if errors.Is(p.Refusal(), sqlerr.OwnTable("jobs")) || errors.Is(p.Refusal(), sqlerr.OwnTable("layers")) {
		return "own"
	}
	if p.Inquiry() == nil {
		return p.ActionName()
	}
	var edits []string
	for _, e := range p.Inquiry().Edits {
		switch {
		case e.Column != "":
			edits = append(edits, e.Column)
		case e.Relation == "":
			edits = append(edits, "-")
		case e.Alias == "":
			edits = append(edits, e.Relation)
		default:
			edits = append(edits, e.Relation+" as "+e.Alias)
		}
	}
	return strings.TrimSuffix(fmt.Sprintf("%s [%s]", p.ActionName(), strings.Join(edits, " ")), " []")
}
