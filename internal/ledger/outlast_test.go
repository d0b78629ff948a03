package ledger

import (
	"errors"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/waittest"
)

// TestOutlast: who is ended while it waits for a definition does not know that it is over. A table
// that is not there is one that nobody defines.
func TestOutlast(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		held := table("held", 1)
		b.made(l, held)
		if err := l.outlast(b.t.Context(), []Step{{held, again(held)}, {New: table("absent", 2)}}); err != nil {
			b.t.Errorf("a table that nobody defines, and one that is not there: %v", err)
		}
		holder, err := b.db.Conn(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		defer func() { _ = holder.Close() }()
		if _, err := holder.ExecContext(b.t.Context(), "LOCK TABLES shop.held WRITE"); err != nil {
			b.t.Fatal(err)
		}
		for _, end := range []string{"KILL QUERY ", "KILL "} {
			over := make(chan error, 1)
			go func() { over <- l.outlast(b.t.Context(), []Step{{held, again(held)}}) }()
			waittest.Until(b.t, "it waits for the table", b.waits)
			b.exec(end + b.waiting()[0])
			if err := <-over; !errors.Is(err, ErrLost) {
				b.t.Errorf("after %sof who waits: %v", end, err)
			}
		}
	})
}

// TestHadTurn: what a server says of a table it says when it is that statement's turn; what it says
// of the one who asks, or of itself, it may say before.
func TestHadTurn(t *testing.T) {
	for number, want := range map[uint16]bool{1049: true, 1146: true, 1347: true, 1356: true, 1040: false, 1142: false, 1290: false, 1317: false, 1047: false, 1180: false} {
		if hadTurn(&mysql.MySQLError{Number: number}) != want {
			t.Errorf("%d: not %t", number, want)
		}
	}
	if !hadTurn(nil) || hadTurn(mysql.ErrInvalidConn) {
		t.Error("no error, and no answer")
	}
}
