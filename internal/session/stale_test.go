package session

import (
	"errors"
	"strings"
	"testing"

	"tunic/internal/wire/wiretest"
)

// TestFenceMovedByAnother: who is refused a statement by a fence that somebody has moved
// without the ledger is told that the table has changed, and not how the fence is called.
func TestFenceMovedByAnother(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		for _, s := range []string{
			"DROP TABLE IF EXISTS moved", "CREATE TABLE moved (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT)", "INSERT INTO moved VALUES (1, 7)",
		} {
			if _, err := a.tunnel.Query(s); err != nil {
				t.Fatal(err)
			}
		}
		table := a.shared.Ledger.Catalog().Table("shop", "moved")
		if err := a.server.Exec(t.Context(), "ALTER TABLE shop.moved RENAME COLUMN `"+table.Fence()+"` TO `"+table.Fence()+"0`"); err != nil {
			t.Fatal(err)
		}
		const changed = 1412
		for _, s := range []string{
			"SELECT n FROM moved WHERE id = 1", "SELECT COUNT(*) FROM moved m JOIN moved o ON m.n = o.n", "INSERT INTO moved VALUES (2, 8)",
			"UPDATE moved SET n = 9 WHERE id = 1", "UPDATE moved SET n = n + 1", "DELETE FROM moved WHERE n = 7",
		} {
			_, err := a.tunnel.Query(s)
			if said, ok := errors.AsType[*wiretest.ServerError](err); !ok || said.Number != changed || strings.Contains(said.Message, "tunic$") {
				t.Errorf("%s: %v", s, err)
			}
		}
	})
}
