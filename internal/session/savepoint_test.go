package session

import (
	"context"
	"testing"
	"time"

	"tunic/internal/waittest"
	"tunic/internal/wire/wiretest"
)

// TestSavepointUnderChange: a transaction that was rolled back to a savepoint goes on
// with a table from before it, while a change of the table waits for the transaction.
func TestSavepointUnderChange(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		_, changer := a.connect(t, "root", "root")
		holder := connectionOf(t, a.tunnel)
		_ = a.tunnel.Net.SetDeadline(time.Now().Add(20 * time.Second))
		for _, s := range []string{
			"CREATE TABLE before_it (id INT PRIMARY KEY)", "CREATE TABLE after_it (id INT PRIMARY KEY)",
			"BEGIN", "SELECT * FROM before_it", "SAVEPOINT s", "SELECT * FROM after_it", "ROLLBACK TO s",
		} {
			if _, err := a.tunnel.Query(s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
		changed := make(chan error, 1)
		go func() {
			_, err := changer.Query("ALTER TABLE before_it ADD v INT")
			changed <- err
		}()
		waittest.Until(t, "the definition waits", func() bool {
			return len(told(t, a.direct, "SELECT id FROM information_schema.processlist WHERE state LIKE 'Waiting for table metadata lock'")) > 1
		})
		if _, err := a.tunnel.Query("SELECT * FROM before_it"); err != nil {
			_ = a.server.Exec(context.Background(), "KILL "+holder) // or both would wait for ever
			t.Fatal(err)
		}
		if _, err := a.tunnel.Query("COMMIT"); err != nil {
			t.Error(err)
		}
		if err := <-changed; err != nil {
			t.Error(err)
		}
	})
}

// connectionOf is the server's number of a session's connection.
func connectionOf(t *testing.T, p *wiretest.Peer) string {
	t.Helper()
	sets, err := p.Query("SELECT CONNECTION_ID()")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := sets[0].Text()
	if err != nil {
		t.Fatal(err)
	}
	return rows[0][0]
}
