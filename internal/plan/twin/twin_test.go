package twin

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// treeOf is the tree of a query, whose literals are places.
func treeOf(t *testing.T, text string) *sql.Tree {
	t.Helper()
	var f sql.Fingerprinter
	f.Record(true)
	f.Fingerprint([]byte(text), 0)
	all, err := sql.Parse([]byte(text), 0)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	tree, err := all[0].TreeWithPlaces(f.Literals())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return tree
}

// TestSilent: a literal without a place is not described but where it is a position, or says how many rows.
func TestSilent(t *testing.T) {
	for text, silent := range map[string]bool{
		"SELECT a FROM t WHERE b = 'x'":              true,
		"SELECT a, b FROM t ORDER BY 1":              true,
		"SELECT a, COUNT(*) FROM t GROUP BY 1":       true,
		"SELECT a FROM t LIMIT 5, 7":                 true,
		"SELECT a FROM t WHERE b LIKE 'x' ESCAPE ''": true,
	} {
		if err := Silent(treeOf(t, text).Root()); (err == nil) != silent {
			t.Errorf("%s: %v", text, err)
		}
	}
	form := treeOf(t, "SELECT a FROM t WHERE b = 'x'").Root().(*ast.Select)
	form.Where.Expr = &ast.ComparisonExpr{Operator: ast.EqualOp, Left: form.Where.Expr, Right: &ast.Literal{Type: ast.StrVal, Val: "x"}}
	if err := Silent(form); err == nil {
		t.Error("a literal of the form is described")
	}
}

// TestDigits: what decides how long a column is, or of which type, and nothing else is found.
func TestDigits(t *testing.T) {
	for text, want := range map[string][3]int{ // digits, formats, keys
		"SELECT a FROM t WHERE ROUND(b, 2) = 3":           {0, 0, 0},
		"SELECT ROUND(a, 2), CONCAT(b, 'x') FROM t":       {1, 0, 0},
		"SELECT ROUND(a, -2) FROM t":                      {1, 0, 0},
		"SELECT SUBSTRING(a, 2, 3) FROM t":                {2, 0, 0},
		"SELECT DATE_FORMAT(a, '%Y') FROM t":              {0, 1, 0},
		"SELECT a FROM t GROUP BY LEFT(a, 4)":             {1, 0, 1},
		"SELECT a FROM t ORDER BY a + 5, TIME('1:02:03')": {0, 1, 2},
	} {
		n := treeOf(t, text).Root().(*ast.Select)
		var items []recipe.Item
		for _, e := range n.SelectExprs.Exprs {
			items = append(items, recipe.Item{Expr: e.(*ast.AliasedExpr).Expr, Column: -1})
		}
		r := &recipe.Answer{}
		FindDigits(r, n, items)
		if got := [3]int{len(r.Digits), len(r.Formats), len(KeysOf(n))}; got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestNamesakes: of tables with one name and no alias those behind the first are called by their twins.
func TestNamesakes(t *testing.T) {
	tables := map[string]*catalog.Table{
		"one":   {Schema: "one", Name: "t", Twin: "t_1", Columns: []catalog.Column{{Name: "a"}}},
		"two":   {Schema: "two", Name: "t", Twin: "t_2", Columns: []catalog.Column{{Name: "b"}}},
		"three": {Schema: "three", Name: "t", Columns: []catalog.Column{{Name: "c"}}},
	}
	tree := treeOf(t, "SELECT 1 FROM one.t, two.t, three.t, two.t AS x")
	var again Namesakes
	var got []string
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		again.Enter(n)
		if e, ok := n.(*ast.AliasedTableExpr); ok && e.As.IsEmpty() {
			name := e.Expr.(ast.TableName)
			got = append(got, again.Alias(e, tables[name.Qualifier.String()]))
		}
		return true, nil
	}, tree.Root())
	if want := []string{"t", "t_2", "t#three"}; !slices.Equal(got, want) {
		t.Errorf("they are called %s, want %s", strings.Join(got, ", "), strings.Join(want, ", "))
	}
}
