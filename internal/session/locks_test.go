package session

import (
	"context"
	"strings"
	"testing"
	"time"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/waittest"
	"tunic/internal/wire/wiretest"
)

// lockedSessions are three clients of a tunic before a server, one of which will hold
// tables. Where sessions wait for each other the test ends by the deadline of the
// holder, and lets go of the tables.
type lockedSessions struct {
	*asked
	holder, other *wiretest.Peer
}

func newLocked(t *testing.T, flavor value.Flavor) *lockedSessions {
	t.Helper()
	l := &lockedSessions{asked: newAsked(t, flavor, sandboxtest.Start(t, sandboxes[flavor]))}
	_, l.holder = l.connect(t, "root", "root")
	_, l.other = l.connect(t, "root", "root")
	number := connectionOf(t, l.holder)
	t.Cleanup(func() { _ = l.server.Exec(context.Background(), "KILL "+number) })
	_ = l.holder.Net.SetDeadline(time.Now().Add(20 * time.Second))
	return l
}

func (l *lockedSessions) hold(t *testing.T, statements ...string) {
	t.Helper()
	for _, s := range statements {
		if got := refusedWith(t, l.holder, s); got != "" {
			t.Fatalf("%s: %s", s, got)
		}
	}
}

// start runs a statement of the other session, which is to wait for the holder: as soon
// as that is so it returns. The result is sent when it is there.
func (l *lockedSessions) start(t *testing.T, statement string) <-chan error {
	t.Helper()
	done := make(chan error, 1)
	go func() {
		_, err := l.other.Query(statement)
		done <- err
	}()
	const waiting = "SELECT id FROM information_schema.processlist WHERE state LIKE 'Waiting for%lock%'"
	waittest.Until(t, statement+" waits", func() bool {
		select {
		case err := <-done:
			t.Fatalf("%s does not wait: %v", statement, err)
		default:
		}
		return len(told(t, l.direct, waiting)) > 1
	})
	return done
}

// TestChangeWaitsForLocks: who has locked a table uses it while a change of the table
// waits for the lock.
func TestChangeWaitsForLocks(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		for _, lock := range []string{"LOCK TABLES locked AS x READ, locked WRITE", "FLUSH TABLES locked WITH READ LOCK", "FLUSH TABLES WITH READ LOCK"} {
			t.Run(flavor.String()+"/"+lock, func(t *testing.T) {
				l := newLocked(t, flavor)
				l.hold(t, "CREATE TABLE locked (id INT PRIMARY KEY, v INT)", "INSERT INTO locked VALUES (1, 1)", lock)
				change := "DROP TABLE locked"
				if flavor == value.MySQL && lock == "FLUSH TABLES WITH READ LOCK" {
					change = "ALTER TABLE locked ADD w INT" // MySQL's list of processes fails over the bytes in the ledger's statement
				}
				changed := l.start(t, change)
				l.hold(t, "SELECT v FROM locked WHERE v = 1", "UNLOCK TABLES")
				if err := <-changed; err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestLockedGivesUp: who has locked tables does not wait for who waits for these.
func TestLockedGivesUp(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			l := newLocked(t, flavor)
			l.hold(t, "CREATE TABLE first (id INT PRIMARY KEY)", "CREATE TABLE second (id INT PRIMARY KEY)", "LOCK TABLES first WRITE")
			read := l.start(t, "SELECT id FROM first")
			gaveUp(t, l.holder, "DROP TABLE first")
			l.hold(t, "UNLOCK TABLES")
			if err := <-read; err != nil {
				t.Error(err)
			}
			l.hold(t, "LOCK TABLES second WRITE")
			changed := l.start(t, "RENAME TABLE first TO third, second TO fourth")
			gaveUp(t, l.holder, "SELECT id FROM first")
			gaveUp(t, l.holder, "CREATE TABLE fifth (id INT PRIMARY KEY)")
			l.hold(t, "SELECT id FROM second", "UNLOCK TABLES")
			if err := <-changed; err != nil {
				t.Error(err)
			}
			l.hold(t, "LOCK TABLES third WRITE", "DROP TABLE third", "UNLOCK TABLES", "DROP TABLE fourth")
		})
	}
}

func gaveUp(t *testing.T, p *wiretest.Peer, statement string) {
	t.Helper()
	if got := refusedWith(t, p, statement); !strings.Contains(got, "Lock wait timeout exceeded") {
		t.Errorf("%s: %q", statement, got)
	}
}

// TestFrozen: under FLUSH TABLES WITH READ LOCK nothing is defined, not even by the
// account of tunic's own, which would wait for the client.
func TestFrozen(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			l := newLocked(t, flavor)
			l.hold(t, "CREATE TABLE frozen (id INT PRIMARY KEY, v INT)", "FLUSH TABLES WITH READ LOCK")
			for _, s := range []string{"CREATE TABLE t (a INT)", "ALTER TABLE frozen ADD w INT", "DROP TABLE frozen", "UPDATE frozen SET v = v + 1"} {
				if got := refusedWith(t, l.holder, s); !strings.Contains(got, "conflicting read lock") {
					t.Errorf("%s: %q", s, got)
				}
			}
			if got := refusedWith(t, l.holder, "CREATE TEMPORARY TABLE t (a INT)"); !strings.Contains(got, "FLUSH TABLES WITH READ LOCK") {
				t.Errorf("a temporary table: %q", got)
			}
			l.hold(t, "START TRANSACTION")
			if got := refusedWith(t, l.holder, "DROP TABLE frozen"); !strings.Contains(got, "conflicting read lock") {
				t.Errorf("in a transaction: %q", got)
			}
			l.hold(t, "UNLOCK TABLES", "DROP TABLE frozen")
		})
	}
}
