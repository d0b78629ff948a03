package recipe

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tunic/internal/sql"
)

// said is an Operation, with what a Run that does it says of itself.
type said struct {
	does Operation
	// writes, stored and others are how many second halves, stored statements beside Remote and Runs it has.
	writes, stored, others int
	sent                   []int
	text                   string
	changes                bool // rows that are there
}

// operations are one of each type.
func operations(t *testing.T) map[string]said {
	t.Helper()
	printed := query(t, sql.Slot(0, nil), sql.Param(1))
	write := func() *Write {
		return &Write{Back: printed, Set: []Assignment{{Column: 0, To: sql.Param(2), Local: true}}}
	}
	const back = "compute  id = :v3\nback     Q\n"
	return map[string]said{
		"Query":   {does: &Query{First: &First{All: printed}}, stored: 1, sent: []int{1}, text: "or all   Q\n"},
		"Change":  {does: &Change{}},
		"Rewrite": {does: &Rewrite{Write: write(), Outright: true}, writes: 1, stored: 1, sent: []int{1, 2}, text: "write    outright; the row is read to tell whether it changes\n" + back},
		"Several": {does: &Several{Targets: []*Target{{Table: people(), Write: write()}}}, writes: 1, stored: 1, sent: []int{1, 2}, text: "write    shop.people, by items from 0 on\n" + back},
		"Insert": {
			does: &Insert{Rows: &TextRows{}, Updates: true, Upsert: &Upsert{Rows: []UpsertRow{{Insert: printed, Write: write()}}}}, writes: 1, stored: 2,
			sent: []int{1, 2}, text: "insert   Q\n" + back, changes: true,
		},
	}
}

// TestOperations: a Run says of itself what its Operation has, and there is none that is not looked at here.
func TestOperations(t *testing.T) {
	all := operations(t)
	for _, name := range receiversOf(t, "size") {
		if of, ok := all[name]; !ok || reflect.TypeOf(of.does).Elem().Name() != name {
			t.Errorf("%s is an Operation that operations does not have", name)
		}
	}
	text := query(t, sql.Slot(0, nil), sql.Param(1)).String()
	for name, want := range all {
		r := &Run{Table: people(), Does: want.does}
		if got := len(r.writes()); got != want.writes {
			t.Errorf("%s: %d second halves, want %d", name, got, want.writes)
		}
		if got := len(slices.DeleteFunc(r.stored(), func(p *sql.Printed) bool { return p == nil })); got != want.stored {
			t.Errorf("%s: %d stored statements, want %d", name, got, want.stored)
		}
		if got := len(r.Others()); got != want.others {
			t.Errorf("%s: %d others, want %d", name, got, want.others)
		}
		sent := r.Sent()
		slices.Sort(sent)
		if got := slices.Compact(sent); !slices.Equal(got, want.sent) {
			t.Errorf("%s: sent %v, want %v", name, got, want.sent)
		}
		if got := strings.ReplaceAll(r.String(), text, "Q"); got != want.text {
			t.Errorf("%s: says\n%swant\n%s", name, got, want.text)
		}
		if r.Writes() != want.changes {
			t.Errorf("%s: %v, want %v", name, r.Writes(), want.changes)
		}
		if r.Size() <= (&Run{}).Size() && reflect.TypeOf(want.does).Elem().Size() > 0 {
			t.Errorf("%s takes no memory", name)
		}
	}
}

// TestRows: where the rows of an INSERT come from, and what else that says of its Run.
func TestRows(t *testing.T) {
	from, probe := &Run{Table: houses(), Tree: &Tree{Root: &Block{}}}, query(t, sql.Slot(0, nil), sql.Param(1))
	for name, c := range map[string]struct {
		rows  Rows
		adds  bool
		from  *Run
		loads bool
	}{
		"TextRows":  {rows: &TextRows{}},
		"QueryRows": {rows: &QueryRows{Of: from, Added: Added{Into: []int{0}, Probe: probe}}, adds: true, from: from},
		"Load":      {rows: &Load{Added: Added{Into: []int{0}, Probe: probe}}, adds: true, loads: true},
	} {
		r := &Run{Kind: sql.Insert, Table: people(), Does: &Insert{Rows: c.rows}}
		if (r.Added() != nil) != c.adds || r.From() != c.from || (r.Load() != nil) != c.loads || r.Writes() != c.loads {
			t.Errorf("%s: added %v, of %v, of file %v; changes rows: %v", name, r.Added(), r.From(), r.Load(), r.Writes())
		}
		if strings.Contains(r.String(), "probe") != c.adds || slices.Contains(r.Others(), from) != (c.from != nil) {
			t.Errorf("%s: %d others; says %s", name, len(r.Others()), r)
		}
		if name != reflect.TypeOf(c.rows).Elem().Name() {
			t.Errorf("%s is a %T", name, c.rows)
		}
	}
	if got, want := receiversOf(t, "added"), []string{"Added", "TextRows"}; !slices.Equal(got, want) {
		t.Errorf("other Rows than those that are looked at here: %v", got)
	}
}

// receiversOf are the types of the package that have a method, sorted.
func receiversOf(t *testing.T, method string) (all []string) {
	t.Helper()
	tests := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), ".", tests, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range packages["recipe"].Files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Name.Name == method {
				if star, ok := fn.Recv.List[0].Type.(*ast.StarExpr); ok {
					all = append(all, star.X.(*ast.Ident).Name)
				}
			}
		}
	}
	slices.Sort(all)
	return all
}
