package recipe

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// people and houses are two tables; the second column of each is protected.
func people() *catalog.Table {
	return &catalog.Table{ID: catalog.ID{2}, Schema: "shop", Name: "people", Columns: []catalog.Column{{Name: "id"}, {Name: "name"}}}
}

func houses() *catalog.Table {
	return &catalog.Table{ID: catalog.ID{1}, Schema: "shop", Name: "houses", Columns: []catalog.Column{{Name: "id"}, {Name: "street"}}}
}

func column(name string) *ast.ColName { return &ast.ColName{Name: ast.Identifier(name)} }

// query is a query of a column that is compared with two bind variables.
func query(t *testing.T, left, right *ast.Argument) *sql.Printed {
	t.Helper()
	p, err := sql.NewTree(&ast.Select{
		SelectExprs: &ast.SelectExprs{Exprs: []ast.SelectExpr{&ast.AliasedExpr{Expr: column("name")}}},
		From:        ast.TableExprs{&ast.AliasedTableExpr{Expr: ast.TableName{Name: ast.Name("people")}}},
		Where: &ast.Where{Expr: &ast.AndExpr{
			Left:  &ast.ComparisonExpr{Operator: ast.EqualOp, Left: column("name$eq"), Right: left},
			Right: &ast.ComparisonExpr{Operator: ast.EqualOp, Left: column("id"), Right: right},
		}},
	}, nil).Print(0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestText: what a Run says of itself names its slots and parameters, and has no value.
func TestText(t *testing.T) {
	r := &Run{
		Kind: sql.Select, Table: people(),
		Slots: []Slot{{Column: 1, Form: Token, Layer: policy.Equality, Of: Operand{Kind: FromParam, Param: 1}, Use: Equal}},
		Cells: []Cell{{Column: 1, Sealed: true}, {Column: -1}},
		Local: []Step{&Filter{Where: column("name")}, &Sort{By: []Key{{Expr: column("id"), Item: -1, Descending: true}}}},
	}
	r.Remote = query(t, sql.Slot(0, nil), sql.Param(2))
	want := strings.Join([]string{
		"remote   select name from people where name$eq = :s0 and id = :v3",
		"slot     :s0 name equality to compare, of :v2",
		"fetch    name opened, an expression",
		"local    where name",
		"local    order by id desc",
		"",
	}, "\n")
	if got := strings.ReplaceAll(r.String(), "`", ""); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	told := strings.ReplaceAll(r.Say(r.Remote, r.Slots), "`", "")
	if want := "select name from people where name$eq = <equality of name> and id = ?"; told != want {
		t.Errorf("got %s, want %s", told, want)
	}
}

// TestOthers: what holds of a Run is noted in those that may take its place as well.
func TestOthers(t *testing.T) {
	r := &Run{Table: people(), Alternatives: Alternatives{
		NoToken: {Table: people(), Alternatives: Alternatives{CountsChanged: {Table: people()}}}, SecretVariable: {Table: people()},
	}}
	r.AskFirst([]string{"ask"})
	far := houses()
	r.FindTables()
	r.AddTables([]*catalog.Table{far, far})
	all := []*Run{r, r.Alternatives[NoToken], r.Alternatives[NoToken].Alternatives[CountsChanged], r.Alternatives[SecretVariable]}
	for i, of := range all {
		if !slices.Equal(of.Asks, []string{"ask"}) {
			t.Errorf("%d asks %q", i, of.Asks)
		}
		if len(of.Tables) != 2 || of.Tables[0] != far || of.Tables[1] != of.Table {
			t.Errorf("%d is of %d tables: they are there once, in the order of their IDs", i, len(of.Tables))
		}
	}
	if r.Alternatives[NoToken].Size() >= r.Size() {
		t.Error("a Run is not larger than another one in it")
	}
}

// TestSent: the server gets as it is what stands in stored statements and in slots of plain
// columns, and nothing of what only forms are made of.
func TestSent(t *testing.T) {
	param := func(n int) Operand { return Operand{Kind: FromParam, Param: n} }
	r := &Run{
		Table: people(),
		Slots: []Slot{{Column: 1, Form: Sealed, Of: param(1)}, {Column: 0, Form: Value, Of: param(3)}, {Column: 1, Form: Token, Of: param(4)}},
		Does: &Rewrite{Write: &Write{
			Slots: []Slot{{Form: Value, Of: param(5)}, {Form: Sealed, Of: param(6)}},
			Set:   []Assignment{{Column: 1, To: sql.Param(7)}, {Column: 0, To: sql.Param(8), Local: true}},
		}},
		Alternatives: Alternatives{
			SecretVariable: {Slots: []Slot{{Form: Value, Of: param(9)}}},
			NoToken:        {Slots: []Slot{{Form: Value, Of: param(sql.FirstVariable + 2)}}},
		},
	}
	r.Remote = query(t, sql.Slot(0, nil), sql.Param(2))
	got := r.Sent()
	slices.Sort(got)
	if want := []int{2, 3, 5, 8, sql.FirstVariable + 2}; !slices.Equal(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
	if got := r.SentVariables(); !slices.Equal(got, []int{2}) {
		t.Errorf("variables %v, want the third", got)
	}
}

// TestTree: a tree says what is done with rows, and a relation that is named twice is there once.
func TestTree(t *testing.T) {
	shared := &Shared{Of: &Block{From: &Source{Name: "h", Of: &Scan{Leaf: 1}}, Steps: []Step{&Project{Items: []Item{{Expr: column("street")}}}}}}
	tree := &Tree{
		Tables: []*catalog.Table{people(), houses()}, Leaves: []Leaf{{From: 0, To: 2}, {From: 2, To: 4}},
		Root: &Block{
			From: &Join{
				Left:  &Join{Left: &Source{Name: "p", Of: &Scan{Leaf: 0}}, Right: &Source{Name: "a", Of: shared}, Outer: true, On: column("one")},
				Right: &Source{Name: "b", Of: shared},
			},
			Steps: []Step{&Distinct{}, &Project{Items: []Item{{Expr: column("name")}}}},
		},
	}
	want := []string{
		"from `p` of remote 0", "left join `a`", "  rows 1", "    from `h` of remote 1", "    select `street`", "  on `one`",
		"join `b`", "  rows 1, as above", "distinct", "select `name`",
	}
	say := func(e ast.Expr) string { return identifier.Quoted(e.(*ast.ColName).Name.String()) }
	if got := tree.Lines(say); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := len(tree.Expressions()); got != 3 {
		t.Errorf("%d expressions, want 3", got)
	}
	r := &Run{Tree: tree}
	if c, of := r.columnAt(3); c.Name != "street" || of != "houses." {
		t.Errorf("the fourth column is %s%s", of, c.Name)
	}
	if r.FindTables(); len(r.Tables) != 2 || r.Tables[0] != tree.Tables[1] {
		t.Error("the tables are not in the order of their IDs")
	}
}
