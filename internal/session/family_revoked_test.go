package session

import (
	"strings"
	"testing"

	"tunic/internal/wire/wiretest"
)

// TestFamilyRevoked: what an account has prepared reads no column of a family any more that the account may not read any more.
func TestFamilyRevoked(t *testing.T) {
	texts := []string{
		"SELECT amount FROM line", "SELECT id FROM line WHERE amount = 3", "SELECT id FROM line WHERE amount IS NULL", "SELECT COUNT(amount) FROM line", "SELECT id FROM line ORDER BY amount",
		"SELECT amount FROM line FOR UPDATE", "SELECT l.amount FROM line l JOIN line m ON l.id = m.id", "SELECT id FROM line WHERE id IN (SELECT amount FROM line)", "SELECT id FROM line WHERE w = 2",
		"UPDATE line SET amount = amount + 1", "UPDATE line SET n = 1 WHERE amount = 3", "DELETE FROM line WHERE amount = 3",
	}
	onServers(t, func(t *testing.T, a *asked) {
		if err := a.server.Exec(t.Context(), "DROP USER IF EXISTS late@'%'", "CREATE USER late@'%' IDENTIFIED BY 'late'"); err != nil {
			t.Fatal(err)
		}
		a.both(t, withFamily, "INSERT INTO line (o, w, amount, n) VALUES (1, 2, 3, 5)", "GRANT SELECT (id, o, w, amount, n), UPDATE (n, amount), DELETE ON line TO late")
		late := *a
		late.direct, late.tunnel = a.connect(t, "late", "late")
		peers := map[string]*wiretest.Peer{"directly": late.direct, "through tunic": late.tunnel}
		numbers := map[string][]uint32{}
		for way, p := range peers {
			for _, s := range texts {
				number, err := prepareStatement(p, s)
				if err != nil {
					t.Fatalf("%s, %s: %v", way, s, err)
				}
				numbers[way] = append(numbers[way], number)
			}
			if got := toldExecuted(t, p, texts[0], numbers[way][0], 0); strings.Contains(strings.Join(got, ""), "error") {
				t.Errorf("%s, while it may: %s", way, got)
			}
		}
		a.both(t, "REVOKE SELECT (amount, w) ON line FROM late")
		for way, p := range peers {
			for i, s := range texts {
				for range 2 {
					if got := toldExecuted(t, p, s, numbers[way][i], 0); !strings.Contains(strings.Join(got, ""), "1143") {
						t.Errorf("%s, %s: %s", way, s, got)
					}
				}
			}
		}
		a.both(t, "DROP TABLE line")
	})
}

// TestFamilyRenamedBetween: privileges on tokens that a REVOKE has not met, as their column had another name then, tell nothing of a column
// that gets the name.
func TestFamilyRenamedBetween(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		if err := a.server.Exec(t.Context(), "DROP USER IF EXISTS kept@'%'", "CREATE USER kept@'%' IDENTIFIED BY 'kept'"); err != nil {
			t.Fatal(err)
		}
		a.both(t, "CREATE TABLE called (id INT PRIMARY KEY COMMENT 'tunic: plain', a INT COMMENT 'tunic: equality family f', b INT COMMENT 'tunic: sealed family f')", "INSERT INTO called VALUES (1, 5, 6)",
			"GRANT SELECT (id, a, b), UPDATE (b), DELETE ON called TO kept", "ALTER TABLE called RENAME COLUMN a TO c", "REVOKE SELECT (a) ON called FROM kept", "ALTER TABLE called RENAME COLUMN c TO a")
		kept := *a
		kept.direct, kept.tunnel = a.connect(t, "kept", "kept")
		kept.both(t, "SELECT id, b FROM called")
		kept.denied(t, "SELECT id FROM called WHERE a = 5", "SELECT COUNT(DISTINCT a) FROM called", "SELECT id FROM called WHERE a IS NULL", "UPDATE called SET b = 1 WHERE a = 5", "DELETE FROM called WHERE a = 5")
		a.both(t, "SELECT * FROM called", "DROP TABLE called")
	})
}
