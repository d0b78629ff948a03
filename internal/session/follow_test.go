package session

import (
	"fmt"
	"testing"

	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/state"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// What a case leaves unknown. At login everything is.
const (
	none        = state.Part(0)
	mode        = state.PartSQLMode
	charsetPart = state.PartCharset
	schema      = state.PartSchema
	all         = state.AllParts
)

// stateCases are what a client may do to its session, and what of the modes its
// statements alone do not tell afterwards. Where the server's session tracking is
// on, it may tell more.
var stateCases = []struct {
	name    string
	texts   []string
	unknown state.Part
}{
	{"nothing", nil, all},
	{"use", []string{"USE mysql"}, mode | charsetPart},
	{"use, quoted", []string{"USE `test`"}, mode | charsetPart},
	{"sql_mode by literal", []string{"SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'"}, charsetPart | schema},
	{"sql_mode by combination", []string{"SET SESSION sql_mode = 'ANSI'"}, charsetPart | schema},
	{"sql_mode by @@", []string{"SET @@sql_mode = 'TRADITIONAL', @@session.time_zone = '+02:00'"}, charsetPart | schema},
	{"sql_mode by expression", []string{"SET sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES')"}, all},
	{"sql_mode back to the default", []string{"SET sql_mode = 'ANSI'", "SET sql_mode = DEFAULT"}, all},
	{"global sql_mode is not the session's", []string{"SET GLOBAL innodb_io_capacity = 200"}, all},
	{"failed SET changes nothing", []string{"SET sql_mode = 'ANSI_QUOTES', no_such_variable = 1"}, all},
	{"failed SET changes a part", []string{"SET sql_mode = ''", "USE test", "SET PASSWORD FOR nobody@nowhere = 'x', sql_mode = 'ANSI_QUOTES'"}, mode | charsetPart},
	{"failed SET of a character set", []string{"SET NAMES latin1", "SET NAMES gbk, no_such_variable = 1"}, all},
	{"set names", []string{"SET NAMES gbk"}, mode | schema},
	{"set names, collation", []string{"SET NAMES latin1 COLLATE latin1_german1_ci"}, mode | schema},
	{"set character set", []string{"SET CHARACTER SET sjis"}, mode | schema},
	{"set names default", []string{"SET NAMES DEFAULT"}, all},
	{"several statements", []string{"USE mysql; SET sql_mode = 'ANSI_QUOTES'; USE test"}, charsetPart},
	{"several statements, the second fails", []string{"USE mysql; USE nowhere; SET sql_mode = 'ANSI_QUOTES'"}, all},
	{"sql_mode by number", []string{"SET sql_mode = ''", "SET sql_mode = 4"}, all},
	{"sql_mode by number, quoted", []string{"SET sql_mode = ''", "SET sql_mode = '4'"}, all},
	{"sql_mode as a name", []string{"SET sql_mode = `ansi_quotes`", "SET character_set_client = `gbk`"}, schema},
	{"character set by number, quoted", []string{"SET character_set_client = '28'"}, all},
	{"an empty statement at the end", []string{"SET NAMES latin1; # nothing"}, all},
	{"character set by number", []string{"SET character_set_client = 28"}, all},
	{"a program before a SET", []string{"SET sql_mode = ''", "BEGIN NOT ATOMIC SELECT 1; SELECT 2; END; SET sql_mode = 'ANSI_QUOTES'"}, all},
	{"prepared in SQL", []string{"PREPARE s FROM 'SET sql_mode = \"ANSI_QUOTES\"'", "EXECUTE s"}, all},
	{"all that is unknown is set", []string{"SET sql_mode = 'ANSI'", "SET NAMES utf8mb4", "USE mysql"}, none},
	{"the current schema is dropped", []string{"CREATE DATABASE gone", "USE gone", "DROP DATABASE gone"}, all},
	{"the next SET after an unknown one", []string{"SET sql_mode = REPLACE(@@sql_mode, 'x', '')", "SET sql_mode = ''"}, charsetPart | schema},
}

// TestStateFollowsServer runs each case on a real server and compares what the
// session has tracked with what the server says in the end.
func TestStateFollowsServer(t *testing.T) {
	server := sandboxtest.MariaDB(t)
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
func checkState(t *testing.T, st *state.State, server []string, unknown state.Part, tracking bool) {
	t.Helper()
	mode, charset, schema := server[0], server[1], server[2]
	if st.Missing()&state.PartSchema == 0 && st.Schema() != schema {
		t.Errorf("schema %q, the server says %q", st.Schema(), schema)
	}
	if st.Missing()&^unknown != 0 || !tracking && st.Missing() != unknown {
		t.Errorf("unknown parts %b, want %b", st.Missing(), unknown)
	}
	got := st.Modes()
	if st.Missing()&state.PartSQLMode != 0 {
		got = got.WithSQLMode(mode)
	}
	if st.Missing()&state.PartCharset != 0 {
		got = got.WithCharset(charset)
	}
	if want := st.AtLogin().WithSQLMode(mode).WithCharset(charset); got != want {
		t.Errorf("modes %b, the server's %q and %q make %b", got, mode, charset, want)
	}
}
