package session

import (
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// notes are a client of a plain table, and one of its protected copy through a session.
func notes(t *testing.T, flavor value.Flavor) (direct, tunnel *wiretest.Peer) {
	t.Helper()
	server := sandboxtest.Start(t, sandboxes[flavor])
	db, err := sql.Open("mysql", server.DSN("root", "root", ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	known := noteTable(t, db, flavor)
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE shop.other (id INT)"); err != nil {
		t.Fatal(err)
	}
	client, _, _ := startSession(t, sharing(t, server, known))
	tunnel = wiretest.NewPeer(client)
	if err := (wiretest.Client{User: "root", Password: "root", Database: "shop"}).Login(tunnel); err != nil {
		t.Fatal(err)
	}
	direct, err = wiretest.Client{User: "root", Password: "root", Database: "plain"}.Dial(t.Context(), server.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = direct.Close() })
	return direct, tunnel
}

// TestWrites: statements that read rows before they write them, and what is said of
// them afterwards, in a session.
func TestWrites(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			direct, tunnel := notes(t, flavor)
			for _, of := range []string{
				"INSERT INTO note VALUES (1, 10), (2, 20), (3, 30)",
				"UPDATE note SET v = v + 1 WHERE id = 1",
				"UPDATE note SET v = v + 1",
				"UPDATE IGNORE note SET v = v * 0 + 5",
				"UPDATE note SET v = v - v",
				"UPDATE note SET v = v + 1 WHERE id = 99",
				"SET sql_mode = ''",
				"UPDATE IGNORE note SET v = v + 99999999999 WHERE id = 1",
				"UPDATE note SET v = v + 99999999999 WHERE id = 2",
				"INSERT INTO note VALUES (2, 1) ON DUPLICATE KEY UPDATE v = 4",
				"INSERT INTO note VALUES (9, 4), (10, 44) ON DUPLICATE KEY UPDATE v = v + 1",
				"BEGIN", "UPDATE note SET v = v + 1 WHERE id = 2", "UPDATE note SET v = v - v + 7", "ROLLBACK",
				"DELETE FROM note WHERE v + 0 > 40",
				"SELECT id, v FROM note ORDER BY id",
			} {
				for _, s := range []string{of, "SHOW WARNINGS", "SHOW COUNT(*) WARNINGS", "SELECT @@warning_count"} {
					if diff := cmp.Diff(toldOf(t, direct, s), toldOf(t, tunnel, s)); diff != "" {
						t.Errorf("%s, after %s\n%s", s, of, diff)
					}
				}
			}
		})
	}
}

// refusedWith is the text of the error that a statement is answered with, "" for none.
func refusedWith(t *testing.T, p *wiretest.Peer, statement string) string {
	t.Helper()
	_, err := p.Query(statement)
	e, refused := errors.AsType[*wiretest.ServerError](err)
	if err != nil && !refused {
		t.Fatal(err)
	}
	if !refused {
		return ""
	}
	return e.Message
}

// TestWritesCounted: how many rows a statement has changed or found that tunic executes
// in parts, as the client would be told by a plain server.
func TestWritesCounted(t *testing.T) {
	direct, tunnel := notes(t, value.MariaDB)
	for _, s := range []string{
		"INSERT INTO note VALUES (1, 10), (2, 20)", "SELECT ROW_COUNT()",
		"UPDATE note SET v = v + 1", "SELECT row_count() AS n", "SELECT FOUND_ROWS()",
		"UPDATE note SET v = v + 1 WHERE id > 1", "SELECT ROW_COUNT()", "SELECT ROW_COUNT()",
		"SELECT id FROM note ORDER BY v", "SELECT FOUND_ROWS()", "SELECT ROW_COUNT()",
	} {
		if diff := cmp.Diff(toldOf(t, direct, s), toldOf(t, tunnel, s)); diff != "" {
			t.Errorf("%s\n%s", s, diff)
		}
	}
}

// TestWritesLocked: a statement of tunic's own does not let go of the tables that the
// client has locked.
func TestWritesLocked(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
		t.Run(flavor.String(), func(t *testing.T) {
			_, tunnel := notes(t, flavor)
			for _, s := range []struct{ statement, want string }{
				{"INSERT INTO note VALUES (1, 10), (2, 20)", ""},
				{"LOCK TABLES other WRITE", ""},
				{"UPDATE note SET v = v + 1", "was not locked with LOCK TABLES"},
				{"UPDATE note SET v = v + 1 WHERE id = 1", "was not locked with LOCK TABLES"},
				{"INSERT INTO note VALUES (1, 10) ON DUPLICATE KEY UPDATE v = 3", "was not locked with LOCK TABLES"},
				{"UNLOCK TABLES", ""},
				{"UPDATE note SET v = v + 1", ""},
			} {
				if got := refusedWith(t, tunnel, s.statement); (got == "") != (s.want == "") || !strings.Contains(got, s.want) {
					t.Errorf("%s: %q", s.statement, got)
				}
			}
		})
	}
}

// TestWritesWithoutSeveral: a client that turns several statements in one text off is
// not given them back.
func TestWritesWithoutSeveral(t *testing.T) {
	_, tunnel := notes(t, value.MariaDB)
	if err := tunnel.Command([]byte{byte(wire.ComSetOption), 1, 0}); err != nil {
		t.Fatal(err)
	}
	if _, err := tunnel.ReadAnswer(wire.ComSetOption, nil); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"INSERT INTO note VALUES (1, 10), (2, 20)", "UPDATE note SET v = v + 1"} {
		if got := refusedWith(t, tunnel, s); got != "" {
			t.Errorf("%s: %s", s, got)
		}
	}
	if got := refusedWith(t, tunnel, "SELECT 1; SELECT 2"); got == "" {
		t.Error("several statements are run")
	}
}
