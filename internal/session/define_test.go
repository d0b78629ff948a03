package session

import (
	"strings"
	"testing"
	"time"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/wire/wiretest"
)

// TestDefinitionOutlivesConnection: a definition whose connection breaks, as when tunic
// is killed, goes on at the server. What has become of it is not asked before it is over.
func TestDefinitionOutlivesConnection(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			a := newAsked(t, flavor, sandboxtest.Start(t, sandboxes[flavor]))
			client, s, _ := startSession(t, a.shared)
			p := wiretest.NewPeer(client)
			if err := (wiretest.Client{User: "root", Password: "root", Database: "shop"}).Login(p); err != nil {
				t.Fatal(err)
			}
			told(t, a.tunnel, "CREATE TABLE slow (id INT PRIMARY KEY)")
			told(t, a.direct, "BEGIN")
			told(t, a.direct, "SELECT * FROM shop.slow")
			over := make(chan struct{})
			go func() {
				_, _ = p.Query("ALTER TABLE slow ADD v INT")
				close(over)
			}()
			a.untilWaiting(t, 1, nil)
			_ = s.owned.Load().Close()
			a.untilWaiting(t, 2, over)
			told(t, a.direct, "COMMIT")
			<-over
			for len(told(t, a.direct, "SHOW COLUMNS FROM shop.slow LIKE 'v'")) < 2 && len(a.waiting(t)) > 0 {
				time.Sleep(10 * time.Millisecond)
			}
			stored := told(t, a.direct, "SHOW COLUMNS FROM shop.slow LIKE 'v'")
			logical := told(t, a.tunnel, "SHOW COLUMNS FROM slow LIKE 'v'")
			if len(stored) != len(logical) || len(logical) > 1 && !strings.Contains(logical[1], `"int`) {
				t.Errorf("the server has %q, the catalog %q", stored, logical)
			}
			if rows := told(t, a.tunnel, "ALTER TABLE slow ADD w INT"); len(rows) > 0 {
				t.Errorf("afterwards: %q", rows)
			}
		})
	}
}

// waiting are the connections that wait for a definition, or to make one.
func (a *asked) waiting(t *testing.T) []string {
	t.Helper()
	return told(t, a.direct, "SELECT id FROM information_schema.processlist WHERE state LIKE 'Waiting for table metadata lock'")[1:]
}

// untilWaiting waits until there are so many, or until something else is over.
func (a *asked) untilWaiting(t *testing.T, n int, over <-chan struct{}) {
	t.Helper()
	for len(a.waiting(t)) < n {
		select {
		case <-over:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}
