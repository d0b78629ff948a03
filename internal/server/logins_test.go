package server

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/metrics"
	"tunic/internal/sandbox"
	"tunic/internal/waittest"
)

// silent connects n clients that never log in.
func silent(t *testing.T, addr string, n int) (all []net.Conn) {
	t.Helper()
	for range n {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		all = append(all, conn)
	}
	return all
}

// TestSilentClients: clients that do not log in have as many connections of the server
// as there are places, and not one each; and when they are gone others get in.
func TestSilentClients(t *testing.T) {
	server := database(t, sandbox.MariaDB)
	cfg := proxySettings(t, server.Addr)
	cfg.Limits.Logins, cfg.Limits.LoginsByAddress = 4, 3
	cfg.Limits.HandshakeTimeout = time.Minute
	proxy, addr := startProxy(t, cfg)
	idle := silent(t, addr, 40)
	waittest.Until(t, "clients to be there", func() bool { return proxy.connected() == len(idle) && proxy.metrics.Backend.Connects.Value() >= 3 })
	db := client(t, addr, "app", "app", nil)
	login := make(chan error, 1)
	go func() { login <- db.PingContext(context.Background()) }()
	waittest.Until(t, "clients to be there", func() bool { return proxy.connected() == len(idle)+1 })
	if n := proxy.metrics.Backend.Connects.Value(); n != 3 {
		t.Errorf("%d connections of the server for clients that have said nothing, want 3", n)
	}
	for _, conn := range idle {
		_ = conn.Close()
	}
	if err := <-login; err != nil {
		t.Errorf("a client that waited its turn: %v", err)
	}
}

// TestNoPlaceToLogIn: who waits for too long is told why.
func TestNoPlaceToLogIn(t *testing.T) {
	server := database(t, sandbox.MariaDB)
	cfg := proxySettings(t, server.Addr)
	cfg.Limits.Logins, cfg.Limits.LoginsByAddress = 1, 1
	cfg.Limits.HandshakeTimeout = 500 * time.Millisecond
	proxy, addr := startProxy(t, cfg)
	silent(t, addr, 1)
	waittest.Until(t, "clients to be there", func() bool { return proxy.metrics.Backend.Connects.Value() == 1 })
	refused := func() bool {
		silent(t, addr, 3)
		return proxy.metrics.Connections.Refused(metrics.RefusedLogins).Value() > 0
	}
	waittest.Until(t, "clients to be there", refused)
}

// TestGuessedPasswords: the answers of many denied logins wait, what they say is the
// server's, and who has the password gets in meanwhile.
func TestGuessedPasswords(t *testing.T) {
	server := database(t, sandbox.MariaDB)
	proxy, addr := startProxy(t, proxySettings(t, server.Addr))
	guess := client(t, addr, "app", "wrong", nil)
	for range 12 {
		err := guess.Ping()
		if denial, ok := errors.AsType[*mysql.MySQLError](err); !ok || denial.Number != 1045 {
			t.Fatalf("a wrong password: %v", err)
		}
	}
	if n := proxy.metrics.LoginsSlowed.Value(); n != 2 {
		t.Errorf("%d denied logins slowed down, want 2", n)
	}
	if err := client(t, addr, "app", "app", nil).Ping(); err != nil {
		t.Error(err)
	}
}
