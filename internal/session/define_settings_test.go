package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/racetest"
	"tunic/internal/wire/wiretest"
)

// TestDefinitionsAfterSet: what a definition comes to goes by what the session is like then, and
// not by what it was when a statement before asked.
func TestDefinitionsAfterSet(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(t *testing.T, a *asked) {
		for _, c := range definedAfterSet {
			t.Run(c.name, func(t *testing.T) {
				want, got := definedAfter(t, a.direct, c.statements, c.query), definedAfter(t, a.tunnel, c.statements, c.query)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-plain +tunic)\n%s", diff)
				}
			})
		}
		for _, statements := range refusedAfterSet {
			const rows = "SELECT * FROM later ORDER BY id"
			before := definedAfter(t, a.tunnel, nil, rows)
			got := definedAfter(t, a.tunnel, statements, rows)
			if at := len(got) - len(before); at != 1 || !strings.HasPrefix(got[0], "error ") || !slices.Equal(before, got[1:]) {
				t.Errorf("%q: %q, want an error, and %q", statements, got, before)
			}
		}
	})
}

// definedAfter is what statements are answered, and a query then, in a session that has used a
// table before.
func definedAfter(t *testing.T, p *wiretest.Peer, statements []string, query string) (all []string) {
	t.Helper()
	for _, s := range []string{
		"SET sql_mode = 'STRICT_TRANS_TABLES', time_zone = '+00:00'", "DROP TABLE IF EXISTS later, made", "DROP VIEW IF EXISTS seen",
		"CREATE TABLE later (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT, s VARCHAR(20) CHARACTER SET utf8mb4)",
		"INSERT INTO later VALUES (1, NULL, 'a'), (2, 100000, 'b')",
	} {
		told(t, p, s)
	}
	for _, s := range statements {
		all = append(all, told(t, p, s)...)
	}
	told(t, p, "SET NAMES utf8mb4")
	told(t, p, "SET time_zone = '+00:00'")
	return append(all, told(t, p, query)...)
}

// definedAfterSet are statements that the session is changed by, and definitions that go by it.
var definedAfterSet = []struct {
	name       string
	statements []string
	query      string
}{
	{"strictness", []string{"SET sql_mode = ''", "ALTER TABLE later MODIFY n SMALLINT"}, "SELECT id, n FROM later ORDER BY id"},
	{"strict again", []string{"SET sql_mode = ''", "ALTER TABLE later MODIFY n INT", "SET sql_mode = 'STRICT_ALL_TABLES'", "ALTER TABLE later MODIFY n SMALLINT"}, "SELECT id, n FROM later ORDER BY id"},
	{"time zone", []string{"SET time_zone = '+05:00'", "ALTER TABLE later ADD at TIMESTAMP DEFAULT '2020-01-01 00:00:00'"}, "SELECT id, at FROM later ORDER BY id"},
	{
		"time zone of a new table",
		[]string{"SET time_zone = '+05:00'", "CREATE TABLE made (id INT, at TIMESTAMP DEFAULT '2020-01-01 00:00:00')", "INSERT INTO made (id) VALUES (1)"},
		"SELECT id, at FROM made",
	},
	{"modes of a view", []string{"SET sql_mode = 'ANSI_QUOTES'", `CREATE VIEW seen AS SELECT id, "s" AS e FROM later`}, "SELECT id, e FROM seen ORDER BY id"},
}

// refusedAfterSet are those that tunic refuses there, or that the server does where it would lose
// values.
var refusedAfterSet = [][]string{
	{"SET sql_mode = ''", "ALTER TABLE later MODIFY n INT NOT NULL"},
	{"SET NAMES latin1", "ALTER TABLE later ADD e VARCHAR(20) CHARACTER SET utf8mb4 DEFAULT '\xe9'"},
	{"SET NAMES latin1", "CREATE TABLE made (id INT, e VARCHAR(20) CHARACTER SET utf8mb4 DEFAULT '\xe9')"},
	{"SET NAMES latin1", "CREATE TABLE made SELECT id, CONCAT(s, '\xe9') AS e FROM later"},
	{"SET NAMES latin1", "CREATE VIEW seen AS SELECT id, CONCAT(s, '\xe9') AS e FROM later"},
}
