package state

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// TestStateIsBounded: whatever names a client makes up, a session keeps a
// limited number of them, and says so.
func TestStateIsBounded(t *testing.T) {
	var st State
	st.Begin("test", 45, "8.0.0")
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
	st.Begin("test", 45, "8.0.0")
	st.Learn("", "utf8mb4", "test")
	planner := plan.New(plan.Options{})
	for i, text := range texts {
		p := planner.Plan(new(sql.Fingerprinter), []byte(text), st.now, st.current)
		if fails := failed && i+1 == len(texts); fails {
			st.Apply(p, len(p.Statements)-1, true)
		} else {
			st.Apply(p, len(p.Statements), false)
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

// TestMayReadUncommitted: a level that is set for a transaction counts for the session, until the session gets another one.
func TestMayReadUncommitted(t *testing.T) {
	const set = "SET SESSION TRANSACTION ISOLATION LEVEL "
	for _, c := range []struct {
		failed bool
		texts  []string
		want   bool
	}{
		{texts: []string{set + "READ COMMITTED", set + "SERIALIZABLE", "SET GLOBAL TRANSACTION ISOLATION LEVEL READ UNCOMMITTED"}},
		{texts: []string{set + "READ UNCOMMITTED"}, want: true},
		{texts: []string{set + "READ UNCOMMITTED", set + "REPEATABLE READ"}},
		{texts: []string{"SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED", "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE"}, want: true},
		{texts: []string{"SET TRANSACTION READ ONLY, ISOLATION LEVEL READ UNCOMMITTED"}, want: true},
		{texts: []string{"SET @@transaction_isolation = 'read-uncommitted'"}, want: true},
		{texts: []string{"SET SESSION tx_isolation = 'READ-COMMITTED'"}},
		{texts: []string{"SET SESSION transaction_isolation = CONCAT('READ-', 'UNCOMMITTED')"}, want: true},
		{texts: []string{"SET SESSION transaction_isolation = DEFAULT"}, want: true},
		{failed: true, texts: []string{set + "READ COMMITTED", "SET SESSION transaction_isolation = 'READ-COMMITTED', no_such = 1"}, want: true},
	} {
		if got := after(t, c.failed, c.texts...).MayReadUncommitted(); got != c.want {
			t.Errorf("%q: %t, want %t", c.texts, got, c.want)
		}
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
		st.Apply(plan.New(plan.Options{}).Plan(new(sql.Fingerprinter), []byte(c.text), st.now, st.current), c.succeeded, c.failed)
		if known := st.unknown == 0 && !st.stale && len(st.variables) > 0; known != c.known {
			t.Errorf("%s, %d succeeded, failed %t: %+v", c.text, c.succeeded, c.failed, st)
		}
	}
}

// TestStateAfterReset: what belongs to the session goes, the schema stays.
func TestStateAfterReset(t *testing.T) {
	var st State
	st.Begin("test", 28, "5.5.5-10.11.6-MariaDB")
	first := st.now
	st.effects(sql.Set, &sql.Effects{Schema: "other", Assignments: []sql.Assignment{{Name: "sql_mode", Value: "ANSI", Known: true}}})
	if st.now == first {
		t.Fatal("sql_mode changed nothing")
	}
	st.Forget()
	st.Reset()
	if st.now != first || st.current != "other" || st.unknown != AllParts || st.stale || len(st.variables) > 0 {
		t.Errorf("after a reset: %+v", st)
	}
}

// TestStatusIsTrue: the flag that every answer carries overrules what was known.
func TestStatusIsTrue(t *testing.T) {
	var st State
	st.Begin("test", 45, "8.0.0")
	st.unknown = 0
	st.Status(wire.StatusAutocommit)
	if st.unknown != 0 || st.now&sql.NoBackslashEscapes != 0 {
		t.Errorf("what was known is doubted: %+v", st)
	}
	st.Status(wire.StatusNoBackslashEscapes)
	if st.unknown != PartSQLMode || st.now&sql.NoBackslashEscapes == 0 {
		t.Errorf("what the server tells is not taken: %+v", st)
	}
	st.Status(0)
	if st.now&sql.NoBackslashEscapes != 0 {
		t.Errorf("what the server takes back is kept: %+v", st)
	}
	st.unknown = 0
	st.Status(wire.StatusDatabaseDropped)
	if st.unknown != PartSchema {
		t.Error("the schema is gone and not doubted")
	}
}
