package difftest

import (
	"context"
	"slices"
	"testing"
)

func failedReply(label, message string) Reply {
	return Reply{Label: label, Results: []Result{{ErrNumber: 1235, Fields: []Field{{"error.message", message}}}}}
}

func TestRefusedStatement(t *testing.T) {
	refused := "\"TUNIC-2010: this is not computed\""
	tests := []struct {
		name       string
		replies    []Reply
		code       string
		executions []int
	}{
		{name: "an answer", replies: []Reply{{Label: "query"}}},
		{name: "an error of the server", replies: []Reply{failedReply("query", "Table 'x' doesn't exist")}},
		{name: "an error of tunic that is no refusal", replies: []Reply{failedReply("query", "TUNIC-5005: malformed")}},
		{name: "a query", replies: []Reply{failedReply("query", refused), {Label: warningsLabel}}, code: "TUNIC-2010"},
		{name: "what tunic tells of a refusal before", replies: []Reply{{Label: "query"}, failedReply(warningsLabel, refused)}},
		{name: "at prepare", replies: []Reply{failedReply("prepare", refused)}, code: "TUNIC-2010"},
		{
			name: "two executions", code: "TUNIC-2010", executions: []int{1, 2},
			replies: []Reply{{Label: "prepare"}, {Label: "execute-0"}, failedReply("execute-1", refused), failedReply("execute-2", refused), {Label: "close"}},
		},
		{name: "while rows are fetched", replies: []Reply{{Label: "execute-0"}, failedReply("fetch-0-1", refused)}, code: "TUNIC-2010", executions: []int{0}},
	}
	for _, test := range tests {
		got := refusedStatement(test.replies)
		switch {
		case got == nil && test.code == "":
		case got == nil || got.code != test.code || !slices.Equal(got.executions, test.executions):
			t.Errorf("%s: %+v, want %s of %v", test.name, got, test.code, test.executions)
		}
	}
}

func TestWithoutExecutions(t *testing.T) {
	var replies []Reply
	for _, label := range []string{"prepare", warningsLabel, "execute-0", warningsLabel, "execute-1", "fetch-1-0", warningsLabel, "execute-2", "close"} {
		replies = append(replies, Reply{Label: label})
	}
	if got := labels(withoutExecutions(replies, []int{0, 1})); got != "prepare warnings execute-2 close" {
		t.Errorf("left: %s", got)
	}
}

func TestStatementKind(t *testing.T) {
	for text, want := range map[string]string{
		"select 1":                                "SELECT",
		"(SELECT 1) UNION SELECT 2":               "SELECT",
		"CREATE TABLE IF NOT EXISTS t (a INT)":    "CREATE TABLE",
		"CREATE OR REPLACE VIEW v AS SELECT 1":    "CREATE VIEW",
		"CREATE UNIQUE INDEX i ON t (a)":          "CREATE INDEX",
		"CREATE TEMPORARY TABLE t (a INT)":        "CREATE TABLE",
		"INSERT IGNORE INTO t VALUES (1)":         "INSERT",
		"SHOW FULL COLUMNS FROM t":                "SHOW COLUMNS",
		"TRUNCATE t":                              "TRUNCATE T",
		"\n WITH x AS (SELECT 1) SELECT * FROM x": "WITH",
	} {
		step := &Step{SQL: text}
		if got := statementKind(step); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]bool{"SELECT 1": true, "SHOW TABLES": true, "INSERT INTO t VALUES (1)": false, "SET @a = 1": false} {
		if got := onlyReads(&Step{SQL: text}); got != want {
			t.Errorf("%s: only reads is %v", text, got)
		}
	}
}

func TestWithoutValue(t *testing.T) {
	for message, want := range map[string]string{
		"Duplicate entry 'alice' for key 'name'":                                  "Duplicate entry for key 'name'",
		"Duplicate entry 'it's' for key 'x' for key 'name'":                       "Duplicate entry for key 'name'",
		"Incorrect integer value: 'abc' for column `d`.`t`.`a` at row 1":          "Incorrect integer value for column `d`.`t`.`a` at row 1",
		"BIGINT UNSIGNED value is out of range in '(`difftest`.`t`.`f` - 100)'":   "BIGINT UNSIGNED value is out of range",
		"Table 'difftest.t' doesn't exist":                                        "Table 'difftest.t' doesn't exist",
		"Column 'value' cannot be null; Incorrect DATE value: '2' for nothing, 3": "Column 'value' cannot be null; Incorrect DATE value for nothing, 3",
	} {
		if got := withoutValue(message); got != want {
			t.Errorf("%s\n%s, want\n%s", message, got, want)
		}
	}
}

// TestRefusedStatementsAreNotRun: a table that only the plain server has bears the
// name of a refusal, so that what reads it is refused on one side and would succeed on
// the other. If it ran there, the tables that remain would differ.
func TestRefusedStatementsAreNotRun(t *testing.T) {
	p := startPair(t, "mariadb")
	const name = "test.`TUNIC-2001`"
	if err := p.servers[0].Exec(t.Context(), "CREATE TABLE IF NOT EXISTS "+name+" (a INT)", "INSERT INTO "+name+" VALUES (2)"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.servers[0].Exec(context.WithoutCancel(t.Context()), "DROP TABLE "+name); err != nil {
			t.Error(err)
		}
	})
	script, err := ParseScript("refused.test", `
CREATE TABLE a (pk INT PRIMARY KEY);

INSERT INTO a VALUES (1);

INSERT INTO a SELECT a FROM test.`+"`TUNIC-2001`"+`;

-- follows
SELECT ROW_COUNT();

INSERT INTO a VALUES (3);

-- error 1062
INSERT INTO a VALUES (2), (1);
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, config := range []string{"text", "prepared"} {
		r := &Runner{Flavor: "mariadb", Direct: p.direct(0), Proxied: p.direct(1), Protected: &Protected{Policy: plainly, Refusals: Allowance{}}}
		check(t, run(t, r, []*Script{script}, []*Config{findConfig(config)}))
		want := Allowance{Refused{"mariadb", "plain", config, "TUNIC-2001", "INSERT"}: 1}
		if got := r.Protected.Refusals.String(); got != want.String() {
			t.Errorf("%s: refusals counted:\n%s", config, got)
		}
	}
}
