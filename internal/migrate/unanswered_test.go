package migrate

import (
	"context"
	"database/sql"
	"testing"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
)

// TestInFlightUnanswered: a statement is in flight as long as the server goes on with it, though what is between tunic and the server
// has closed the connection, or tunic has, since nobody reads a long answer.
func TestInFlightUnanswered(t *testing.T) {
	t.Run("a balancer closes the connection", func(t *testing.T) { onServers(t, (*bench).cutBetween) })
	t.Run("a long answer is not read", func(t *testing.T) { onServers(t, (*bench).unread) })
}

func (b *bench) cutBetween() {
	b.person(3)
	b.exec(b.server, "CREATE TABLE shop.aaa (id INT PRIMARY KEY)", "INSERT INTO shop.aaa VALUES (1)")
	said := canary + " said"
	// MariaDB ends a statement that waits for a table when its client has gone, but not one that waits for a row.
	lock, late := "LOCK TABLES shop.aaa WRITE", "UPDATE aaa, person SET person.name = '"+said+"' WHERE person.id = aaa.id"
	if b.flavor == value.MariaDB {
		lock, late = "SELECT id FROM shop.aaa FOR UPDATE", "SELECT id FROM aaa FOR UPDATE; UPDATE person SET name = '"+said+"' WHERE id = 1"
	}
	l := newLink(b.t, b.addr)
	b.tunics[1] = sandboxtest.Open(b.t, b.far(l).DSN("app", "app", "shop")+"?multiStatements=true")
	f := b.flight("a statement", 1, lock, func(ctx context.Context, conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, late)
		return err
	})
	l.cut()
	if err := <-f.answered; err == nil {
		b.t.Error("it was answered")
	}
	b.encryptedAfter("a statement", 4, f)
	b.isProtected("person")
}

func (b *bench) unread() {
	if b.flavor != value.MariaDB {
		b.t.Skip("only MariaDB has blocks that go on after an error")
	}
	b.person(3)
	b.exec(b.server, "CREATE TABLE shop.aaa (id INT PRIMARY KEY)", "INSERT INTO shop.aaa VALUES (1)", "CREATE TABLE shop.big (a LONGTEXT)",
		"INSERT INTO shop.big VALUES (REPEAT('x', 24000000))")
	said := canary + " said"
	f := b.flight("a block", 0, "LOCK TABLES shop.aaa WRITE", func(ctx context.Context, conn *sql.Conn) error {
		_, err := conn.ExecContext(ctx, "BEGIN NOT ATOMIC DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; SELECT a FROM big; "+
			"DO (SELECT COUNT(*) FROM aaa); UPDATE person SET name = '"+said+"' WHERE id = 1; END")
		return err
	})
	f.leave()
	<-f.answered
	b.encryptedAfter("a block", 3, f)
	b.isProtected("person")
}
