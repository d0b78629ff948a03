package session

import (
	"errors"
	"strings"
	"testing"

	"tunic/internal/plan"
	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// protects is the Names of a catalog with one protected table.
type protects struct{ name string }

func (protects) Empty() bool { return false }

func (p protects) Protected(name []byte) bool {
	return len(name) == 0 || strings.EqualFold(string(name), p.name)
}

// protecting is shared with the table patient protected.
func protecting(tb testing.TB, address string) *Shared {
	tb.Helper()
	all := shared(tb, address)
	all.Planner = plan.New(plan.Options{Names: protects{"patient"}})
	return all
}

// refusal is the number of the error in err; 0 if there is none.
func refusal(tb testing.TB, err error) uint16 {
	tb.Helper()
	if err == nil {
		return 0
	}
	var refused *wiretest.ServerError
	if !errors.As(err, &refused) {
		tb.Fatal(err)
	}
	return refused.Number
}

const notSupported = 1235

// readingCases are what a client does to its session without saying what comes
// of it, and what then may pass.
var readingCases = []struct {
	name    string
	set     []string
	pass    []string
	refused []string
}{
	{
		"the server's own sql_mode", nil,
		[]string{`SELECT "patient"`, `SELECT 'a\'', 'patient'`},
		[]string{`SELECT 'a\'' FROM patient`, "SELECT a FROM patient"},
	},
	{
		"ANSI_QUOTES by an expression",
		[]string{"SET sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES')"},
		[]string{"SELECT 'patient'", `SELECT 1 AS "x"`},
		[]string{`SELECT a FROM "patient"`},
	},
	{
		"NO_BACKSLASH_ESCAPES by an expression",
		[]string{"SET sql_mode = CONCAT(@@sql_mode, ',NO_BACKSLASH_ESCAPES')"},
		[]string{`SELECT '\', 'patient'`},
		[]string{`SELECT '\' FROM patient -- '`},
	},
	{
		"ANSI_QUOTES by a prepared statement",
		[]string{"SET @s = 'SET sql_mode = ''ANSI_QUOTES'''", "SET sql_mode = ''", "PREPARE s FROM 'SET sql_mode = ''ANSI_QUOTES'''", "EXECUTE s"},
		[]string{"SELECT 'patient'"},
		[]string{`SELECT a FROM "patient"`},
	},
	{
		"a character set whose characters hold a backslash",
		[]string{"SET character_set_client = 13"},
		[]string{"SELECT '\x83\x5c', 'patient'"},
		[]string{"SELECT '\x83\x5c' FROM patient"},
	},
	{
		"a session that shows no rows",
		[]string{"SET sql_select_limit = 0, sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES')", "SET character_set_results = 'ucs2'"},
		[]string{"SELECT 'patient'"},
		[]string{`SELECT a FROM "patient"`},
	},
	{
		"what the statement before did",
		[]string{"SET sql_mode = DEFAULT"},
		[]string{"SHOW WARNINGS"},
		[]string{`SELECT ROW_COUNT(), "x"`, "SELECT FOUND_ROWS() FROM patient"},
	},
}

// TestTextsAreReadAsTheServerDoes: whatever a client does to its session, a
// statement on a protected table does not get through, and one that only looks
// like it does.
func TestTextsAreReadAsTheServerDoes(t *testing.T) {
	for _, server := range sandboxtest.Available(t) {
		all := protecting(t, server.Addr)
		for _, c := range readingCases {
			t.Run(string(server.Flavor)+"/"+c.name, func(t *testing.T) {
				p := loggedIn(t, all)
				for _, text := range c.set {
					if _, err := p.Query(text); err != nil {
						t.Fatalf("%s: %v", text, err)
					}
				}
				for _, text := range c.refused {
					if _, err := p.Query(text); refusal(t, err) != notSupported {
						t.Errorf("%s: %v, want a refusal", text, err)
					}
				}
				for _, text := range c.pass {
					if _, err := p.Query(text); err != nil {
						t.Errorf("%s: %v", text, err)
					}
				}
			})
		}
	}
}

// TestInitConnect: what the server does to a session at its start is known to
// tunic as well.
func TestInitConnect(t *testing.T) {
	server := sandboxtest.Own(t, sandbox.MariaDB, sandboxtest.Args(
		"--init-connect=SET sql_mode = 'ANSI_QUOTES', NAMES sjis; USE mysql",
	))
	client, s, wait := startSession(t, protecting(t, server.Addr))
	p := wiretest.NewPeer(client)
	if err := (wiretest.Client{User: "app", Password: "app", Database: "test"}).Login(p); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Query(`SELECT a FROM "patient"`); refusal(t, err) != notSupported {
		t.Errorf("%v, want a refusal", err)
	}
	wait()
	if want := s.state.AtLogin().WithSQLMode("ANSI_QUOTES").WithCharset("sjis"); s.state.Modes() != want || s.state.Schema() != "mysql" {
		t.Errorf("modes %b in %q, want %b in mysql", s.state.Modes(), s.state.Schema(), want)
	}
}

// TestOutcomeIsNotDisturbed: what a client asks of the statement before, it gets
// as without tunic, though tunic would have liked to ask something itself.
func TestOutcomeIsNotDisturbed(t *testing.T) {
	server := sandboxtest.MariaDB(t)
	p := loggedIn(t, protecting(t, server.Addr))
	for _, text := range []string{
		"CREATE OR REPLACE TABLE plain (a INT)",
		"CREATE OR REPLACE PROCEDURE fill() INSERT INTO plain VALUES (1), (2), (3)",
		"CALL fill()",
	} {
		if _, err := p.Query(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	sets, err := p.Query("SELECT ROW_COUNT()")
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := sets[0].Text(); err != nil || rows[0][0] != "3" {
		t.Errorf("ROW_COUNT() is %v, %v, want 3", rows, err)
	}
}

// TestRelayAsksNothing: where nothing is protected the server gets what the client
// sends, whatever is unknown, and nothing else.
func TestRelayAsksNothing(t *testing.T) {
	var texts []string
	server := &wiretest.Server{Script: wiretest.EveryConnection(wiretest.Accept, wiretest.Database(
		func(_ *wiretest.Peer, command []byte) (bool, error) {
			texts = append(texts, string(command[1:]))
			return false, nil
		}))}
	server.Start(t)
	client, _, wait := startSession(t, shared(t, server.Addr))
	p := wiretest.NewPeer(client)
	if err := (wiretest.Client{User: "app", Password: "app"}).Login(p); err != nil {
		t.Fatal(err)
	}
	sent := []string{"SELECT 1", "CALL p()", `SELECT "\x"`, "SET sql_mode = DEFAULT", "DO [x]"}
	for _, text := range sent {
		if _, err := p.Query(text); err != nil {
			t.Fatal(err)
		}
	}
	wait()
	if got := strings.Join(texts, "; "); got != strings.Join(sent, "; ") {
		t.Errorf("the server got: %s", got)
	}
}

// TestServerGoneWhenAsked: a server that leaves when tunic asks it, or does not
// answer as it should, ends the session, with the reason if there is one to tell; one
// that answers with an error leaves everything in doubt.
func TestServerGoneWhenAsked(t *testing.T) {
	asked := wiretest.Expect(wire.ComQuery)
	for _, c := range []struct {
		name  string
		steps []wiretest.Step
		want  uint16
	}{
		{"closes", []wiretest.Step{asked, wiretest.Close}, 0},
		{"says why it closes", []wiretest.Step{asked, wiretest.Sequence(0), wiretest.Send(wiretest.Err(4031, "HY000", "idle")), wiretest.Close}, 4031},
		{"answers with nothing", []wiretest.Step{asked, wiretest.Send(wiretest.OK(wire.OK{}))}, 1835},
		{"answers with garbage", []wiretest.Step{asked, wiretest.Send(wiretest.Plain(wire.Bytes("\xfe")))}, 1835},
		{"answers with an error", []wiretest.Step{asked, wiretest.Send(wiretest.Err(1820, "HY000", "expired"))}, notSupported},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := &wiretest.Server{Script: wiretest.EveryConnection(append([]wiretest.Step{wiretest.Accept}, append(c.steps, wiretest.Drain)...)...)}
			server.Start(t)
			p := loggedIn(t, protecting(t, server.Addr))
			_, err := p.Query(`SELECT "x"`)
			if gone := wiretest.Gone(err); gone != (c.want == 0) || !gone && refusal(t, err) != c.want {
				t.Errorf("%v, want error %d, or the end for 0", err, c.want)
			}
		})
	}
}

// loggedIn starts a session and logs in as root, or as anybody with a scripted
// server.
func loggedIn(tb testing.TB, all *Shared) *wiretest.Peer {
	tb.Helper()
	p, _ := loginAs(tb, all, "root")
	return p
}

// loginAs starts a session and logs in to one of the sandbox's accounts. The
// session may be looked into once wait has returned.
func loginAs(tb testing.TB, all *Shared, user string) (p *wiretest.Peer, wait func()) {
	tb.Helper()
	client, _, wait := startSession(tb, all)
	p = wiretest.NewPeer(client)
	if err := (wiretest.Client{User: user, Password: user, Database: "test"}).Login(p); err != nil {
		tb.Fatal(err)
	}
	return p, wait
}

// TestFieldList: the columns of a protected table are not shown as the server
// stores them, by a command as little as by a statement.
func TestFieldList(t *testing.T) {
	columns := wiretest.Try(wiretest.Expect(wire.ComFieldList), wiretest.Send(wiretest.Plain(wire.EOF{})))
	server := &wiretest.Server{
		Handshake: wiretest.Greeting(wiretest.ServerCaps &^ wire.ClientDeprecateEOF),
		Script:    wiretest.EveryConnection(wiretest.Accept, columns, columns, wiretest.Drain),
	}
	server.Start(t)
	client, _, _ := startSession(t, protecting(t, server.Addr))
	p := wiretest.NewPeer(client)
	if err := (wiretest.Client{User: "app", Password: "app", Caps: wiretest.ClientCaps &^ wire.ClientDeprecateEOF}).Login(p); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]uint16{"plain\x00": 0, "plain\x00patient": 0, "patient\x00": notSupported, "patient": notSupported, "\xe4\x00%": notSupported} {
		if err := p.Command(append([]byte{byte(wire.ComFieldList)}, table...)); err != nil {
			t.Fatal(err)
		}
		if _, err := p.ReadAnswer(wire.ComFieldList, nil); refusal(t, err) != want {
			t.Errorf("%q: %v, want error %d", table, err, want)
		}
	}
}
