package server

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/session"
	"tunic/internal/waittest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// TestDrainKeeps: a session that holds something which goes with it goes on while tunic drains, and
// ends when it holds nothing more.
func TestDrainKeeps(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server := database(t, flavor)
			s := serveUntilStopped(t, server.Addr, patience)
			run(t, app(t, s.addr), "CREATE TABLE IF NOT EXISTS kept (a INT PRIMARY KEY)")
			cases := map[string][2][]string{
				"a transaction":         {{"BEGIN", "SELECT * FROM kept"}, {"COMMIT"}},
				"autocommit off":        {{"SET autocommit = 0", "SELECT * FROM kept"}, {"ROLLBACK"}},
				"LOCK TABLES":           {{"LOCK TABLES kept READ"}, {"UNLOCK TABLES"}},
				"a temporary table":     {{"CREATE TEMPORARY TABLE own (a INT)"}, {"DROP TEMPORARY TABLE own"}},
				"a user lock":           {{"SELECT GET_LOCK('mine', 0)"}, {"DO RELEASE_LOCK('mine')"}},
				"user locks":            {{"DO GET_LOCK('my', 0)", "DO GET_LOCK('own', 0)"}, {"SELECT RELEASE_ALL_LOCKS()"}},
				"two phases, the first": {{"XA START 'x'", "SELECT * FROM kept"}, {"XA END 'x'", "XA ROLLBACK 'x'"}},
				"two phases, both":      {{"XA START 'y'", "SELECT * FROM kept", "XA END 'y'", "XA PREPARE 'y'"}, {"XA COMMIT 'y'"}},
			}
			peers := map[string]*wiretest.Peer{}
			for name, c := range cases {
				peers[name] = app(t, s.addr)
				for _, text := range c[0] {
					run(t, peers[name], text)
				}
			}
			cursor, statement := openCursor(t, s.addr)
			peers["a cursor"] = cursor
			idle := app(t, s.addr)
			s.stop()
			wantFarewell(t, idle, 1053) // those that are idle have ended by now
			for name, c := range cases {
				run(t, peers[name], "SELECT 1")
				for _, text := range c[1] {
					run(t, peers[name], text)
				}
			}
			fetchAll(t, cursor, statement)
			for name, p := range peers {
				if err := wiretest.Drain(p); err != nil {
					t.Errorf("%s: not ended: %v", name, err)
				}
			}
			s.ended(t)
		})
	}
}

// openCursor leaves a cursor open over two rows, and returns the number of its statement.
func openCursor(t *testing.T, addr string) (*wiretest.Peer, uint32) {
	t.Helper()
	p := app(t, addr)
	if err := p.Command(append([]byte{byte(wire.ComStmtPrepare)}, "SELECT 1 UNION ALL SELECT 2"...)); err != nil {
		t.Fatal(err)
	}
	prepared, err := p.ReadAnswer(wire.ComStmtPrepare, nil)
	if err != nil {
		t.Fatal(err)
	}
	statement := prepared[0].Statement
	p.AskedCursor = true
	if err := p.Command(wire.Execute{Command: wire.ComStmtExecute, Statement: statement, Rest: []byte{1, 1, 0, 0, 0}}.AppendTo(nil)); err != nil {
		t.Fatal(err)
	}
	if sets, err := p.ReadAnswer(wire.ComStmtExecute, nil); err != nil || sets[0].Status&wire.StatusCursorExists == 0 {
		t.Fatalf("no cursor: %v", err)
	}
	return p, statement
}

// fetchAll fetches all rows of the cursor.
func fetchAll(t *testing.T, p *wiretest.Peer, statement uint32) {
	t.Helper()
	for range 10 {
		if err := p.Command(wire.Execute{Command: wire.ComStmtFetch, Statement: statement, Rest: []byte{1, 0, 0, 0}}.AppendTo(nil)); err != nil {
			t.Fatal(err)
		}
		sets, err := p.ReadAnswer(wire.ComStmtFetch, nil)
		if err != nil {
			t.Fatal(err)
		}
		if sets[0].Status&wire.StatusLastRowSent != 0 {
			return
		}
	}
	t.Fatal("the cursor has no end")
}

