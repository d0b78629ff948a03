package state

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sql"
)

// protects plans statements where the table a of the schema test is protected.
func protects() (*plan.Planner, *catalog.Catalog, *catalog.Table) {
	a := &catalog.Table{ID: catalog.ID{1}, Schema: "test", Name: "a"}
	c := catalog.New(false).Next(1, nil, []*catalog.Table{a})
	return plan.New(plan.Options{Catalog: func() *catalog.Catalog { return c }}), c, a
}

// TestHeld: what a session may hold, and what it holds for sure, after statements; ! before a text says that it has
// failed.
func TestHeld(t *testing.T) {
	planner, c, a := protects()
	for _, of := range []struct {
		texts                 []string
		locked, frozen, holds bool
	}{
		{nil, false, false, false},
		{[]string{"LOCK TABLES a READ"}, true, false, true},
		{[]string{"LOCK TABLES b WRITE"}, true, false, false},
		{[]string{"LOCK TABLES a READ", "LOCK TABLES b READ"}, true, false, false},
		{[]string{"LOCK TABLES a READ", "SELECT 1"}, true, false, true},
		{[]string{"LOCK TABLES a READ", "UNLOCK TABLES"}, false, false, false},
		{[]string{"LOCK TABLES a READ", "BEGIN"}, false, false, false},
		{[]string{"LOCK TABLES a READ", "!LOCK TABLES b READ"}, true, false, false},
		{[]string{"LOCK TABLES a READ", "CALL p()"}, true, false, false},
		{[]string{"FLUSH TABLES WITH READ LOCK"}, false, true, true},
		{[]string{"FLUSH TABLES WITH READ LOCK", "BEGIN"}, false, true, true},
		{[]string{"FLUSH TABLES WITH READ LOCK", "UNLOCK TABLES"}, false, false, false},
	} {
		var st State
		st.Begin("test", 45, "8.0.0")
		for _, text := range of.texts {
			failed := text[0] == '!'
			if failed {
				text = text[1:]
			}
			p := planner.Plan(new(sql.Fingerprinter), []byte(text), st.Modes(), st.Schema())
			if failed {
				st.Apply(p, 0, true)
				continue
			}
			st.Apply(p, 1, false)
			if locks := p.Locks(); locks != nil {
				st.Hold(locks)
			}
		}
		if st.IsLocked() != of.locked || st.IsFrozen() != of.frozen || st.Locks() != (of.locked || of.frozen) || st.Holds(a, c) != of.holds {
			t.Errorf("%q: locked %t, frozen %t, holds %t", of.texts, st.IsLocked(), st.IsFrozen(), st.Holds(a, c))
		}
	}
}

// TestRelock: a statement that was taken to have locked something, and has not, leaves what was held.
func TestRelock(t *testing.T) {
	planner, c, a := protects()
	var st State
	st.Begin("test", 45, "10.11.6-MariaDB")
	of := func(text string) *plan.Plan {
		return planner.Plan(new(sql.Fingerprinter), []byte(text), st.Modes(), st.Schema())
	}
	before := st.Held()
	st.Apply(of("EXECUTE s"), 1, false)
	if !st.IsLocked() {
		t.Error("MariaDB can prepare LOCK TABLES, and an EXECUTE is taken to lock nothing")
	}
	if st.Relock(before); st.IsLocked() {
		t.Error("what was not locked is")
	}
	p := of("LOCK TABLES a READ")
	st.Apply(p, 1, false)
	st.Hold(p.Locks())
	before = st.Held()
	st.Apply(of("EXECUTE s"), 1, false)
	if st.Relock(before); !st.Holds(a, c) {
		t.Error("a table that is held is not known to be")
	}
	if st.Loosen(); st.Holds(a, c) || !st.IsLocked() {
		t.Error("a table whose definition is gone is held, or nothing may be")
	}
}

// TestDoubt: what values mean is doubtful until the server has told, and again when something changes it.
func TestDoubt(t *testing.T) {
	var st State
	st.Begin("test", 45, "8.0.0")
	if !st.IsDoubtful() || !st.IsUnknown() || st.Missing() != AllParts {
		t.Error("behind a login something is known for sure")
	}
	st.Learn("ANSI_QUOTES", "utf8mb4", "shop")
	if st.IsUnknown() || st.Schema() != "shop" || st.Modes()&sql.ANSIQuotes == 0 || st.Modes() == st.AtLogin() {
		t.Errorf("what the server says is not taken over: %+v", st)
	}
	st.Trust()
	for _, set := range []struct {
		text     string
		doubtful bool
	}{{"SET innodb_lock_wait_timeout = 1", false}, {"SET time_zone = '+02:00'", true}, {"SET collation_connection = latin1_bin", true}} {
		st.Apply(plan.New(plan.Options{}).Plan(new(sql.Fingerprinter), []byte(set.text), st.Modes(), st.Schema()), 1, false)
		if st.IsDoubtful() != set.doubtful {
			t.Errorf("%s: doubtful %t", set.text, st.IsDoubtful())
		}
		st.Told(st.Modes())
	}
	if value, known, set := st.Variable("time_zone"); value != "+02:00" || !known || !set {
		t.Errorf("the time zone is %q, known %t, set %t", value, known, set)
	}
	if _, _, set := st.Variable("timestamp"); set {
		t.Error("a variable is set that was not")
	}
}
