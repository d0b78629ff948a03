package session

import (
	"strings"
	"testing"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/value"
	"tunic/internal/waittest"
	"tunic/internal/wire/wiretest"
)

// TestCascadesMeet: rows that refer and come while the row that they refer to goes are
// changed in all of their forms or in none, and so are those of a statement that ends with
// its connection.
func TestCascadesMeet(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		told(t, a.tunnel, "CREATE TABLE top (k INT PRIMARY KEY COMMENT 'tunic: equality')")
		told(t, a.tunnel, "CREATE TABLE under (id INT PRIMARY KEY COMMENT 'tunic: plain', k INT COMMENT 'tunic: equality', "+
			"FOREIGN KEY (k) REFERENCES top (k) ON DELETE SET NULL ON UPDATE CASCADE)")
		told(t, a.tunnel, "CREATE TABLE made (a INT, b INT GENERATED ALWAYS AS (a + 1) STORED)")
		for _, level := range []string{"REPEATABLE READ", "READ COMMITTED"} {
			told(t, a.tunnel, "SET SESSION TRANSACTION ISOLATION LEVEL "+level)
			a.comesBefore(t, "DELETE FROM top WHERE k = 1", "")
			a.comesBefore(t, "UPDATE top SET k = k + 10 WHERE k = 1", "11")
			a.comesTooLate(t)
		}
		a.wrong(t)
		a.cutOff(t, "DELETE FROM top WHERE k = 1", "")
		a.cutOff(t, "UPDATE top SET k = k + 10 WHERE k = 1", "11")
	})
}

// comesBefore has a row come that refers, in a transaction that the statement waits for.
func (a *asked) comesBefore(t *testing.T, statement, becomes string) {
	t.Helper()
	a.fill(t)
	other, _ := a.other(t)
	told(t, other, "BEGIN")
	told(t, other, "INSERT INTO under VALUES (2, 1)")
	done := make(chan []string)
	go func() { done <- told(t, a.tunnel, statement) }()
	a.untilLocked(t)
	told(t, other, "COMMIT")
	if answer := <-done; len(answer) > 0 {
		t.Errorf("%s: %q", statement, answer)
	}
	if got := a.referring(t); len(got) != 2 || got[0] != becomes || got[1] != becomes {
		t.Errorf("%s: rows refer to %q, want %q", statement, got, becomes)
	}
}

// comesTooLate has a row come that refers to one which is going.
func (a *asked) comesTooLate(t *testing.T) {
	t.Helper()
	a.fill(t)
	other, _ := a.other(t)
	told(t, a.tunnel, "BEGIN")
	told(t, a.tunnel, "DELETE FROM top WHERE k = 1")
	done := make(chan []string)
	go func() { done <- told(t, other, "INSERT INTO under VALUES (2, 1)") }()
	a.untilLocked(t)
	told(t, a.tunnel, "COMMIT")
	if answer := <-done; len(answer) != 1 || !strings.Contains(answer[0], "1452") {
		t.Errorf("a row that refers to nothing: %q", answer)
	}
	if got := a.referring(t); len(got) != 1 || got[0] != "" {
		t.Errorf("rows refer to %q", got)
	}
}

// wrong has statements fail before rows are looked for, with the error of the server.
func (a *asked) wrong(t *testing.T) {
	t.Helper()
	for statement, want := range map[string]string{
		"DELETE FROM under WHERE nosuch = 1":                    "1054",
		"REPLACE INTO under (nosuch) VALUES (1)":                "1054",
		"UPDATE top SET nosuch = 1":                             "1054",
		"UPDATE top JOIN under USING (k) SET nosuch = 1":        "1054",
		"DELETE top FROM top JOIN under USING (k) WHERE nosuch": "1054",
		"REPLACE INTO top SELECT nosuch FROM under":             "1054",
		"EXPLAIN UPDATE top SET nosuch = 1":                     "1054",
		"UPDATE made SET b = 5":                                 "",
		"UPDATE made SET b = 5 WHERE a = 1":                     "",
	} {
		if want == "" { // it gives a generated column a value
			want = map[value.Flavor]string{value.MariaDB: "1906", value.MySQL: "3105"}[a.flavor]
		}
		if answer := told(t, a.tunnel, statement); len(answer) != 1 || !strings.Contains(answer[0], want) {
			t.Errorf("%s: %q, want %s", statement, answer, want)
		}
	}
}

