package backend

import (
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// TestEvents: an event that runs is told, also when it has been dropped, and connections of clients are none.
func TestEvents(t *testing.T) {
	sandboxtest.Each(t, func(t *testing.T, server *sandbox.Server) {
		admin := root(t, server)
		execute(t, admin, "DROP USER IF EXISTS blind", "CREATE USER blind IDENTIFIED BY 'x'", "CREATE DATABASE IF NOT EXISTS timed", "SET GLOBAL event_scheduler = ON")
		watching := oneConn(t, admin)
		for range 3 {
			oneConn(t, admin)
		}
		count := func() int {
			n, err := Events(t.Context(), watching)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		if n := count(); n != 0 {
			t.Errorf("%d events run before there is one", n)
		}
		holds := oneConn(t, admin)
		if _, err := holds.ExecContext(t.Context(), "DO GET_LOCK('over', 60)"); err != nil {
			t.Fatal(err)
		}
		execute(t, admin, "CREATE EVENT timed.f ON SCHEDULE EVERY 1 DAY DO BEGIN DO GET_LOCK('over', 60); DO RELEASE_LOCK('over'); END")
		waittest.Until(t, "it runs", func() bool { return count() == 1 })
		if n, err := Events(t.Context(), oneConn(t, service(t, server.Addr, "blind", "x").db)); n != 0 || err != nil {
			t.Errorf("who may not see them sees %d, %v", n, err)
		}
		execute(t, admin, "DROP EVENT timed.f")
		if n := count(); n != 1 {
			t.Errorf("%d events run when it has been dropped", n)
		}
		if _, err := holds.ExecContext(t.Context(), "DO RELEASE_LOCK('over')"); err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "it has ended", func() bool { return count() == 0 })
	})
}

// TestPortless: only clients have a port behind their host.
func TestPortless(t *testing.T) {
	for host, want := range map[string]bool{
		"": true, "localhost": true, "%": true, "127.0.0.1": true, "::1": true, "2001:db8:%": true, "fe80::%": true, "fe80::1%eth0": true,
		"127.0.0.1:40000": false, "db.example:40000": false, "::1:40000": false, "[::1]:40000": false,
	} {
		if got := isPortless(host); got != want {
			t.Errorf("%q: %t", host, got)
		}
	}
}

// TestClientsBesideBytes: connections are seen while the statement of one has bytes in it that are no text.
func TestClientsBesideBytes(t *testing.T) {
	sandboxtest.Each(t, func(t *testing.T, server *sandbox.Server) {
		admin := root(t, server)
		execute(t, admin, "CREATE DATABASE IF NOT EXISTS timed", "CREATE TABLE IF NOT EXISTS timed.bytes (id INT PRIMARY KEY)", "REPLACE INTO timed.bytes VALUES (1)")
		conn := oneConn(t, admin)
		if _, err := conn.ExecContext(t.Context(), "BEGIN"); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = conn.ExecContext(t.Context(), "UPDATE timed.bytes SET id = 1 WHERE id = 1 AND _binary '\xff\xfe' <> '' AND SLEEP(60) = 0")
		}()
		watching := oneConn(t, admin)
		var number uint64
		waittest.Until(t, "it is busy", func() bool {
			all, err := Clients(t.Context(), watching)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range all {
				if !c.Idle {
					number = c.Number
				}
			}
			return number != 0
		})
		for range 20 {
			if _, err := Events(t.Context(), watching); err != nil {
				t.Fatal(err)
			}
		}
		if err := End(t.Context(), watching, number); err != nil {
			t.Fatal(err)
		}
		<-ended
	})
}
