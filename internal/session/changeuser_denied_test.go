package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/config"
	"tunic/internal/value"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// changesUser sends a COM_CHANGE_USER without a password, and returns how it ends.
func changesUser(t *testing.T, p *wiretest.Peer, user, schema string) string {
	t.Helper()
	m := wire.ChangeUser{User: []byte(user), Database: []byte(schema), Charset: 45, Plugin: []byte("mysql_native_password")}
	if err := p.Command(m.AppendCommand(nil, p.Caps)); err != nil {
		return "gone"
	}
	for {
		if err := p.Read(); err != nil {
			return "gone"
		}
		switch kind, _ := wire.ClassifyAuth(p.Last); kind {
		case wire.AuthOK:
			return "ok"
		case wire.AuthErr:
			e, err := wire.DecodeErr(p.Last)
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("error %d", e.Number)
		case wire.AuthRetry:
			if err := p.Wire.Send(wire.Bytes{}); err != nil {
				t.Fatal(err)
			}
		default:
			return fmt.Sprintf("%#x", p.Last)
		}
	}
}

// goes reports what a session is told, or that it is over.
func goes(t *testing.T, p *wiretest.Peer, statement string) []string {
	t.Helper()
	if err := p.Command(wire.Query{Text: []byte(statement)}.AppendQuery(nil, p.Caps)); err != nil {
		return []string{"gone"}
	}
	sets, err := p.ReadAnswer(wire.ComQuery, nil)
	if refusal, ok := errors.AsType[*wiretest.ServerError](err); ok {
		return []string{leveled(refusal.Error())}
	}
	if err != nil {
		return []string{"gone"}
	}
	var all []string
	for _, set := range sets {
		if set.Columns > 0 {
			all = append(all, rowsOf(t, p, statement, set, nil)...)
		}
	}
	return all
}

// changes are those of user: to whom, and in which schema; how often it is tried, and how it ends last on MariaDB.
var changes = []struct {
	user, schema string
	times        int
	ends         string
}{
	{"closed", "", 1, "error 1045"},
	{"nobody", "", 1, "error 1045"},
	{"open", "nowhere", 1, "error 1049"},
	{"locked", "", 1, "error 4151"},
	{"closed", "", 4, "error 1047"},
	{"open", "plain", 1, "ok"},
}

// changing makes the accounts of changes.
func changing(t *testing.T, a *asked) {
	t.Helper()
	err := a.server.Exec(t.Context(), "DROP USER IF EXISTS open@'%', closed@'%', locked@'%'", "CREATE USER open@'%' IDENTIFIED BY ''",
		"GRANT ALL ON *.* TO open@'%'", "CREATE USER closed@'%' IDENTIFIED BY 'closed'", "CREATE USER locked@'%' IDENTIFIED BY '' ACCOUNT LOCK")
	if err != nil {
		t.Fatal(err)
	}
}

// TestSessionAfterChange: a session is after a COM_CHANGE_USER what it is on a plain server, after one that is denied too: MariaDB
// rolls back, and forgets variables, tables, locks and statements, before it knows whom it lets in.
func TestSessionAfterChange(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		changing(t, a)
		for _, c := range changes {
			if c.times > 1 && a.flavor == value.MySQL {
				continue // which has ended the connection after the first
			}
			var all [2][]string
			direct, tunnel := a.connect(t, "root", "root")
			for i, p := range []*wiretest.Peer{direct, tunnel} {
				for _, s := range beforeChange {
					goes(t, p, s)
				}
				ends := ""
				for range c.times {
					ends = changesUser(t, p, c.user, strings.ReplaceAll(c.schema, "plain", []string{"plain", "shop"}[i]))
				}
				if a.flavor == value.MariaDB && ends != c.ends {
					t.Errorf("%v: it ends with %s", c, ends)
				}
				all[i] = append(all[i], ends)
				for _, s := range afterChange {
					all[i] = append(all[i], s+": "+strings.Join(goes(t, p, s), " | "))
				}
			}
			if diff := cmp.Diff(all[0], all[1]); diff != "" {
				t.Errorf("%v: %s", c, diff)
			}
		}
	})
}

