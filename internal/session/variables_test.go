package session

import (
	"database/sql"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/policy"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/wire/wiretest"
)

// beforeRecordedServer is a client of a session over the table note, and what the server
// behind it has been sent from now on. It is there with what setup makes.
func beforeRecordedServer(t *testing.T, setup ...string) (client *wiretest.Peer, written func() []string) {
	t.Helper()
	server := sandboxtest.Start(t, sandboxes[value.MariaDB])
	db, err := sql.Open("mysql", server.DSN("root", "root", ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	note := noteTable(t, db, value.MariaDB)
	for _, text := range setup {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	all := sharing(t, server, note)
	all.Definer = ddl.New(ddl.Options{Policy: new(policy.Policy)})
	all.Types = catalog.TypesOf(value.MariaDB)
	conn, _, _ := startSession(t, all)
	client = wiretest.NewPeer(conn)
	if err := (wiretest.Client{User: "root", Password: "root", Database: "shop"}).Login(client); err != nil {
		t.Fatal(err)
	}
	return client, recordStatements(t, db)
}

// TestVariablesStayHere: a value that has gone with a protected column, by whatever
// statement, is not given to the server, nor is one of a text that nobody prepares; and
// what sets a variable to nothing leaves it as it was.
func TestVariablesStayHere(t *testing.T) {
	const canary = "7731415"
	tunnel, written := beforeRecordedServer(t)
	for _, step := range []struct{ text, want string }{
		{"INSERT INTO note VALUES (1, 10), (2, 20)", ""},
		{"SET @v = 7731415", ""},
		{"INSERT INTO note SELECT id + 10, v + 100 FROM note WHERE v = @v", ""},
		{"SELECT id FROM plain.note WHERE id = @v", "TUNIC-2005"},
		{"SET @v = 7731415, @id = 3", ""},
		{"PREPARE p FROM 'INSERT INTO note VALUES (?, ?)'", ""},
		{"EXECUTE p USING @id, @v", ""},
		{"EXECUTE p USING @id, @v", "Duplicate entry"},
		{"SELECT id FROM plain.note WHERE id = @v", "TUNIC-2005"},
		{"SELECT id FROM plain.note WHERE id = @id", ""},
		{"PREPARE q FROM 'INSERT INTO note SELECT id + 20, v + 200 FROM note WHERE id = ?'", ""},
		{"EXECUTE q USING @v", "TUNIC-2005"},
		{"SET @w = 7731415", ""},
		{"EXECUTE p USING 4, @w + 1", ""},
		{"SELECT id FROM plain.note WHERE id = @w", "TUNIC-2005"},
		{"EXECUTE IMMEDIATE 'EXECUTE IMMEDIATE ''INSERT INTO note VALUES (5, 7731415)'''", "not supported in the prepared"},
		{"SELECT v INTO @v FROM note WHERE id = 3", ""},
		{"SELECT id INTO @v FROM plain.note WHERE id = 99", ""},
		{"SELECT @v", canary},
		{"SELECT nothere INTO @v FROM plain.note", "Unknown column"},
		{"SELECT id INTO @v FROM plain.note WHERE id = @w", "TUNIC-2005"},
		{"SELECT @v", canary},
		{"SELECT MAX(id) INTO @v FROM plain.note", ""},
		{"SELECT @v", "NULL"},
	} {
		if got := answerTo(tunnel, step.text); !strings.Contains(got, step.want) || step.want == "" && got != "" {
			t.Errorf("%s: %s, want %q", step.text, got, step.want)
		}
	}
	for _, s := range written() {
		if strings.Contains(s, canary) {
			t.Errorf("the server has got %s", s)
		}
	}
}

// TestVariablesOfSeveralStatements: a text of several statements is done one by one where
// one of them sets a user variable, though none names a protected table.
func TestVariablesOfSeveralStatements(t *testing.T) {
	const canary = "7731415"
	tunnel, written := beforeRecordedServer(t)
	for _, text := range []string{
		"SET @a = '7731415-1'; SET @b = '7731415-2'", "SELECT 1; SET @c = '7731415-3'", "SELECT '7731415-4' INTO @d; SELECT 1",
		"PREPARE s FROM 'SET @e = ?'; EXECUTE s USING '7731415-5'",
	} {
		if got := answerTo(tunnel, text); strings.Contains(got, "TUNIC") || strings.Contains(got, "Error") {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := answerTo(tunnel, "EXECUTE IMMEDIATE 'SET @a = 1; SET @b = 2'"); !strings.Contains(got, "1064") {
		t.Errorf("EXECUTE IMMEDIATE of two statements: %s", got)
	}
	for _, v := range []string{"@a", "@b", "@c", "@d", "@e"} {
		if got := answerTo(tunnel, "SELECT "+v); !strings.Contains(got, canary) {
			t.Errorf("%s is %s", v, got)
		}
	}
	for _, s := range written() {
		if strings.Contains(s, canary) {
			t.Errorf("the server has got %s", s)
		}
	}
}

// TestUnsignedVariables: a small unsigned integer stays one, in what tunic computes and in
// what the server gets of it, beside protected columns and alone.
func TestUnsignedVariables(t *testing.T) {
	tunnel, _ := beforeRecordedServer(t)
	for _, step := range []struct{ text, want string }{
		{"INSERT INTO note VALUES (1, 10)", ""},
		{"INSERT INTO plain.note VALUES (1, 1)", ""},
		{"SET @u = CAST(3 AS UNSIGNED), @s = 3", ""},
		{"SELECT v + (@u - 4) FROM note", "1690"},
		{"SELECT v + (@s - 4) FROM note", "9"},
		{"SELECT v FROM note WHERE id > @u - 4", "1690"},
		{"SELECT v FROM note WHERE id > @s - 4", "10"},
		{"SELECT id FROM plain.note WHERE id > @u - 4", "1690"},
		{"SELECT id FROM plain.note WHERE id > @s - 4", "1"},
	} {
		if got := answerTo(tunnel, step.text); !strings.Contains(got, step.want) || step.want == "" && got != "" {
			t.Errorf("%s: %s, want %q", step.text, got, step.want)
		}
	}
}

// TestVariablesOfAllPlaces: a value that comes from a protected column, goes into one or is
// compared with one the server gets in slots only, wherever else the variable stands: in a
// text that is prepared, behind USING, in a query whose rows are inserted, and beside a
// plain column of the same statement.
func TestVariablesOfAllPlaces(t *testing.T) {
	const canary = "7731415"
	tunnel, written := beforeRecordedServer(t)
	for _, step := range []struct{ text, want string }{
		{"INSERT INTO note VALUES (1, 77314150), (2, 20)", ""},
		{"INSERT INTO plain.note VALUES (1, 1)", ""},
		// A text with a value in it.
		{"SELECT CONCAT('INSERT INTO plain.note VALUES (5, ', v, ')') INTO @q FROM note WHERE id = 1", ""},
		{"PREPARE s FROM @q", "TUNIC-2005"},
		{"EXECUTE s", "Unknown prepared statement"},
		{"SELECT CONCAT('SELECT id FROM note WHERE id = ', v) INTO @q FROM note WHERE id = 1", ""},
		{"PREPARE s FROM @q", "TUNIC-2005"},
		{"EXECUTE IMMEDIATE @q", "TUNIC-2005"},
		// Behind USING.
		{"SET @both = 77314151, @in = 77314152, @id = 6", ""},
		{"PREPARE add1 FROM 'INSERT INTO note VALUES (?, ?)'", ""},
		{"PREPARE find FROM 'SELECT id FROM note WHERE v = ?'", ""},
		{"PREPARE plainly FROM 'SELECT id FROM plain.note WHERE id = ?'", ""},
		{"EXECUTE add1 USING @both, @both", "TUNIC-2005"},
		{"EXECUTE add1 USING @id, @in", ""},
		{"EXECUTE plainly USING @in", "TUNIC-2005"},
		{"EXECUTE plainly USING @id", ""},
		{"SET @at = 77314153", ""},
		{"EXECUTE find USING @at", ""},
		{"EXECUTE plainly USING @at", "TUNIC-2005"},
		{"PREPARE rows2 FROM 'INSERT INTO note (id, v) SELECT ?, ?'", ""},
		{"SET @both = 77314154", ""},
		{"EXECUTE rows2 USING @both, @both", "TUNIC-2005"},
		{"EXECUTE plainly USING (SELECT id FROM note WHERE v = 77314155)", "TUNIC-"},
		{"EXECUTE IMMEDIATE 'SELECT ?' USING (SELECT id FROM note WHERE v = 77314155)", "TUNIC-"},
		{"EXECUTE IMMEDIATE 'SELECT ?' USING 5", "5"},
		// Rows that are computed.
		{"SET @a = 77314156, @b = 77314157", ""},
		{"INSERT INTO note (id, v) SELECT 30, @a", ""},
		{"SELECT id FROM plain.note WHERE id = @a", "TUNIC-2005"},
		{"INSERT INTO note (id, v) SELECT id + 40, @b FROM plain.note", ""},
		{"SELECT id FROM plain.note WHERE id = @b", "TUNIC-2005"},
		{"SELECT COUNT(*) FROM note WHERE v IN (77314156, 77314157)", "2"},
		// Beside a plain column.
		{"SET @d = 77314159, @e = 77314160, @f = 77314161", ""},
		{"SELECT id FROM note WHERE id = @d AND v = @d", ""},
		{"SELECT id FROM note WHERE id = @e UNION SELECT id FROM note WHERE v = @e", "?"},
		{"SELECT id FROM note WHERE v = (SELECT MAX(id) FROM plain.note WHERE id <> @f)", "?"},
		{"SELECT id FROM plain.note WHERE id IN (@d)", "TUNIC-2005"},
		{"SELECT id FROM note WHERE v = @e", ""},
		{"PREPARE derived FROM 'INSERT INTO note (id, v) SELECT d.x, d.x FROM (SELECT ? AS x) d'", ""},
		{"SET @x = 77314163", ""},
		{"EXECUTE derived USING @x", "TUNIC-2005"},
		{"SET @x = 77314164", ""},
		{"UPDATE note n JOIN plain.note p ON p.id = 1 SET n.id = p.v + @x, n.v = @x WHERE n.id = 2", "TUNIC-2001"},
		{"PREPARE joined FROM 'UPDATE note n JOIN plain.note p ON p.id = 1 SET n.id = p.v + ?, n.v = ? WHERE n.id = 2'", ""},
		{"EXECUTE joined USING @x, @x", "TUNIC-2005"},
		{"SET @x = 77314165", ""},
		{"UPDATE note SET id = @x, v = @x WHERE id = 2", "TUNIC-2005"},
		{"SET @x = 77314166", ""},
		{"INSERT INTO note VALUES (1, 5) ON DUPLICATE KEY UPDATE id = @x, v = @x", "TUNIC-2005"},
		{"SET @x = 77314167", ""},
		{"DELETE FROM note WHERE v = @x AND id < @x", ""},
		// What is computed from another.
		{"SET @g = 77314162", ""},
		{"SET @h = @g + 1", ""},
		{"SET @i = @h * 1", ""},
		{"SELECT id FROM note WHERE v = @h", ""},
		{"SELECT id FROM plain.note WHERE id = @g", "TUNIC-2005"},
		{"SELECT id FROM plain.note WHERE id = @i", "TUNIC-2005"},
		{"SELEC 1", "1064"},
		{"SELECT id FROM plain.elsewhere WHERE WHERE id = @g", "1064"},
		{"CALL plain.nothing(@g)", "TUNIC-2005"},
		{"SET @g = 1", ""},
		{"SELECT id FROM plain.note WHERE id = @g", "1"},
	} {
		got := answerTo(tunnel, step.text)
		if step.want == "?" && (got == "" || strings.Contains(got, "TUNIC-2005")) {
			continue
		}
		if !strings.Contains(got, step.want) || step.want == "" && got != "" {
			t.Errorf("%s: %s, want %q", step.text, got, step.want)
		}
	}
	for _, s := range written() {
		if strings.Contains(s, canary) {
			t.Errorf("the server has got %s", s)
		}
	}
}

// answerTo is the first row of an answer, or the error.
func answerTo(peer *wiretest.Peer, text string) string {
	sets, err := peer.Query(text)
	if err != nil {
		return err.Error()
	}
	if len(sets[0].Rows) == 0 {
		return ""
	}
	rows, err := sets[0].Text()
	if err != nil {
		return err.Error()
	}
	return strings.Join(rows[0], " ")
}

// recordStatements has the server write down what it gets, until the test ends.
func recordStatements(t *testing.T, db *sql.DB) (written func() []string) {
	t.Helper()
	do := func(text string) {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	do("SET GLOBAL log_output = 'TABLE'")
	do("TRUNCATE mysql.general_log")
	do("SET GLOBAL general_log = 1")
	return func() (all []string) {
		do("SET GLOBAL general_log = 0")
		rows, err := db.QueryContext(t.Context(), "SELECT argument FROM mysql.general_log")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var s string
			if err := rows.Scan(&s); err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
		if err := rows.Err(); err != nil || len(all) == 0 {
			t.Fatalf("%d statements are written down, %v", len(all), err)
		}
		return all
	}
}
