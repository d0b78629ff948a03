package server

import (
	"bytes"
	sqldb "database/sql"
	"fmt"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
	"tunic/internal/sql"
)

// TestLargeLiterals: a text that max_allowed_packet has room for is done when its value is
// sealed, whatever bytes that comes to, in every sql_mode and in character sets with quotes
// inside of characters; there a value of half the room is.
func TestLargeLiterals(t *testing.T) {
	racetest.InOrder(t)
	const packet = 16 << 20
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			root := client(t, server.Addr, "root", "root", nil)
			t.Cleanup(func() { _ = root.Close() })
			mustExec(t, root, fmt.Sprintf("SET GLOBAL max_allowed_packet = %d", packet))
			proxy, _ := serveWith(t, cfg, kek)
			db := client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName, c.MaxAllowedPacket = "test", packet })
			t.Cleanup(func() { _ = db.Close() })
			db.SetMaxOpenConns(1)
			mustExec(t, db, "CREATE TABLE wide (id INT PRIMARY KEY COMMENT 'tunic: plain', v LONGBLOB COMMENT 'tunic: sealed')")
			every := everyPair(packet * 3 / 4)
			for id, c := range []struct {
				session string
				modes   sql.Modes
				value   []byte
			}{
				{"SET NAMES utf8mb4", 0, every},
				{"SET NAMES latin1", 0, every},
				{"SET sql_mode = 'NO_BACKSLASH_ESCAPES'", sql.NoBackslashEscapes, every},
				{"SET NAMES gbk", sql.NoBackslashEscapes, bytes.Repeat([]byte("a"), packet*3/8)},
			} {
				mustExec(t, db, c.session)
				insert := sql.AppendString(fmt.Appendf(nil, "INSERT INTO wide VALUES (%d, _binary ", id), c.value, c.modes)
				if _, err := db.ExecContext(t.Context(), string(insert)+")"); err != nil {
					t.Fatalf("INSERT after %s: %v", c.session, err)
				}
				stored(t, db, id, c.value)
				if _, err := db.ExecContext(t.Context(), "UPDATE wide SET v = SUBSTR(v, 2) WHERE id = ?", id); err != nil {
					t.Fatalf("UPDATE after %s: %v", c.session, err)
				}
				stored(t, db, id, c.value[1:])
			}
		})
	}
}

// stored compares a value of table wide.
func stored(t *testing.T, db *sqldb.DB, id int, want []byte) {
	t.Helper()
	var got []byte
	if err := db.QueryRowContext(t.Context(), "SELECT v FROM wide WHERE id = ?", id).Scan(&got); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("row %d: %d bytes, want %d: %v", id, len(got), len(want), err)
	}
}

// everyPair are n bytes in which every byte comes behind every other.
func everyPair(n int) []byte {
	pairs := make([]byte, 0, 2*0x10000)
	for i := range cap(pairs) / 2 {
		pairs = append(pairs, byte(i>>8), byte(i))
	}
	return bytes.Repeat(pairs, n/len(pairs))
}