// TestDrainEndsBehindWork: a client that goes on working while tunic drains finds the end of its
// connection with the answer that ends a transaction, and not in place of an answer; questions of
// pools whether a connection is alive are no work.
func TestDrainEndsBehindWork(t *testing.T) {
	server := mariaDB(t)
	s := serveUntilStopped(t, server.Addr, patience)
	single, asks, begins := app(t, s.addr), app(t, s.addr), app(t, s.addr)
	run(t, single, "CREATE TABLE IF NOT EXISTS worked (a INT)")
	s.stop()
	waittest.Until(t, "it drains", s.draining.Load)
	run(t, asks, "SELECT 1")
	run(t, asks, "SET @a = 1")
	run(t, asks, "SELECT @@autocommit")
	if err := asks.Command([]byte{byte(wire.ComPing)}); err != nil {
		t.Fatal(err)
	}
	if _, err := asks.ReadAnswer(wire.ComPing, nil); err != nil {
		t.Fatal(err)
	}
	run(t, begins, "BEGIN")
	run(t, begins, "INSERT INTO worked VALUES (1)")
	run(t, begins, "COMMIT")
	run(t, single, "INSERT INTO worked VALUES (2)")
	for _, p := range []*wiretest.Peer{single, begins} {
		if err := p.Play(wiretest.ExpectGone); err != nil {
			t.Error(err)
		}
	}
	run(t, asks, "SELECT COUNT(*) FROM worked")
	if err := asks.Play(wiretest.ExpectGone); err != nil {
		t.Error(err)
	}
	s.ended(t)
}

// TestDrainEndsBehindTrails: what a client does behind its work before it gives the connection back to
// its pool is answered, and the connection ends with the last of it.
func TestDrainEndsBehindTrails(t *testing.T) {
	const insert = "INSERT INTO trailed VALUES (1)"
	cases := map[string][2][]string{ // before tunic drains, and then
		"Django":                 {{"SET autocommit=0", "SET autocommit=1"}, {"SET autocommit=0", insert, "COMMIT", "SET autocommit=1"}},
		"JDBC":                   {{"SET autocommit=1"}, {"SET autocommit=0", insert, "COMMIT", "SET autocommit=1"}},
		"the same, from its end": {{"SET autocommit=0", insert, "COMMIT"}, {"SET autocommit=1"}},
		"rolled back":            {nil, {"SET autocommit=0", insert, "ROLLBACK", "SET autocommit=1"}},
		"SQLAlchemy":             {{"SET AUTOCOMMIT = 0"}, {insert, "COMMIT", "ROLLBACK"}},
		"SQLAlchemy, AUTOCOMMIT": {{"SET AUTOCOMMIT = 0", "SET AUTOCOMMIT = 1", insert, "ROLLBACK", "SELECT 1"}, {insert, "ROLLBACK"}},
		"AUTOCOMMIT for once": {{"SET AUTOCOMMIT = 0"}, {
			"SET AUTOCOMMIT = 1", insert, "ROLLBACK", "SET AUTOCOMMIT = 0", "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", "COMMIT",
		}},
	}
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server := database(t, flavor)
			for name, c := range cases {
				t.Run(name, func(t *testing.T) { // a tunic each, as clients may not be silent for long
					s := serveUntilStopped(t, server.Addr, patience)
					p := app(t, s.addr)
					for _, text := range append([]string{"CREATE TABLE IF NOT EXISTS trailed (a INT)", "SELECT 1"}, c[0]...) {
						run(t, p, text)
					}
					s.stop()
					waittest.Until(t, "it drains", s.draining.Load)
					for _, text := range c[1] {
						run(t, p, text)
					}
					if err := p.Play(wiretest.ExpectGone); err != nil {
						t.Error(err)
					}
					s.ended(t)
				})
			}
		})
	}
}

// TestDrainTellsCutOff: the log counts sessions that were cut off also where they have noticed
// themselves that their time is over, and are gone before the drain looks for them.
func TestDrainTellsCutOff(t *testing.T) {
	cfg := proxySettings(t, mariaDB(t).Addr)
	cfg.Limits.Drain = patience
	var log bytes.Buffer
	s := serveLogged(t, cfg, &log)
	client := app(t, s.addr)
	run(t, client, "BEGIN")
	for _, session := range s.all() {
		session.Drain(time.Now())
	}
	s.done.Wait()
	s.stop()
	s.ended(t)
	if !strings.Contains(log.String(), `"sessions cut off at the end of draining" sessions=1`) {
		t.Errorf("the log says nothing of the session that was cut off:\n%s", log.String())
	}
}

// TestDrainDelay: for a while all goes on.
func TestDrainDelay(t *testing.T) {
	server := mariaDB(t)
	cfg := proxySettings(t, server.Addr)
	cfg.Limits.Drain, cfg.Limits.DrainDelay = patience, patience
	s := serveConfigured(t, cfg)
	idle := app(t, s.addr)
	s.stop()
	waittest.Until(t, "it leaves", s.leaving.Load)
	run(t, idle, "SELECT 1")
	run(t, app(t, s.addr), "SELECT 1")
	waittest.Until(t, "both sessions have answered and go on", func() bool { return phases(s.Server)[session.PhaseIdle] == 2 })
	s.CutOff()
	s.ended(t)
}
