package statements

import (
	"fmt"
	"slices"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// TestOutlived: what PREPARE has made is not executed by a later version of the
// catalog, whichever of the statements of a text that is, and however many there are.
func TestOutlived(t *testing.T) {
	var n Named
	version := uint64(7)
	var fp sql.Fingerprinter
	planner := plan.New(plan.Options{})
	planned := func(text string) *plan.Plan { return planner.Plan(&fp, []byte(text), 0, "") }
	outlived := func(text string, want bool) {
		t.Helper()
		if got := n.Outlived(planned(text), &catalog.Catalog{Version: version}); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
	prepare := func(text string) { n.Prepare(planned(text), version) }
	outlived("EXECUTE nosuch", false)
	prepare("PREPARE old FROM 'SELECT 1'")
	outlived("EXECUTE old", false)
	version = 8
	outlived("EXECUTE OLD", true)
	prepare("PREPARE fresh FROM 'SELECT 1'")
	outlived("EXECUTE fresh", false)
	outlived("EXECUTE fresh; EXECUTE old", true)
	n.Outdate()
	outlived("EXECUTE fresh", true)
	prepare("PREPARE meanwhile FROM 'SELECT 1'")
	version = 9
	outlived("EXECUTE meanwhile", true)
	for i := range NamedMax {
		prepare(fmt.Sprintf("PREPARE s%d FROM 'SELECT 1'", i))
	}
	outlived("EXECUTE old", true)
	outlived("CALL q()", true)
	outlived(fmt.Sprintf("EXECUTE s%d", NamedMax-1), false)
	prepare("PREPARE old FROM 'SELECT 1'")
	outlived("EXECUTE old", false)
}

// TestOutlivedByProgram: a program of the server's may have prepared statements of names that nobody else knows, at the time of the
// first one.
func TestOutlivedByProgram(t *testing.T) {
	var n Named
	var fp sql.Fingerprinter
	planner := plan.New(plan.Options{})
	planned := func(text string) *plan.Plan { return planner.Plan(&fp, []byte(text), 0, "") }
	n.MayHave(7)
	n.MayHave(8)
	for version, want := range map[uint64]bool{7: false, 8: true, 9: true} {
		if got := n.Outlived(planned("EXECUTE its"), &catalog.Catalog{Version: version}); got != want {
			t.Errorf("by version %d: %t", version, got)
		}
	}
	n.Prepare(planned("PREPARE its FROM 'SELECT 1'"), 9)
	if n.Outlived(planned("EXECUTE its"), &catalog.Catalog{Version: 9}) {
		t.Error("the client has prepared it anew")
	}
	n.Forget("its")
	if !n.Outlived(planned("EXECUTE its"), &catalog.Catalog{Version: 9}) {
		t.Error("a name of no statement may be a program's")
	}
	n.KeepNone("ITS")
	if n.Outlived(planned("EXECUTE its"), &catalog.Catalog{Version: 9}) || !n.Outlived(planned("EXECUTE other"), &catalog.Catalog{Version: 9}) {
		t.Error("a name that was taken away, and no other, is known to be of none")
	}
	n.Doubt()
	if n.IsNone("its") || !n.Outlived(planned("EXECUTE its"), &catalog.Catalog{Version: 10}) {
		t.Error("a program may have prepared it since")
	}
	n.Outdate()
	n.MayHave(11)
	if !n.Outlived(planned("EXECUTE other"), &catalog.Catalog{Version: 11}) {
		t.Error("a program has run since all were out of date")
	}
	n.Clear()
	n.KeepNone("its")
	n.Prepare(planned("PREPARE its FROM 'SELECT 1'"), 9)
	if n.IsNone("its") || !n.Outlived(planned("EXECUTE its"), &catalog.Catalog{Version: 10}) {
		t.Error("the client has prepared it since")
	}
}

// TestOutlivedByName: one whose plan is known is executed by a later version of the catalog in which no table
// of it is protected, unless another one may have its name.
func TestOutlivedByName(t *testing.T) {
	before := plantest.Tables(t)
	w := *before.Table("test", "log")
	w.ID, w.Name = catalog.ID{0xee}, "w"
	after := before.Next(before.Version+1, nil, []*catalog.Table{&w})
	planner := plan.New(plan.Options{Catalog: func() *catalog.Catalog { return before }})
	var fp sql.Fingerprinter
	planned := func(text string) *plan.Plan { return planner.Plan(&fp, []byte(text), plantest.MariaDB, "test") }
	for text, want := range map[string]bool{"SELECT 1": false, "SELECT line FROM aaa": false, "SELECT line FROM w": true, "SET @a = (SELECT line FROM w)": true} {
		var n Named
		n.Prepare(planned("PREPARE s FROM 'SELECT 1'"), before.Version)
		n.KeepAtServer("S", AtServer{Plan: planned(text)})
		is := func(what string, now *catalog.Catalog, want bool) {
			t.Helper()
			if got := n.Outlived(planned("EXECUTE s"), now); got != want {
				t.Errorf("%s, %s: %t", text, what, got)
			}
		}
		is("by the same catalog", before, false)
		is("by a later one", after, want)
		n.Prepare(planned("PREPARE s FROM 'SELECT 1'"), before.Version)
		is("after another PREPARE", after, true)
		n.KeepAtServer("s", AtServer{Plan: planned(text)})
		is("kept again", after, want)
		n.Doubt()
		is("after a program", after, true)
		if got := n.Outlived(planned("CALL q()"), after); got != want {
			t.Errorf("%s, by a program: %t", text, got)
		}
		n.Prepare(planned("PREPARE c FROM 'CALL q()'"), after.Version)
		n.KeepAtServer("c", AtServer{Plan: planned("CALL q()")})
		if got := n.Outlived(planned("EXECUTE c"), after); got != want {
			t.Errorf("%s, by a program that EXECUTE runs: %t", text, got)
		}
		n.Forget("c")
		if n.Outlived(planned("SELECT 1"), after) || n.Outlived(planned("CALL q()"), before) {
			t.Errorf("%s: what executes nothing, or by the same catalog, is outlived", text)
		}
		n.KeepAtServer("s", AtServer{Plan: planned(text)})
		n.Outdate()
		is("by another policy", after, true)
	}
}

// TestNamed: names are alike whatever their case, a name is forgotten wherever it is kept, and of too many
// nothing is known.
func TestNamed(t *testing.T) {
	var n Named
	var fp sql.Fingerprinter
	n.KeepText("Own", &Text{Text: []byte("SELECT 1")})
	n.Prepare(plan.New(plan.Options{}).Plan(&fp, []byte("PREPARE theirs FROM 'KILL QUERY 4'"), 0, ""), 1)
	n.KeepAtServer("Theirs", AtServer{Kills: 4, Plan: plan.New(plan.Options{}).Plan(&fp, []byte("KILL QUERY 4"), 0, "")})
	if n.Text("OWN") == nil || n.Texts() != 1 {
		t.Error("a text is not found")
	}
	if st, known := n.AtServer("theirs"); !known || st.Kills != 4 || st.MayLock() {
		t.Errorf("%+v, %t", st, known)
	}
	n.Doubt()
	n.MayHave(1)
	if st, _ := n.AtServer("theirs"); st.Kills != 0 || !st.MayLock() || st.Plan != nil {
		t.Errorf("in doubt: %+v", st)
	}
	if !n.Forget("nobody's") || !n.AnyAtServer() {
		t.Error("a program has prepared nothing")
	}
	n.Clear()
	n.KeepText("Own", &Text{Text: []byte("SELECT 1")})
	n.Prepare(plan.New(plan.Options{}).Plan(&fp, []byte("PREPARE theirs FROM 'SELECT 1'"), 0, ""), 1)
	if n.Forget("own") || n.Text("own") != nil {
		t.Error("the server has what it has not")
	}
	if !n.Forget("THEIRS") || n.AnyAtServer() {
		t.Error("the server has nothing any more")
	}
	for i := range NamedMax + 1 {
		n.KeepAtServer(fmt.Sprint(i), AtServer{})
	}
	if _, known := n.AtServer(fmt.Sprint(NamedMax)); known || !n.IsFull() {
		t.Error("more are kept than may be")
	}
}

// TestNumbered: a statement is found by its number, and by that of the one prepared last, until it is removed.
func TestNumbered(t *testing.T) {
	n := Numbered[string]{Max: 2}
	n.Add(1, "one")
	n.Add(2, "two")
	if st, ok := n.Find(wire.LastPrepared); !ok || st != "two" || !n.IsFull(0) {
		t.Errorf("%q, %t", st, ok)
	}
	n.Fails()
	if _, ok := n.Find(wire.LastPrepared); ok {
		t.Error("the last one has failed")
	}
	if st, ok := n.Remove(1); !ok || st != "one" || n.IsFull(0) || !n.IsFull(1) {
		t.Errorf("%q, %t", st, ok)
	}
	if _, ok := n.Remove(1); ok || !slices.Equal(slices.Collect(n.All()), []string{"two"}) {
		t.Error("it is still there")
	}
	if n.Clear(); n.Count() != 0 {
		t.Error("some are still there")
	}
}
