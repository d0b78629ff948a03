package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"tunic/internal/backend"
	"tunic/internal/plan"
	"tunic/internal/sandbox/sandboxtest"
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
	{"failed SET changes a part", []string{"SET sql_mode = ''", "USE test", "SET PASSWORD FOR nobody@nowhere = 'x', sql_mode = 'ANSI_QUOTES'"}, mode | charset},
	{"failed SET of a character set", []string{"SET NAMES latin1", "SET NAMES gbk, no_such_variable = 1"}, all},
	{"set names", []string{"SET NAMES gbk"}, mode | schema},
	{"set names, collation", []string{"SET NAMES latin1 COLLATE latin1_german1_ci"}, mode | schema},
	{"set character set", []string{"SET CHARACTER SET sjis"}, mode | schema},
	{"set names default", []string{"SET NAMES DEFAULT"}, all},
	{"several statements", []string{"USE mysql; SET sql_mode = 'ANSI_QUOTES'; USE test"}, charset},
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
	{"the next SET after an unknown one", []string{"SET sql_mode = REPLACE(@@sql_mode, 'x', '')", "SET sql_mode = ''"}, charset | schema},
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
		st.effects(sql.Set, &sql.Effects{Assignments: []sql.Assignment{{Name: name, Value: "1", Known: true}}})
		st.effects(sql.CreateTable, &sql.Effects{TemporaryCreated: []sql.TableName{{Name: name}}})
	}
	for what, n := range map[string]int{"variables": len(st.variables), "temporary tables": len(st.temporary)} {
		if n != namesMax {
			t.Errorf("%d %s kept, want %d", n, what, namesMax)
		}
	}
	if !st.stale {
		t.Error("the session does not know that it has lost track")
	}
}

// after is the state of a session once a server has answered texts, all of whose
// statements succeed but that the last of the last text fails if it is to.
func after(t *testing.T, failed bool, texts ...string) *State {
	t.Helper()
	st := new(State)
	st.begin("test", 45, "8.0.0")
	st.learn(backend.Settings{Schema: "test", Charset: "utf8mb4"})
	planner := plan.New(plan.Options{})
	for i, text := range texts {
		p := planner.Plan(new(sql.Fingerprinter), []byte(text), st.modes, st.schema)
		if fails := failed && i+1 == len(texts); fails {
			st.apply(p, len(p.Statements)-1, true)
		} else {
			st.apply(p, len(p.Statements), false)
		}
	}
	return st
}

// TestStateKeepsVariables: what a SET says is known until something may have
// changed it.
func TestStateKeepsVariables(t *testing.T) {
	known := func(value string) variable { return variable{value: value, known: true} }
	for _, c := range []struct {
		name   string
		failed bool
		texts  []string
		want   map[string]variable
		stale  bool
	}{
		{name: "by literal", texts: []string{"SET time_zone = '+02:00', @@timestamp = 12.5"}, want: map[string]variable{"time_zone": known("+02:00"), "timestamp": known("12.5")}},
		{name: "the default", texts: []string{"SET timestamp = 12", "SET timestamp = DEFAULT"}, want: map[string]variable{"timestamp": {}}},
		{
			name: "a failed SET", failed: true, texts: []string{"SET time_zone = '+02:00', timestamp = 1", "SET time_zone = '+03:00', no_such = 1"},
			want: map[string]variable{"time_zone": {}, "timestamp": known("1"), "no_such": {}},
		},
		{
			name: "a failed SET NAMES", failed: true, texts: []string{"SET NAMES gbk COLLATE gbk_bin", "SET NAMES latin1, no_such = 1"},
			want: map[string]variable{"character_set_client": {}, "character_set_results": {}, "character_set_connection": {}, "collation_connection": {}, "no_such": {}},
		},
		{name: "another scope", texts: []string{"SET GLOBAL time_zone = '+02:00'"}},
		{
			name: "set names", texts: []string{"SET NAMES gbk"},
			want: map[string]variable{"character_set_client": known("gbk"), "character_set_results": known("gbk"), "character_set_connection": known("gbk"), "collation_connection": {}},
		},
		{
			name: "set names, collation", texts: []string{"SET NAMES gbk COLLATE gbk_bin"},
			want: map[string]variable{"character_set_client": known("gbk"), "character_set_results": known("gbk"), "character_set_connection": known("gbk"), "collation_connection": known("gbk_bin")},
		},
		{
			name: "the collation changes the character set", texts: []string{"SET character_set_connection = gbk", "SET collation_connection = latin1_bin"},
			want: map[string]variable{"character_set_connection": {}, "collation_connection": known("latin1_bin")},
		},
		{name: "a call", texts: []string{"SET time_zone = '+02:00'", "CALL p()"}, want: map[string]variable{}, stale: true},
		{name: "after a call", texts: []string{"CALL p()", "SET time_zone = '+02:00'"}, want: map[string]variable{"time_zone": known("+02:00")}, stale: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := after(t, c.failed, c.texts...)
			if !maps.Equal(st.variables, c.want) || st.stale != c.stale {
				t.Errorf("stale %t, variables %v, want %t, %v", st.stale, st.variables, c.stale, c.want)
			}
		})
	}
}

