package session

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// preparedOnce are statements that are executed again and again while their table
// changes.
var preparedOnce = []string{
	"SELECT code, k FROM changing WHERE id = 1",
	"SELECT SUM(k) FROM changing WHERE code LIKE 'x%'",
	"UPDATE changing SET k = k + 1 WHERE id = 1",
	"INSERT INTO changing (id, code, k) VALUES (1, 'x', 5) ON DUPLICATE KEY UPDATE k = k + VALUES(k)",
	"DELETE FROM changing WHERE code = 'nobody'",
	"EXPLAIN SELECT k FROM changing WHERE code = 'x'",
	"SHOW COLUMNS FROM changing",
}

// TestRenewed: what was prepared before a table has changed is executed as on a plain
// server, which prepares it anew itself, and fails as there once the table is gone.
func TestRenewed(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		if diff := cmp.Diff(toldChanging(t, a.direct), toldChanging(t, a.tunnel)); diff != "" {
			t.Error(diff)
		}
	})
}

// toldChanging is told of executions before and after each change of a table.
func toldChanging(t *testing.T, p *wiretest.Peer) (all []string) {
	t.Helper()
	changes := []string{
		"CREATE TABLE changing (id INT PRIMARY KEY, code VARCHAR(20) NOT NULL, k INT, UNIQUE KEY (code))",
		"ALTER TABLE changing ADD note VARCHAR(10)",
		"ALTER TABLE changing MODIFY k BIGINT",
		"DROP TABLE changing",
		"CREATE TABLE changing (id INT PRIMARY KEY, code VARCHAR(20) NOT NULL, k INT, UNIQUE KEY (code))",
		"DROP TABLE changing",
	}
	numbers := map[string]uint32{}
	for _, change := range changes {
		told(t, p, change)
		if len(numbers) == 0 {
			told(t, p, "INSERT INTO changing VALUES (1, 'x', 10), (2, 'xy', 20)")
			for _, s := range preparedOnce {
				n, err := prepareStatement(p, s)
				if err != nil {
					t.Fatalf("%s: %v", s, err)
				}
				numbers[s] = n
			}
		}
		for _, s := range preparedOnce {
			rows := toldExecuted(t, p, s, numbers[s], 0)
			if strings.HasPrefix(s, "EXPLAIN") && !strings.HasPrefix(rows[0], "error") {
				rows = rows[:0] // they are of another table
			}
			all = append(append(all, change+": "+s), rows...)
		}
		all = append(all, told(t, p, "SELECT * FROM changing ORDER BY id")...)
	}
	return all
}

// TestSentAheadLater: parts of a parameter of a statement that was the server's are not sent to it once a table of it is
// protected.
func TestSentAheadLater(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		exec := func(p *wiretest.Peer, statement string) {
			t.Helper()
			if _, err := p.Query(statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		sent := func() string {
			return strings.Join(told(t, a.tunnel, "SHOW STATUS LIKE 'Com_stmt_send_long_data'"), ",")
		}
		exec(a.direct, "CREATE TABLE shop.ahead (id INT PRIMARY KEY, v VARCHAR(40))")
		n, err := prepareStatement(a.tunnel, "SELECT v FROM ahead WHERE id < ? AND v = ?")
		if err != nil {
			t.Fatal(err)
		}
		other, err := prepareStatement(a.tunnel, "SELECT ? + ?")
		if err != nil {
			t.Fatal(err)
		}
		ahead := func(number uint32) {
			if err := a.tunnel.Command(aheadOf(number, "value")); err != nil {
				t.Fatal(err)
			}
		}
		before := sent()
		if ahead(n); sent() == before {
			t.Error("the server has not got a part for a plain table")
		}
		exec(a.direct, "DROP TABLE shop.ahead")
		exec(a.tunnel, "CREATE TABLE ahead (id INT PRIMARY KEY, v VARCHAR(40))")
		before = sent()
		if ahead(n); sent() != before {
			t.Error("the server has got a part of a value for a protected table")
		}
		if got := toldExecuted(t, a.tunnel, "the statement", n, 0); !strings.HasPrefix(got[0], "error 1615") {
			t.Errorf("executed with a part that nobody has: %s", got)
		}
		if ahead(other); sent() == before {
			t.Error("the server has not got a part for no table")
		}
	})
}

// TestResetAfterWithheld: COM_STMT_RESET takes back parts that the server has not got, so that the statement is executed with the
// values that the execution has, over the table as it is by then.
func TestResetAfterWithheld(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		exec := func(p *wiretest.Peer, statement string) {
			t.Helper()
			if _, err := p.Query(statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		exec(a.direct, "CREATE TABLE shop.reset_ahead (id INT PRIMARY KEY, v VARCHAR(40))")
		exec(a.direct, "INSERT INTO shop.reset_ahead VALUES (1, 'clear')")
		n, err := prepareStatement(a.tunnel, "SELECT v FROM reset_ahead WHERE id < ? AND v = ?")
		if err != nil {
			t.Fatal(err)
		}
		ahead := func(part string) {
			if err := a.tunnel.Command(aheadOf(n, part)); err != nil {
				t.Fatal(err)
			}
		}
		reset := func() {
			t.Helper()
			if err := a.tunnel.Command(binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtReset)}, n)); err != nil {
				t.Fatal(err)
			}
			if _, err := a.tunnel.ReadAnswer(wire.ComStmtReset, nil); err != nil {
				t.Fatal(err)
			}
		}
		execute := func(v string) string {
			t.Helper()
			b := binary.LittleEndian.AppendUint32([]byte{byte(wire.ComStmtExecute)}, n)
			b = append(b, 0, 1, 0, 0, 0, 0, 1, byte(wire.TypeLong), 0, byte(wire.TypeVarString), 0)
			b = binary.LittleEndian.AppendUint32(b, 9)
			return strings.Join(toldBinary(t, a.tunnel, "the statement", append(append(b, byte(len(v))), v...)), ",")
		}
		ahead("of no row")
		reset()
		if got := execute("clear"); got != `v,v: "clear"` {
			t.Errorf("over the plain table: %s", got)
		}
		ahead("of no row")
		exec(a.direct, "DROP TABLE shop.reset_ahead")
		exec(a.tunnel, "CREATE TABLE reset_ahead (id INT PRIMARY KEY, v VARCHAR(40))")
		exec(a.tunnel, "INSERT INTO reset_ahead VALUES (1, 'sealed')")
		ahead("of no row either") // of which the server has the part before
		reset()
		if got := execute("sealed"); got != `v,v: "sealed"` {
			t.Errorf("over the protected table: %s", got)
		}
	})
}

// TestNamesOfPrepared: of two names that a server may take for one, no statement is prepared or executed. MariaDB keeps names apart
// that differ in spaces.
func TestNamesOfPrepared(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		told(t, a.tunnel, "PREPARE e FROM 'SELECT 1'")
		for _, statement := range []string{"PREPARE `é` FROM 'SELECT 2'", "EXECUTE `é`", "EXECUTE `e `", "DEALLOCATE PREPARE `é`", "PREPARE `\u212a` FROM 'SELECT 2'"} {
			got := strings.Join(told(t, a.tunnel, statement), "\n")
			if refused := strings.Contains(got, "TUNIC-2001"); refused != (a.flavor == value.MySQL || !strings.Contains(statement, "`e `")) {
				t.Errorf("%s: %s", statement, got)
			}
		}
		if got := told(t, a.tunnel, "EXECUTE e"); strings.Contains(got[0], "error") {
			t.Error(got)
		}
	})
}
