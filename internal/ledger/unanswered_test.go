package ledger

import (
	"context"
	"fmt"
	"testing"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// TestUnanswered: the statement of a connection that was closed without an answer is over when the server shows none of its number,
// and at once for who may not see it. One that rests is ended, where that is allowed.
func TestUnanswered(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		conn, err := b.db.Conn(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		defer conn.Close() //nolint:errcheck // it may be cut off
		var number uint32
		if err := conn.QueryRowContext(b.t.Context(), "SELECT CONNECTION_ID()").Scan(&number); err != nil {
			b.t.Fatal(err)
		}
		closed := func(l *Ledger, number uint32) *Connection {
			c := l.Connection(number, 1) // a balancer has another port
			if !c.Known(nil) {
				b.t.Fatal("the connection is not known")
			}
			c.Closed()
			return c
		}
		busy := make(chan struct{})
		go func() {
			defer close(busy)
			_, _ = conn.ExecContext(context.Background(), "DO SLEEP(600)")
		}()
		waittest.Until(b.t, "the server sleeps", func() bool { return b.sleeping() == int64(number) })
		runs, none := closed(l, number), closed(l, number+1000)
		waittest.Until(b.t, "the server shows none", none.Over)
		if runs.Over() {
			b.t.Error("what runs is over")
		}
		if unknown := l.Connection(number, 1); !isOverAtOnce(unknown) {
			b.t.Error("what comes to no plain table is waited for")
		}
		b.exec("DROP USER IF EXISTS blind", "CREATE USER blind IDENTIFIED BY 'blind'", "GRANT ALL ON `_tunic`.* TO blind")
		o := b.options()
		o.DB = sandboxtest.Open(b.t, b.as("blind"))
		other, err := Open(b.t.Context(), o)
		if err != nil {
			b.t.Fatal(err)
		}
		defer other.Close()
		waittest.Until(b.t, "who cannot see it takes it for over", closed(other, number).Over)
		if runs.Over() {
			b.t.Error("what runs is over, since somebody cannot see it")
		}
		b.exec(fmt.Sprintf("KILL QUERY %d", number))
		<-busy
		waittest.Until(b.t, "it is over", runs.Over)
		if err := conn.PingContext(b.t.Context()); err == nil {
			b.t.Error("it rests, and may have a statement before it")
		}
	})
}

func isOverAtOnce(c *Connection) bool {
	c.Closed()
	return c.Over()
}