var beforeChange = []string{
	"CREATE TABLE IF NOT EXISTS moved (id INT PRIMARY KEY, name VARCHAR(20))", "DELETE FROM moved", "INSERT INTO moved VALUES (1, 'a')",
	"CREATE TABLE IF NOT EXISTS numbered (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20))", "INSERT INTO numbered (name) VALUES ('a'), ('b')", "SET @v = 'of the session'", "SET @w = (SELECT name FROM moved)", "PREPARE s FROM 'SELECT name FROM moved'", "SET sql_mode = 'ANSI_QUOTES'",
	"SET NAMES latin1", "CREATE TEMPORARY TABLE gone (id INT, name VARCHAR(20))", "SELECT GET_LOCK('of_mine', 0)", "SET time_zone = '+05:00'",
	"LOCK TABLES moved WRITE", "SET autocommit = 0", "INSERT INTO moved VALUES (2, 'b')", "SELECT name FROM moved", "SELECT nothing FROM moved",
}

var afterChange = []string{
	"SHOW WARNINGS", "SELECT ROW_COUNT(), FOUND_ROWS(), LAST_INSERT_ID()", "SELECT CURRENT_USER(), DATABASE(), @@autocommit, @@sql_mode = 'ANSI_QUOTES', @@character_set_client, @@time_zone",
	"SELECT @v", "SELECT @w", "EXECUTE s", "SELECT * FROM gone", "SELECT * FROM moved", "SELECT * FROM visit WHERE 0",
	"SELECT IS_FREE_LOCK('of_mine')", "SELECT ROW_COUNT(), FOUND_ROWS(), LAST_INSERT_ID()", `SELECT id FROM moved WHERE name = "a"`,
	"INSERT INTO moved VALUES (3, 'c')", "SELECT COUNT(*) FROM moved", "CREATE TEMPORARY TABLE gone (id INT, name VARCHAR(20))",
	"DROP TEMPORARY TABLE gone",
}

// TestAccountAfterChange: a session has the rights of the account that the server has it go on with: those from before, if the change
// is denied.
func TestAccountAfterChange(t *testing.T) {
	onServers(t, func(t *testing.T, a *asked) {
		changing(t, a)
		listed := []config.ClientAccount{{User: "root", Host: "*"}, {User: "closed", Host: "*"}, {User: "locked", Host: "*"}}
		settings := *a.shared.Settings()
		settings.Clients = config.Clients{Accounts: listed, Others: config.OthersPlain}
		settings.Annotators = listed
		a.shared.Set(&settings)
		for _, to := range []struct{ user, schema string }{{"root", "shop"}, {"closed", "shop"}, {"locked", "shop"}, {"nobody", "shop"}, {"open", "nowhere"}, {"open", "shop"}} {
			for _, from := range [][2]string{{"root", "root"}, {"open", ""}} {
				reads, annotates := from[0] == "root", from[0] == "root"
				_, p := a.connect(t, from[0], from[1])
				ends := changesUser(t, p, to.user, to.schema)
				if ends == "ok" {
					reads, annotates = false, false
				}
				for statement, may := range map[string]bool{
					"SELECT * FROM patient WHERE 0": reads, "CREATE TEMPORARY TABLE said (id INT COMMENT 'tunic: sealed')": annotates,
				} {
					got := strings.Join(goes(t, p, statement), " ")
					if a.flavor == value.MySQL && ends != "ok" {
						if got != "gone" {
							t.Errorf("from %s to %v, %s: the session goes on: %s", from[0], to, ends, got)
						}
						continue
					}
					if refused := strings.Contains(got, "TUNIC-6006") || strings.Contains(got, "TUNIC-2063"); refused == may || got == "gone" {
						t.Errorf("from %s to %v, %s: %s: %s", from[0], to, ends, statement, got)
					}
				}
			}
		}
	})
}

// TestDeniedElsewhere: of a server of which nobody knows what it does after a denial, the session ends.
func TestDeniedElsewhere(t *testing.T) {
	greeting := wiretest.Greeting(wiretest.ServerCaps)
	greeting.Version = []byte("8.0.11-TiDB-v8.5.0")
	server := &wiretest.Server{Handshake: greeting, Script: wiretest.EveryConnection(
		wiretest.Accept, wiretest.Expect(wire.ComChangeUser), wiretest.Send(wiretest.Err(1045, "28000", "denied")), wiretest.Drain,
	)}
	server.Start(t)
	p := loggedIn(t, shared(t, server.Addr))
	if ends := changesUser(t, p, "other", ""); ends != "error 1045" {
		t.Error(ends)
	}
	if err := p.Read(); !wiretest.Gone(err) {
		t.Errorf("the session goes on: %v", err)
	}
}