// TestStateKeepsTemporaryTables: a name that may be that of a temporary table is
// listed, or the session is stale.
func TestStateKeepsTemporaryTables(t *testing.T) {
	for _, c := range []struct {
		name   string
		failed bool
		texts  []string
		want   []sql.TableName
		stale  bool
	}{
		{name: "created", texts: []string{"CREATE TEMPORARY TABLE a (i INT); CREATE TEMPORARY TABLE s.b (i INT)"}, want: []sql.TableName{{Schema: "s", Name: "b"}, {Schema: "test", Name: "a"}}},
		{name: "dropped", texts: []string{"CREATE TEMPORARY TABLE a (i INT)", "CREATE TEMPORARY TABLE b (i INT)", "DROP TABLE a", "DROP TEMPORARY TABLE test.b"}},
		{name: "dropped elsewhere", texts: []string{"CREATE TEMPORARY TABLE a (i INT)", "USE s", "DROP TABLE a"}, want: []sql.TableName{{Schema: "test", Name: "a"}}},
		{name: "not dropped", failed: true, texts: []string{"CREATE TEMPORARY TABLE a (i INT)", "DROP TABLE a, b"}, want: []sql.TableName{{Schema: "test", Name: "a"}}},
		{name: "altered", texts: []string{"CREATE TEMPORARY TABLE a (i INT)", "ALTER TABLE a RENAME TO b"}, want: []sql.TableName{{Schema: "test", Name: "a"}}, stale: true},
		{name: "renamed", failed: true, texts: []string{"CREATE TEMPORARY TABLE a (i INT)", "RENAME TABLE a TO b"}, want: []sql.TableName{{Schema: "test", Name: "a"}}, stale: true},
		{name: "altered, none temporary", texts: []string{"ALTER TABLE a RENAME TO b"}},
		{name: "in a schema nobody knows", texts: []string{"CREATE TEMPORARY TABLE a (i INT)", "DROP DATABASE s", "DROP TABLE a"}, want: []sql.TableName{{Schema: "test", Name: "a"}}},
		{name: "made in a schema nobody knows", texts: []string{"DROP DATABASE s", "CREATE TEMPORARY TABLE a (i INT)"}, want: []sql.TableName{{Schema: "test", Name: "a"}}, stale: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := after(t, c.failed, c.texts...)
			got := slices.SortedFunc(maps.Keys(st.temporary), func(a, b sql.TableName) int { return strings.Compare(a.Schema, b.Schema) })
			if !slices.Equal(got, c.want) || st.stale != c.stale {
				t.Errorf("stale %t, temporary tables %v, want %t, %v", st.stale, got, c.stale, c.want)
			}
		})
	}
}

// TestStateOfWhatNobodyRead: a server that answers to more than was read of a text
// leaves nothing known.
func TestStateOfWhatNobodyRead(t *testing.T) {
	for _, c := range []struct {
		text      string
		succeeded int
		failed    bool
		known     bool
	}{
		{text: "SET time_zone = '+02:00'", succeeded: 1, known: true},
		{text: "SET time_zone = '+02:00'", succeeded: 2},
		{text: "SET time_zone = '+02:00'", succeeded: 1, failed: true},
		{text: "SELECT 1", succeeded: 1, known: true},
		{text: "SELECT 1", failed: true, known: true},
		{text: "SELECT 1", succeeded: 2},
		{text: "SELECT 1", succeeded: 1, failed: true},
	} {
		st := after(t, false, "SET NAMES gbk COLLATE gbk_bin")
		st.apply(plan.New(plan.Options{}).Plan(new(sql.Fingerprinter), []byte(c.text), st.modes, st.schema), c.succeeded, c.failed)
		if known := st.unknown == none && !st.stale && len(st.variables) > 0; known != c.known {
			t.Errorf("%s, %d succeeded, failed %t: %+v", c.text, c.succeeded, c.failed, st)
		}
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
