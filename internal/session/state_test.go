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

// stateCases are what a client may do to its session. known says whether
// statements alone tell the sql_mode and character set that follow; where the
// server's session tracking is on, it may tell more.
var stateCases = []struct {
	name  string
	texts []string
	known bool
}{
	{"nothing", nil, true},
	{"use", []string{"USE mysql"}, true},
	{"use, quoted", []string{"USE `test`"}, true},
	{"sql_mode by literal", []string{"SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'"}, true},
	{"sql_mode by combination", []string{"SET SESSION sql_mode = 'ANSI'"}, true},
	{"sql_mode by @@", []string{"SET @@sql_mode = 'TRADITIONAL', @@session.time_zone = '+02:00'"}, true},
	{"sql_mode by expression", []string{"SET sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES')"}, false},
	{"sql_mode back to the default", []string{"SET sql_mode = 'ANSI'", "SET sql_mode = DEFAULT"}, false},
	{"global sql_mode is not the session's", []string{"SET GLOBAL innodb_io_capacity = 200"}, true},
	{"failed SET changes nothing", []string{"SET sql_mode = 'ANSI_QUOTES', no_such_variable = 1"}, true},
	{"set names", []string{"SET NAMES gbk"}, true},
	{"set names, collation", []string{"SET NAMES latin1 COLLATE latin1_german1_ci"}, true},
	{"set character set", []string{"SET CHARACTER SET sjis"}, true},
	{"set names default", []string{"SET NAMES DEFAULT"}, false},
	{"several statements", []string{"USE mysql; SET sql_mode = 'ANSI_QUOTES'; USE test"}, true},
	{"several statements, the second fails", []string{"USE mysql; USE nowhere; SET sql_mode = 'ANSI_QUOTES'"}, true},
	{"prepared in SQL", []string{"PREPARE s FROM 'SET sql_mode = \"ANSI_QUOTES\"'", "EXECUTE s"}, false},
	{"the next SET after an unknown one", []string{"SET sql_mode = REPLACE(@@sql_mode, 'x', '')", "SET sql_mode = ''"}, true},
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
				checkState(t, &s.state, rows[0], c.known, tracking)
			})
		}
	}
}

// checkState compares the state with what the server says of it.
func checkState(t *testing.T, st *State, server []string, known, tracking bool) {
	t.Helper()
	mode, charset, schema := server[0], server[1], server[2]
	if st.schema != schema {
		t.Errorf("schema %q, the server says %q", st.schema, schema)
	}
	if st.unknown != 0 {
		if known {
			t.Error("the modes are not known")
		}
		return
	}
	if !known && !tracking {
		t.Errorf("the modes are taken as known: %v", st.variables)
	}
	if want := st.login.WithSQLMode(mode).WithCharset(charset); st.modes != want {
		t.Errorf("modes %b, the server's %q and %q make %b", st.modes, mode, charset, want)
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
	if st.modes != first || st.schema != "other" || st.unknown != 0 || st.stale || len(st.variables) > 0 {
		t.Errorf("after a reset: %+v", st)
	}
}
