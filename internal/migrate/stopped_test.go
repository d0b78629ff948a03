package migrate

import (
	"context"
	"database/sql"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// TestInFlightStopped: what clients have sent to a tunic whose process is stopped does not come to a table as it was before the
// stop. Another tunic, which ends the connections of the one that has gone, has encrypted the table meanwhile.
func TestInFlightStopped(t *testing.T) {
	onServers(t, (*bench).stopped)
}

func (b *bench) stopped() {
	b.person(3)
	far, err := sandbox.StartTunic(b.t.Context(), sandbox.TunicOptions{
		Backend: b.addr, Args: []string{"--key", b.procs[0].Dir + "/key", "--policy-default", "protect", "--drain", "1s"}, Log: io.Discard,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = far.Stop() })
	clients := sandboxtest.Open(b.t, far.DSN(sandbox.AppUser, sandbox.AppPassword, "shop")+"?multiStatements=true&allowAllFiles=true")
	// Each writes a row of its own, in its own way, and is told or not.
	mysql.RegisterReaderHandler("late", func() io.Reader { return strings.NewReader("104\t4\t" + canary + " file\n") })
	b.t.Cleanup(func() { mysql.DeregisterReaderHandler("late") })
	var prepared *sql.Stmt
	ways := []func(context.Context, *sql.Conn) error{
		text("INSERT INTO person (id, n, name) VALUES (101, 1, '" + canary + " text')"),
		func(ctx context.Context, _ *sql.Conn) error {
			_, err := prepared.ExecContext(ctx, 102, 2, canary+" binary")
			return err
		},
		text("SELECT 1; INSERT INTO person (id, n, name) VALUES (103, 3, '" + canary + " texts')"),
		text("LOAD DATA LOCAL INFILE 'Reader::late' INTO TABLE person (id, n, name)"),
		text("SET @late = 'INSERT INTO person (id, n, name) VALUES (105, 5, ''" + canary + " named'')'; PREPARE late FROM @late; EXECUTE late"),
	}
	told := make([]chan error, len(ways))
	conns := make([]*sql.Conn, len(ways))
	for i := range ways {
		conns[i], told[i] = b.conn(clients), make(chan error, 1)
		b.execOn(conns[i], "UPDATE person SET seen = 1 WHERE id = 2")
	}
	if prepared, err = conns[1].PrepareContext(b.t.Context(), "INSERT INTO person (id, n, name) VALUES (?, ?, ?)"); err != nil {
		b.t.Fatal(err)
	}
	if err := syscall.Kill(far.PID, syscall.SIGSTOP); err != nil {
		b.t.Fatal(err)
	}
	goOn := func() { _ = syscall.Kill(far.PID, syscall.SIGCONT) }
	defer goOn() // or it cannot be ended
	for i, way := range ways {
		go func() { told[i] <- way(b.t.Context(), conns[i]) }()
	}
	w, end := b.work("person", "n", "name")
	defer end()
	waittest.Until(b.t, "its lease is over", func() bool { return w.Ledger.Members() == 3 })
	waittest.Until(b.t, "the table is encrypted", func() bool {
		_, err := w.Encrypt(b.t.Context())
		return err == nil
	})
	goOn()
	for i := range ways {
		err := <-told[i]
		var n int
		if e := b.tunics[0].QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM person WHERE id = ? AND name LIKE ?", 101+i, canary+"%").Scan(&n); e != nil {
			b.t.Fatal(e)
		}
		if err == nil && n != 1 {
			b.t.Errorf("way %d was acknowledged and is not stored", i)
		}
	}
	b.isProtected("person")
}

// text has a client execute a text.
func text(statements string) func(context.Context, *sql.Conn) error {
	return func(ctx context.Context, c *sql.Conn) error {
		_, err := c.ExecContext(ctx, statements)
		return err
	}
}
