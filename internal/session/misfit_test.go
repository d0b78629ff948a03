package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tunic/internal/wire/wiretest"
)

// TestMisfitWaits: what a client writes while a type changes, and only the old type has room
// for, is taken by the new one when the change is done. Other clients read and write meanwhile.
func TestMisfitWaits(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		const rows = 3000
		var values strings.Builder
		for id := range rows {
			fmt.Fprintf(&values, ", (%d, 7)", id)
		}
		for _, s := range []string{
			"DROP TABLE IF EXISTS fits", "CREATE TABLE fits (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT)", "INSERT INTO fits VALUES " + values.String()[2:],
		} {
			if _, err := a.tunnel.Query(s); err != nil {
				t.Fatal(err)
			}
		}
		_, other := a.connect(t, "root", "root")
		done := make(chan error, 1)
		go func() {
			_, err := other.Query("ALTER TABLE fits MODIFY n SMALLINT")
			done <- err
		}()
		for table := a.shared.Ledger.Catalog().Table("shop", "fits"); table.Revision == 1; table = a.shared.Ledger.Catalog().Table("shop", "fits") {
			time.Sleep(time.Millisecond)
		}
		if _, err := a.tunnel.Query("UPDATE fits SET n = 8 WHERE id = 2"); err != nil {
			t.Error(err)
		}
		_, err := a.tunnel.Query("INSERT INTO fits VALUES (-1, 100000)")
		const outOfRange = 1264
		if said, ok := errors.AsType[*wiretest.ServerError](err); !ok || said.Number != outOfRange {
			t.Errorf("a value that does not fit: %v", err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		sets, err := a.tunnel.Query("SELECT COUNT(*), SUM(n), MAX(n) FROM fits")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(sets[0].Rows[0]), fmt.Sprint("\x04", rows, "\x05", 7*rows+1, "\x018"); got != want {
			t.Errorf("the table has %q, not %q", got, want)
		}
	})
}
