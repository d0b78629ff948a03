package session

import (
	"errors"
	"strings"
	"testing"

	"tunic/internal/sqlerr"
	"tunic/internal/waittest"
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

// TestFenceMovedAndLedgerLost: who is refused a statement by a fence, and loses the ledger before it
// tells what has become of the table, is told that, and not that the table has changed.
func TestFenceMovedAndLedgerLost(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		for _, s := range []string{"CREATE TABLE held (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT)", "INSERT INTO held VALUES (1, 7)"} {
			if _, err := a.tunnel.Query(s); err != nil {
				t.Fatal(err)
			}
		}
		fence := a.shared.Ledger.Catalog().Table("shop", "held").Fence()
		ask := func(s string) {
			t.Helper()
			if _, err := a.direct.Query(s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
		ask("LOCK TABLES shop.held WRITE")
		over := make(chan error, 1)
		go func() {
			_, err := a.tunnel.Query("SELECT n FROM held WHERE id = 1")
			over <- err
		}()
		waittest.Until(t, "the statement waits", func() bool {
			var waits int
			err := a.db.QueryRow("SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE STATE LIKE 'Waiting for table%'").Scan(&waits)
			return err == nil && waits > 0
		})
		if err := a.server.Exec(t.Context(), "RENAME TABLE _tunic.project TO _tunic.aside"); err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "the ledger is lost", func() bool { return a.shared.Ledger.Usable() != nil })
		ask("ALTER TABLE shop.held RENAME COLUMN `" + fence + "` TO `" + fence + "0`")
		ask("UNLOCK TABLES")
		err := <-over
		if said, ok := errors.AsType[*wiretest.ServerError](err); !ok || !strings.HasPrefix(said.Message, sqlerr.LedgerLost().Code.String()+":") {
			t.Errorf("a ledger that is lost: %v", err)
		}
	})
}
