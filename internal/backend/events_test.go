package backend

import (
	"errors"
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
		if _, err := Events(t.Context(), oneConn(t, service(t, server.Addr, "blind", "x").db)); !errors.Is(err, ErrUnseen) {
			t.Errorf("who may not see them: %v", err)
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
