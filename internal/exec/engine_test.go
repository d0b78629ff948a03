package exec

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/catalog/catalogtest"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/value"
)

var errNoKey = errors.New("no key")

// runOf is a Run without slots.
func runOf(t *catalog.Table) *recipe.Run { return &recipe.Run{Kind: sql.Delete, Table: t} }

func (e *Engine) kept() (n int) {
	e.statements.Range(func(any, any) bool { n++; return true })
	return n
}

// TestStatementsLiveAsLongAsPlans: a Run has one Statement, which is forgotten with
// it.
func TestStatementsLiveAsLongAsPlans(t *testing.T) {
	e := New(Options{Forms: binding.FormsOf{Column: func(*catalog.Column) (binding.Forms, error) { return nil, nil }}}) //nolint:nilnil // nothing is sealed
	table := catalogtest.Sbtest(t).Table("test", "sbtest1")
	first, second := runOf(table), runOf(table)
	a, err := e.Statement(first)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := e.Statement(first); again != a {
		t.Error("a Run has two Statements")
	}
	if other, _ := e.Statement(second); other == a || e.kept() != 2 {
		t.Errorf("two Runs have %d Statements", e.kept())
	}
	runtime.KeepAlive(first)
	first, second = nil, nil
	for end := time.Now().Add(10 * time.Second); e.kept() > 0; time.Sleep(time.Millisecond) {
		runtime.GC()
		if time.Now().After(end) {
			t.Fatalf("%d Statements stay", e.kept())
		}
	}
	runtime.KeepAlive(a)
	_, _ = first, second
}

// TestNoForms: a column whose cryptography cannot be made fails the Statement.
func TestNoForms(t *testing.T) {
	e := New(Options{Forms: binding.FormsOf{Column: func(*catalog.Column) (binding.Forms, error) { return nil, errNoKey }}})
	if _, err := e.Statement(runOf(catalogtest.Sbtest(t).Table("test", "sbtest1"))); !errors.Is(err, errNoKey) || e.kept() > 0 {
		t.Errorf("%v, %d kept", err, e.kept())
	}
}

// TestNotices: what is not kept is counted, and rows of an UPDATE are told apart.
func TestNotices(t *testing.T) {
	var n binding.Notices
	n.Begin(3)
	n.Add(value.Warning, 1265, []byte("Data truncated for column 'c' at row 1"))
	n.Add(value.Note, 1, []byte("of no row"))
	n.Repeat(3)
	if n.Count() != 6 || len(n.All()) != 2 {
		t.Errorf("%d counted, %d kept", n.Count(), len(n.All()))
	}
	n.Begin(10)
	n.Add(value.Warning, 1265, []byte("Data truncated for column 'c' at row 1"))
	n.Repeat(3)
	if got := string(n.All()[2].Message); n.Count() != 3 || got != "Data truncated for column 'c' at row 3" {
		t.Errorf("%d counted, the last is %q", n.Count(), got)
	}
	n.Repeat(0)
	if n.Count() != 0 || len(n.All()) != 0 {
		t.Error("no row was found, and there are notices")
	}
}