// cutOff ends the connection of a statement while it waits for a row that refers.
func (a *asked) cutOff(t *testing.T, statement, becomes string) {
	t.Helper()
	a.fill(t)
	other, cut := a.other(t)
	told(t, a.direct, "BEGIN")
	told(t, a.direct, "SELECT id FROM shop.under FOR UPDATE")
	done := make(chan struct{})
	go func() {
		_, _ = other.Query(statement)
		close(done)
	}()
	a.untilLocked(t)
	cut()
	<-done
	told(t, a.direct, "COMMIT")
	waittest.Until(t, "no transaction is left", func() bool {
		open, err := sandboxtest.Transactions(t.Context(), a.db)
		return err == nil && len(open) == 0
	})
	if got := a.referring(t); len(got) != 1 || got[0] != "1" && got[0] != becomes {
		t.Errorf("%s, cut off: rows refer to %q", statement, got)
	}
}

// referring is what rows refer to, which is in all of their forms.
func (a *asked) referring(t *testing.T) (all []string) {
	t.Helper()
	if odd := told(t, a.direct, "SELECT id FROM shop.under WHERE (k IS NULL) <> (`k$eq` IS NULL)"); len(odd) > 1 {
		t.Errorf("rows of which a part has changed: %q", odd)
	}
	opened := told(t, a.tunnel, "SELECT COALESCE(k, '') FROM under ORDER BY id")[1:]
	for _, row := range opened {
		_, value, _ := strings.Cut(row, ": ")
		value = strings.Trim(value, "\"")
		if found := told(t, a.tunnel, "SELECT id FROM under WHERE k = '"+value+"'"); value != "" && len(found) <= 1 {
			t.Errorf("no row is found by %s", value)
		}
		all = append(all, value)
	}
	return all
}

// fill has two rows and one that refers to the first.
func (a *asked) fill(t *testing.T) {
	t.Helper()
	for _, statement := range []string{"DELETE FROM under", "DELETE FROM top", "INSERT INTO top VALUES (1), (2)", "INSERT INTO under VALUES (1, 1)"} {
		told(t, a.tunnel, statement)
	}
}

// other is another client through tunic, and what ends its connection to the server.
func (a *asked) other(t *testing.T) (p *wiretest.Peer, cut func()) {
	t.Helper()
	client, s, _ := startSession(t, a.shared)
	p = wiretest.NewPeer(client)
	if err := (wiretest.Client{User: "root", Password: "root", Database: "shop"}).Login(p); err != nil {
		t.Fatal(err)
	}
	return p, func() { _ = s.owned.Load().Close() }
}

// untilLocked waits until somebody waits for a row.
func (a *asked) untilLocked(t *testing.T) {
	t.Helper()
	waittest.Until(t, "somebody waits for a row", func() bool {
		waits, err := sandboxtest.RowWaits(t.Context(), a.db)
		return err == nil && waits > 0
	})
}

// TestCascadesOfPlainUpserts: ON DUPLICATE KEY UPDATE of a plain column is not left to the
// server where a protected column of other rows would become NULL with it, however it was
// planned before.
func TestCascadesOfPlainUpserts(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		const upsert = "INSERT INTO top VALUES (1, 1, 1) ON DUPLICATE KEY UPDATE p = p + 1"
		for _, s := range []string{
			"CREATE TABLE top (id INT PRIMARY KEY COMMENT 'tunic: plain', p INT COMMENT 'tunic: plain', q INT COMMENT 'tunic: equality', UNIQUE (p, q))",
			"INSERT INTO top VALUES (1, 1, 1)",
			upsert,
			"CREATE TABLE under (id INT PRIMARY KEY COMMENT 'tunic: plain', p INT COMMENT 'tunic: plain', q INT COMMENT 'tunic: equality', " +
				"FOREIGN KEY (p, q) REFERENCES top (p, q) ON UPDATE SET NULL)",
			"INSERT INTO under VALUES (1, 2, 1)",
		} {
			if answer := told(t, a.tunnel, s); len(answer) > 0 {
				t.Fatalf("%s: %q", s, answer)
			}
		}
		if answer := told(t, a.tunnel, upsert); len(answer) != 1 || !strings.Contains(answer[0], "TUNIC-2001") {
			t.Errorf("the upsert: %q", answer)
		}
		if got := told(t, a.tunnel, "SELECT p, q FROM under"); len(got) != 2 || got[1] != "p: 2  q: 1" {
			t.Errorf("the row that refers has %q", got)
		}
	})
}
