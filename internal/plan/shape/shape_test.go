package shape

import (
	"testing"

	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// parsed is the root of a statement's tree.
func parsed(t *testing.T, text string) ast.Statement {
	t.Helper()
	all, err := sql.Parse([]byte(text), 0)
	if err != nil || len(all) != 1 {
		t.Fatalf("%s: %v", text, err)
	}
	tree, err := all[0].Tree()
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return tree.Root()
}

// TestExpressions: each question is true of one statement of these, and of those that are named with it.
func TestExpressions(t *testing.T) {
	texts := []string{
		"SELECT 1", "SELECT a FROM t", "SELECT (SELECT 1)", "SELECT COUNT(*)", "SELECT COUNT(*) OVER ()", "SELECT @a", "SELECT DATABASE()",
		"SELECT RAND()", "SELECT 1 LIMIT 1",
	}
	for name, of := range map[string]struct {
		ask  func(ast.Node) bool
		want []string
	}{
		"HasColumn":    {HasColumn, []string{"SELECT a FROM t"}},
		"HasSubquery":  {HasSubquery, []string{"SELECT (SELECT 1)"}},
		"HasAggregate": {HasAggregate, []string{"SELECT COUNT(*)"}},
		"Aggregates":   {func(n ast.Node) bool { return len(Aggregates(n)) == 1 }, []string{"SELECT COUNT(*)"}},
		"Windows":      {func(n ast.Node) bool { return len(Windows(n)) == 1 }, []string{"SELECT COUNT(*) OVER ()"}},
		"NamesSchema":  {NamesSchema, []string{"SELECT DATABASE()"}},
		"Differs":      {Differs, []string{"SELECT RAND()", "SELECT COUNT(*) OVER ()", "SELECT COUNT(*)"}},
	} {
		for _, text := range texts {
			want := false
			for _, w := range of.want {
				want = want || w == text
			}
			if got := of.ask(parsed(t, text)); got != want {
				t.Errorf("%s of %s: %t", name, text, got)
			}
		}
	}
}

// TestStatements: what is asked about whole statements.
func TestStatements(t *testing.T) {
	for text, want := range map[string]struct{ bare, hinted, inserts, writes bool }{
		"SELECT 1":                                        {bare: true},
		"SELECT 1 FROM t":                                 {},
		"SELECT 1 LIMIT 1":                                {},
		"SELECT /*+ NO_ICP(t) */ 1":                       {hinted: true},
		"INSERT INTO t VALUES (1)":                        {},
		"INSERT INTO t SELECT a FROM u":                   {inserts: true},
		"UPDATE t SET a = 1 WHERE b = 2":                  {},
		"UPDATE t SET a = 1 WHERE b IN (SELECT c FROM u)": {writes: true},
		"DELETE FROM t WHERE b IN (SELECT c FROM u)":      {writes: true},
	} {
		root := parsed(t, text)
		n, ok := root.(*ast.Select)
		if got := ok && Bare(n); got != want.bare {
			t.Errorf("%s is bare: %t", text, got)
		}
		if got := Hinted(root); got != want.hinted {
			t.Errorf("%s is hinted: %t", text, got)
		}
		if got := InsertedQuery(root) != nil; got != want.inserts {
			t.Errorf("%s inserts the rows of a query: %t", text, got)
		}
		if got := WritesByQuery(root); got != want.writes {
			t.Errorf("%s writes rows that a query chooses: %t", text, got)
		}
	}
	if names := CommonNames(parsed(t, "WITH A AS (SELECT 1), b AS (SELECT 2) SELECT * FROM A, b")); len(names) != 2 || !names["a"] || !names["b"] {
		t.Errorf("common names: %v", names)
	}
}

// TestClauses: conditions are joined, and none is no WHERE.
func TestClauses(t *testing.T) {
	a, b := Column("a"), Column("b")
	if And(nil, a) != ast.Expr(a) || And(a, nil) != ast.Expr(a) || Where(nil) != nil {
		t.Error("nothing is a condition")
	}
	both := And(a, b)
	Qualify(both, "t")
	if a.Qualifier.Name.String() != "t" || b.Qualifier.Name.String() != "t" || Where(both).Expr != both {
		t.Errorf("%v", both)
	}
}
