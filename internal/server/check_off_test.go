package server

import (
	"strings"
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// TestCheckOff: where a session has turned CHECKs off, no row comes to be that fails one which tunic computes, and
// others are stored.
func TestCheckOff(t *testing.T) {
	racetest.InOrder(t)
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	proxy, _ := serveWith(t, cfg, kek)
	db := through(t, proxy.Addr().String())
	conn := ownSession(t, db)
	does(t, conn, "CREATE TABLE kk (id INT PRIMARY KEY, v VARCHAR(20), c INT CHECK (c > 0), d INT COMMENT 'tunic: plain', CONSTRAINT sum CHECK (c + d < 100))",
		"CREATE TABLE source (id INT PRIMARY KEY, c INT)", "INSERT INTO source VALUES (5, -5)",
		"SET check_constraint_checks = 0", "INSERT INTO kk VALUES (1, 'a', 5, 1), (2, NULL, NULL, 200)", "UPDATE kk SET c = c + 1, v = 'b' WHERE id = 1")
	off := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "TUNIC-2019") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, text := range []string{
		"INSERT INTO kk VALUES (3, 'c', -5, 1)", "INSERT INTO kk VALUES (3, 'c', 5, 1), (4, 'd', 0, 1)", "INSERT IGNORE INTO kk VALUES (3, 'c', -5, 1)",
		"INSERT INTO kk VALUES (3, 'c', 50, 50)", "REPLACE INTO kk VALUES (1, 'c', -5, 1)", "INSERT INTO kk (id, c) SELECT id, c FROM source",
		"UPDATE kk SET c = -6", "UPDATE IGNORE kk SET c = c - 6", "UPDATE kk SET d = 94 WHERE id = 1", "UPDATE kk, source SET kk.c = -1 WHERE kk.id = 1",
		"INSERT INTO kk VALUES (1, 'q', 1, 1) ON DUPLICATE KEY UPDATE c = -1",
	} {
		_, err := conn.ExecContext(t.Context(), text)
		off(text, err)
	}
	insert, err := conn.PrepareContext(t.Context(), "INSERT INTO kk VALUES (?, ?, ?, ?)")
	if err != nil {
		t.Fatal(err)
	}
	defer insert.Close()
	_, err = insert.ExecContext(t.Context(), 3, "c", -5, 1)
	off("prepared", err)
	if _, err := insert.ExecContext(t.Context(), 3, "c", 7, 1); err != nil {
		t.Errorf("a row that fulfils it: %v", err)
	}
	does(t, conn, "SET check_constraint_checks = 1")
	if _, err := conn.ExecContext(t.Context(), "SET STATEMENT check_constraint_checks = 0 FOR INSERT INTO kk VALUES (4, 'd', -5, 1)"); err == nil {
		t.Error("SET STATEMENT has stored a row that fails the CHECK")
	}
	_, err = insert.ExecContext(t.Context(), 4, "d", -5, 1)
	wantNumber(t, err, 4025)
	var rows string
	if err := conn.QueryRowContext(t.Context(), "SELECT GROUP_CONCAT(CONCAT_WS(' ', id, v, c, d) ORDER BY id) FROM kk").Scan(&rows); err != nil || rows != "1 b 6 1,2 200,3 c 7 1" {
		t.Errorf("there are %q, %v", rows, err)
	}
}

// TestCheckAddedOff: a CHECK is not added over rows that fail it, though the session has turned CHECKs off.
func TestCheckAddedOff(t *testing.T) {
	racetest.InOrder(t)
	_, kek, cfg := protecting(t, sandbox.MariaDB)
	proxy, _ := serveWith(t, cfg, kek)
	conn := ownSession(t, through(t, proxy.Addr().String()))
	does(t, conn, "CREATE TABLE kk (id INT PRIMARY KEY, c INT)", "INSERT INTO kk VALUES (1, -5)", "SET check_constraint_checks = 0")
	for _, text := range []string{"ALTER TABLE kk ADD CHECK (c > 0)", "ALTER TABLE kk ADD CONSTRAINT k CHECK (c > 0)", "ALTER TABLE kk MODIFY c INT CHECK (c > 0)"} {
		_, err := conn.ExecContext(t.Context(), text)
		if wantNumber(t, err, 4025); err == nil {
			t.Errorf("%s: it is added", text)
		}
	}
	does(t, conn, "UPDATE kk SET c = 5", "ALTER TABLE kk ADD CHECK (c > 0)")
	if _, err := conn.ExecContext(t.Context(), "UPDATE kk SET c = -5"); err == nil || !strings.Contains(err.Error(), "TUNIC-2019") {
		t.Errorf("afterwards: %v", err)
	}
}
