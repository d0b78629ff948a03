package server

import (
	"database/sql"
	"testing"

	"tunic/internal/config"
	"tunic/internal/sandbox"
)

// TestRoundTripsOfCachedRows: an UPDATE by its key of a row that is in the row cache is one round trip, by itself and in a transaction,
// also if another session has written the row last.
func TestRoundTripsOfCachedRows(t *testing.T) {
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	meter := new(trips)
	cfg.Backend.Address, cfg.Backend.TLS = meter.meter(t, cfg.Backend.Address), config.TLSDisabled
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	for name, of := range lockedTables {
		mustExec(t, db, "CREATE TABLE "+name+of, "INSERT INTO "+name+" VALUES (1, 1, 1, 1), (2, 2, 2, 2)")
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var add, set *sql.Stmt
		for text, st := range map[string]**sql.Stmt{"UPDATE " + name + " SET a = a + 1 WHERE id = ?": &add, "UPDATE " + name + " SET a = ? WHERE id = 2": &set} {
			if *st, err = conn.PrepareContext(t.Context(), text); err != nil {
				t.Fatal(err)
			}
		}
		next := 10
		sets := func() {
			next++
			executePrepared(t, set, []any{next})
		}
		adds := func() { executePrepared(t, add, []any{1}) }
		for range 3 { // what a session has the server prepare when it comes again
			adds()
			sets()
		}
		mustExec(t, db, "UPDATE "+name+" SET a = a + 1 WHERE id = 1")
		one := cost{1, 1}
		meter.compare(t, name+": a + 1", adds, one)
		meter.compare(t, name+": a value", sets, one)
		execIn(t, conn, "BEGIN")
		meter.compare(t, name+": a + 1, in a transaction", adds, one)
		meter.compare(t, name+": a value, in a transaction", sets, one)
		execIn(t, conn, "COMMIT")
		execIn(t, conn, "UPDATE "+name+" SET a = a + 1 WHERE id < 2")
		meter.compare(t, name+": of a row that has changed", adds, cost{3, 3})
		_ = conn.Close()
	}
}
