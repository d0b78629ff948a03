package session

import (
	"slices"
	"strings"
	"testing"
)

// TestLostRowsUndo: a statement whose rows take others with them that it would write as
// well is refused, and has done nothing then: neither by itself nor in a transaction of the
// client's.
func TestLostRowsUndo(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		for _, statement := range []string{
			"CREATE TABLE top (k INT PRIMARY KEY COMMENT 'tunic: equality')",
			"CREATE TABLE mid (k INT PRIMARY KEY COMMENT 'tunic: equality', FOREIGN KEY (k) REFERENCES top (k) ON DELETE CASCADE)",
			"CREATE TABLE low (id INT PRIMARY KEY COMMENT 'tunic: plain', k INT COMMENT 'tunic: equality', " +
				"FOREIGN KEY (k) REFERENCES mid (k) ON DELETE CASCADE)",
			"INSERT INTO top VALUES (1), (2)", "INSERT INTO mid VALUES (1), (2)", "INSERT INTO low VALUES (1, 1), (2, 2)",
			"CREATE TABLE tree (id INT PRIMARY KEY COMMENT 'tunic: plain', up INT COMMENT 'tunic: plain', " +
				"FOREIGN KEY (up) REFERENCES tree (id) ON DELETE CASCADE)",
			"INSERT INTO tree VALUES (1, NULL), (2, 1)",
		} {
			told(t, a.tunnel, statement)
		}
		state := func() []string {
			return slices.Concat(told(t, a.tunnel, "SELECT COUNT(*) FROM top"), told(t, a.tunnel, "SELECT COUNT(*) FROM mid"),
				told(t, a.tunnel, "SELECT id FROM low ORDER BY id"), told(t, a.tunnel, "SELECT id FROM tree ORDER BY id"))
		}
		before := state()
		for _, statement := range []string{
			"DELETE top, low FROM top JOIN low ON low.k = top.k WHERE top.k = 1",
			"DELETE tree FROM tree JOIN top ON top.k = tree.id",
		} {
			for _, around := range [][2]string{{"DO 0", "DO 0"}, {"BEGIN", "COMMIT"}} {
				told(t, a.tunnel, around[0])
				if answer := told(t, a.tunnel, statement); len(answer) != 1 || !strings.Contains(answer[0], "TUNIC-2001") {
					t.Fatalf("%s: %q, want a refusal", statement, answer)
				}
				told(t, a.tunnel, around[1])
				if after := state(); !slices.Equal(before, after) {
					t.Errorf("%s: it was refused, and left %q of %q", statement, after, before)
				}
			}
		}
	})
}
