package build

import (
	"errors"
	"testing"

	"tunic/internal/plan/plantest"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// TestEndings: what the rules find in a statement decides what becomes of it: it is refused, the server is asked
// what is wrong with it, or it fails when it is run.
func TestEndings(t *testing.T) {
	c := plantest.Tables(t)
	refusals := map[string]string{
		"UPDATE person, sbtest1 SET age = 1 ORDER BY age":         "ORDER BY or LIMIT in a statement that writes several tables",
		"SELECT * FROM person NATURAL RIGHT JOIN sbtest1":         "NATURAL RIGHT JOIN",
		"SELECT name FROM person, sbtest1 FOR UPDATE SKIP LOCKED": "SKIP LOCKED in a query over several tables",
	}
	for text, want := range refusals {
		run, err := buildText(c, text)
		beyond, ok := errors.AsType[*resolve.Beyond](err)
		if run != nil || !ok || beyond.What != want {
			t.Errorf("%s: %v, %v; want a refusal of %s", text, run, err, want)
		}
	}
	for _, text := range []string{
		"INSERT INTO person (name, age) VALUES ('a')", "UPDATE person SET nobody = 1", "DELETE FROM person WHERE nobody = 1",
		"SELECT p.name FROM person AS p, sbtest1 AS p", "SELECT name FROM person UNION SELECT id, k FROM sbtest1", "SELECT name FROM person ORDER BY 2",
		"SELECT name FROM person WHERE SUM(age) > 1 AND id IN (SELECT id FROM sbtest1)", "SELECT RANK() OVER w FROM person",
	} {
		run, err := buildText(c, text)
		if err != nil || run.Remote != nil || run.Tree != nil || run.Answer.Describe == nil {
			t.Errorf("%s: %v, %v; want a run that is only described", text, run, err)
		}
	}
}

// TestTold: an ending is told to the client if it is a refusal. That of a statement that is wrong says nothing of
// the statement.
func TestTold(t *testing.T) {
	if err := (*ending)(nil).told(); err != nil {
		t.Errorf("of a statement that is planned: %v", err)
	}
	refusal := &resolve.Beyond{What: "this"}
	if end := refused(refusal); end.isWrong() || !errors.Is(end.told(), refusal) {
		t.Errorf("a refusal is told as %v", end.told())
	}
	if refused(nil) != nil {
		t.Error("no error is an ending")
	}
	if end := unknown(); !end.isWrong() || !errors.Is(end.told(), errLeft) {
		t.Errorf("of a name that means nothing is told: %v", end.told())
	}
}

// TestFails: MariaDB says of a value for a generated column that it is ignored, when the statement is run; with
// parameters, of which nobody says how many there are, at once.
func TestFails(t *testing.T) {
	c := plantest.Tables(t)
	tree := sql.NewTree(&ast.Update{}, nil)
	b := &Builder{Catalog: c, Schema: "test", Modes: plantest.MariaDB, Asked: tree, Tree: tree, Run: &recipe.Run{Kind: sql.Update, Table: c.Table("test", "person")}}
	if end := b.over(&ast.AliasedTableExpr{Expr: ast.TableName{Name: ast.Name("person")}}); end != nil {
		t.Fatal(end.told())
	}
	end := b.generatedSet(b.scope.Table.Column("age"))
	if end == nil || end.fails == nil || !end.strict || end.isWrong() {
		t.Fatalf("on MariaDB: %+v", end)
	}
	run, failed := b.fails(end)
	if failed != nil || run.Fails.Error != end.fails || !run.Fails.IfStrict {
		t.Errorf("the run: %v, %v", run, failed.told())
	}
	b.Modes = plantest.MySQL
	if end := b.generatedSet(b.scope.Table.Column("age")); end.refusal == nil || end.fails != nil {
		t.Errorf("on MySQL: %+v", end)
	}
}

// TestWalk: a walk is over at the first ending.
func TestWalk(t *testing.T) {
	seen := 0
	end := walk(func(n ast.Node) (bool, *ending) {
		if _, ok := n.(*ast.ColName); ok {
			seen++
			return true, beyond("a column")
		}
		return true, nil
	}, &ast.ColName{Name: ast.Identifier("a")}, &ast.ColName{Name: ast.Identifier("b")})
	if end == nil || seen != 1 {
		t.Errorf("%d columns, %v", seen, end.told())
	}
}
