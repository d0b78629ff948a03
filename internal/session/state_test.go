package session

import (
	"fmt"
	"strings"
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/sql"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// What a case leaves unknown. At login everything is.
const (
	none    = part(0)
	mode    = partSQLMode
	charset = partCharset
	schema  = partSchema
	all     = allParts
)

// stateCases are what a client may do to its session, and what of the modes its
// statements alone do not tell afterwards. Where the server's session tracking is
// on, it may tell more.
var stateCases = []struct {
	name    string
	texts   []string
	unknown part
}{
	{"nothing", nil, all},
	{"use", []string{"USE mysql"}, mode | charset},
	{"use, quoted", []string{"USE `test`"}, mode | charset},
	{"sql_mode by literal", []string{"SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'"}, charset | schema},
	{"sql_mode by combination", []string{"SET SESSION sql_mode = 'ANSI'"}, charset | schema},
	{"sql_mode by @@", []string{"SET @@sql_mode = 'TRADITIONAL', @@session.time_zone = '+02:00'"}, charset | schema},
	{"sql_mode by expression", []string{"SET sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES')"}, all},
	{"sql_mode back to the default", []string{"SET sql_mode = 'ANSI'", "SET sql_mode = DEFAULT"}, all},
	{"global sql_mode is not the session's", []string{"SET GLOBAL innodb_io_capacity = 200"}, all},
	{"failed SET changes nothing", []string{"SET sql_mode = 'ANSI_QUOTES', no_such_variable = 1"}, all},
	{"set names", []string{"SET NAMES gbk"}, mode | schema},
	{"set names, collation", []string{"SET NAMES latin1 COLLATE latin1_german1_ci"}, mode | schema},
	{"set character set", []string{"SET CHARACTER SET sjis"}, mode | schema},
	{"set names default", []string{"SET NAMES DEFAULT"}, all},
	{"several statements", []string{"USE mysql; SET sql_mode = 'ANSI_QUOTES'; USE test"}, charset},
	{"several statements, the second fails", []string{"USE mysql; USE nowhere; SET sql_mode = 'ANSI_QUOTES'"}, all},
	{"sql_mode by number", []string{"SET sql_mode = ''", "SET sql_mode = 4"}, all},
	{"character set by number", []string{"SET character_set_client = 28"}, all},
	{"a program before a SET", []string{"SET sql_mode = ''", "BEGIN NOT ATOMIC SELECT 1; SELECT 2; END; SET sql_mode = 'ANSI_QUOTES'"}, all},
	{"prepared in SQL", []string{"PREPARE s FROM 'SET sql_mode = \"ANSI_QUOTES\"'", "EXECUTE s"}, all},
	{"all that is unknown is set", []string{"SET sql_mode = 'ANSI'", "SET NAMES utf8mb4", "USE mysql"}, none},
	{"the current schema is dropped", []string{"CREATE DATABASE gone", "USE gone", "DROP DATABASE gone"}, all},
	{"the next SET after an unknown one", []string{"SET sql_mode = REPLACE(@@sql_mode, 'x', '')", "SET sql_mode = ''"}, charset | schema},
}

// TestStateFollowsServer runs each case on a real server and compares what the
// session has tracked with what the server says in the end.
func TestStateFollowsServer(t *testing.T) {
	server, err := sandbox.StartMariaDB(t.Context(), sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop() })
	for _, tracking := range []bool{false, true} {
		for _, c := range stateCases {
			t.Run(fmt.Sprintf("tracking %t/%s", tracking, c.name), func(t *testing.T) {
				client, s, wait := startSession(t, shared(t, server.Addr))
				peer := wiretest.NewPeer(client)
				login := wiretest.Client{User: "root", Password: "root", Database: "test"}
				if tracking {
					login.Caps = wiretest.ClientCaps | wire.ClientSessionTrack
				}
				if err := login.Login(peer); err != nil {
					t.Fatal(err)
				}
				for _, text := range c.texts {
					_, _ = peer.Query(text) // some fail, on purpose
				}
				sets, err := peer.Query("SELECT @@sql_mode, @@character_set_client, IFNULL(DATABASE(), '')")
				if err != nil {
					t.Fatal(err)
				}
				rows, err := sets[0].Text()
				if err != nil {
					t.Fatal(err)
				}
				wait()
				checkState(t, &s.state, rows[0], c.unknown, tracking)
			})
		}
	}
}

// checkState compares the state with what the server says of it.
func checkState(t *testing.T, st *State, server []string, unknown part, tracking bool) {
	t.Helper()
	mode, charset, schema := server[0], server[1], server[2]
	if st.unknown&partSchema == 0 && st.schema != schema {
		t.Errorf("schema %q, the server says %q", st.schema, schema)
	}
	if st.unknown&^unknown != 0 || !tracking && st.unknown != unknown {
		t.Errorf("unknown parts %b, want %b: %v", st.unknown, unknown, st.variables)
	}
	got := st.modes
	if st.unknown&partSQLMode != 0 {
		got = got.WithSQLMode(mode)
	}
	if st.unknown&partCharset != 0 {
		got = got.WithCharset(charset)
	}
	if want := st.login.WithSQLMode(mode).WithCharset(charset); got != want {
		t.Errorf("modes %b, the server's %q and %q make %b", got, mode, charset, want)
	}
}

// TestStateIsBounded: whatever names a client makes up, a session keeps a
// limited number of them, and says so.
func TestStateIsBounded(t *testing.T) {
	var st State
	st.begin("test", 45, "8.0.0")
	for i := range 2 * namesMax {
		name := fmt.Sprint("v", i)
		st.effects(sql.Set, &sql.Effects{UserVariables: []string{name}, Assignments: []sql.Assignment{{Name: name, Value: "1", Known: true}}})
		st.effects(sql.Prepare, &sql.Effects{Prepared: strings.ToUpper(name)})
		st.effects(sql.CreateTable, &sql.Effects{TemporaryCreated: []sql.TableName{{Name: name}}})
	}
	for what, n := range map[string]int{
		"user variables": len(st.users), "variables": len(st.variables), "prepared": len(st.prepared), "temporary tables": len(st.temporary),
	} {
		if n != namesMax {
			t.Errorf("%d %s kept, want %d", n, what, namesMax)
		}
	}
	if !st.stale {
		t.Error("the session does not know that it has lost track")
	}
}

// TestStateAfterReset: what belongs to the session goes, the schema stays.
func TestStateAfterReset(t *testing.T) {
	var st State
	st.begin("test", 28, "5.5.5-10.11.6-MariaDB")
	first := st.modes
	st.effects(sql.Set, &sql.Effects{Schema: "other", Assignments: []sql.Assignment{{Name: "sql_mode", Value: "ANSI", Known: true}}})
	if st.modes == first {
		t.Fatal("sql_mode changed nothing")
	}
	st.forget()
	st.reset()
	if st.modes != first || st.schema != "other" || st.unknown != all || st.stale || len(st.variables) > 0 {
		t.Errorf("after a reset: %+v", st)
	}
}
