package backend

import (
	"database/sql"
	"errors"
	"net"
	"strconv"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// blocked has a connection of its own wait for a lock that holder has, in a statement
// that does not notice the end of its connection.
func blocked(t *testing.T, server *sandbox.Server, holder *sql.Conn) *Conn {
	t.Helper()
	for _, text := range []string{
		"CREATE TABLE IF NOT EXISTS test.stopped (a INT PRIMARY KEY)", "REPLACE INTO test.stopped VALUES (1)",
		"BEGIN", "SELECT a FROM test.stopped FOR UPDATE",
	} {
		if _, err := holder.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	c, err := service(t, server.Addr, sandbox.AppUser, sandbox.AppPassword).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	c.SetSequence(0)
	c.WritePacket([]byte("\x03UPDATE test.stopped SET a = 2"))
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	return c
}

// waits reports whether the statement of blocked still runs.
func waits(t *testing.T, watching *sql.DB) bool {
	t.Helper()
	var n int
	const running = "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE 'UPDATE test.stopped%'"
	waittest.Until(t, "MySQL lists connections, as it does not while a statement of one is not text (3854)", func() bool {
		return watching.QueryRowContext(t.Context(), running).Scan(&n) == nil
	})
	return n > 0
}

// TestStopStatement: a statement whose connection has been closed on this side is
// ended; not by an account that may not, and not that of another connection whose
// number is the same at another server.
func TestStopStatement(t *testing.T) {
	sandboxtest.Each(t, func(t *testing.T, server *sandbox.Server) {
		admin := root(t, server)
		execute(
			t, admin, "DROP USER IF EXISTS blind, seeing", "CREATE USER blind IDENTIFIED BY 'x'",
			"CREATE USER seeing IDENTIFIED BY 'x'", "GRANT PROCESS ON *.* TO seeing",
		)
		holder, err := admin.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer holder.Close()
		c := blocked(t, server, holder)
		waittest.Until(t, "it waits", func() bool { return waits(t, admin) })
		_ = c.Close()

		if err := service(t, server.Addr, "blind", "x").StopStatement(t.Context(), c); !errors.Is(err, ErrNotSeen) {
			t.Errorf("an account without privileges: %v, want ErrNotSeen", err)
		}
		err = service(t, server.Addr, "seeing", "x").StopStatement(t.Context(), c)
		if refusal, ok := errors.AsType[*mysql.MySQLError](err); !ok || refusal.Number != 1095 {
			t.Errorf("an account that sees it: %v, want error 1095", err)
		}
		able := service(t, server.Addr, sandbox.ServiceUser, sandbox.ServicePassword)
		elsewhere := *c
		elsewhere.socket = addressed{c.socket, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}}
		if err := able.StopStatement(t.Context(), &elsewhere); !errors.Is(err, ErrNotSeen) {
			t.Errorf("a connection from another port: %v, want ErrNotSeen", err)
		}
		if !waits(t, admin) {
			t.Fatal("it has been ended by who must not")
		}
		if err := able.StopStatement(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "it has ended", func() bool { return !waits(t, admin) })
		if err := able.StopStatement(t.Context(), c); err != nil && !errors.Is(err, ErrNotSeen) {
			t.Errorf("of a statement that has ended: %v", err)
		}
	})
}

// addressed is a connection that says it is from another address.
type addressed struct {
	net.Conn
	local net.Addr
}

// LocalAddr implements [net.Conn].
func (a addressed) LocalAddr() net.Addr { return a.local }

// TestComesFrom: by the host that a server shows of a connection.
func TestComesFrom(t *testing.T) {
	const port = 3307
	over := func(network string, local net.Addr) *Conn {
		return &Conn{target: &Target{network: network}, socket: addressed{nil, local}}
	}
	tcp, unix := over("tcp", &net.TCPAddr{Port: port}), over("unix", &net.UnixAddr{})
	for host, want := range map[string]bool{
		"localhost:" + strconv.Itoa(port): true, "::1:" + strconv.Itoa(port): true, "10.0.0.1:13307": false,
		"10.0.0.1:3306": false, "localhost": false, "": false,
	} {
		if tcp.comesFrom(host) != want {
			t.Errorf("over TCP, %q: %v", host, !want)
		}
	}
	if !unix.comesFrom("localhost") {
		t.Error("over a Unix socket: false")
	}
}
