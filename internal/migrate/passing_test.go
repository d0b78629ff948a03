package migrate

import (
	"database/sql"
	"testing"

	"tunic/internal/waittest"
)

// TestTransactionPasses: a transaction that has used the plain table uses it again while the
// table's adoption waits for it, and does not wait in turn; and so through each tunic.
func TestTransactionPasses(t *testing.T) {
	onServers(t, func(b *bench) {
		b.person(10)
		w, end := b.work("person", "n", "name")
		defer end()
		var open [2]*sql.Tx
		written := [2]int{}
		write := func(i int) {
			b.t.Helper()
			if _, err := open[i].ExecContext(b.t.Context(), "UPDATE person SET seen = seen + 1 WHERE id = ?", i+1); err != nil {
				b.t.Fatalf("in a transaction: %v", err)
			}
			written[i]++
		}
		for i, db := range b.tunics {
			var err error
			if open[i], err = db.BeginTx(b.t.Context(), nil); err != nil {
				b.t.Fatal(err)
			}
			write(i)
		}
		ended := make(chan error, 1)
		go func() {
			_, err := w.Encrypt(b.t.Context())
			ended <- err
		}()
		for i := range open {
			waittest.Until(b.t, "the transaction passes", func() bool {
				v := w.Ledger.Catalog().Version
				if !b.waits() {
					return false
				}
				write(i)
				return w.Ledger.Catalog().Version == v
			})
		}
		for _, tx := range open {
			if err := tx.Commit(); err != nil {
				b.t.Fatal(err)
			}
		}
		if err := <-ended; err != nil {
			b.t.Fatal(err)
		}
		for i := range open {
			var seen int
			if err := b.tunics[i].QueryRowContext(b.t.Context(), "SELECT seen FROM person WHERE n = ?", 10*(i+1)).Scan(&seen); err != nil || seen != written[i] {
				b.t.Errorf("written %d times, and says %d: %v", written[i], seen, err)
			}
		}
		b.isProtected("person")
	})
}

// waits reports whether a definition waits for those who use the table. All tunics know of it
// then.
func (b *bench) waits() bool {
	var n int
	err := b.server.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM information_schema.PROCESSLIST"+
		" WHERE STATE = 'Waiting for table metadata lock' AND INFO LIKE 'ALTER TABLE%person%'").Scan(&n)
	return err == nil && n > 0
}
