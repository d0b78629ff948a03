package build

import (
	"strings"
	"testing"

	"tunic/internal/plan/columns"
	"tunic/internal/plan/plantest"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// conditionsOn are the conditions of a table of the tests' catalog, and a condition on it.
func conditionsOn(t *testing.T, table, text string) (*conditions, ast.Expr) {
	t.Helper()
	text = "SELECT 1 FROM " + table + " WHERE " + text
	fp := sql.Fingerprinter{}
	fp.Record(true)
	fp.Fingerprint([]byte(text), plantest.MariaDB)
	read, err := sql.Parse([]byte(text), plantest.MariaDB)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	tree, err := read[0].TreeWithPlaces(fp.Literals())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	n, ok := tree.Root().(*ast.Select)
	if !ok {
		t.Fatalf("%s is a %T", text, tree.Root())
	}
	of := plantest.Tables(t).Table("test", table)
	return &conditions{scope: columns.Named(of, table), run: &recipe.Run{Table: of}, tree: tree}, n.Where.Expr
}

func phraseOf(e ast.Expr) string {
	if e == nil {
		return "-"
	}
	return strings.ReplaceAll(recipe.Phrase(e), "`", "")
}

// sentOf is a condition as the server gets it.
func sentOf(t *testing.T, d *conditions, remote ast.Expr) string {
	t.Helper()
	if remote == nil {
		return "-"
	}
	one := &ast.SelectExprs{Exprs: []ast.SelectExpr{&ast.AliasedExpr{Expr: &ast.Literal{Type: ast.IntVal, Val: "1"}}}}
	p, err := sql.NewTree(&ast.Select{SelectExprs: one, From: ast.TableExprs{&ast.AliasedTableExpr{Expr: ast.TableName{Name: ast.Name("x")}}}, Where: shape.Where(remote)}, nil).Print(plantest.MariaDB)
	if err != nil {
		t.Fatal(err)
	}
	_, said, _ := strings.Cut(d.run.Say(p, d.run.Slots), " where ")
	return strings.ReplaceAll(said, "`", "")
}

// TestConditions: what the server decides of a condition, what is left of it, and how many values are sent for it as
// tokens. Slots of what it does not decide leave with it.
func TestConditions(t *testing.T) {
	for _, c := range []struct {
		table, text string
		remote      string
		rest        string
		slots       int
	}{
		{"person", "town = 'a'", "town = ?", "-", 0},
		{"person", "name IS NULL", "name$eq is null", "-", 0},
		{"person", "note IS NOT NULL", "note is not null", "-", 0},
		{"person", "age = 5", "age$eq = <equality of age>", "-", 1},
		{"person", "5 < age", "age$ord > <order of age>", "-", 1},
		{"person", "age BETWEEN 1 AND 9", "age$ord between <order of age> and <order of age>", "-", 2},
		{"person", "age IN (1, 2)", "age$eq in (<equality of age>, ...)", "-", 1},
		{"person", "age = 5 AND note = 'x'", "age$eq = <equality of age>", "note = ?", 1},
		{"person", "note = 'x' OR age = 5", "-", "note = ? or age = ?", 0},
		{"person", "age = 5 OR town = 'a'", "age$eq = <equality of age> or town = ?", "-", 1},
		{"person", "age + 1 = 5", "-", "age + ? = ?", 0},
		{"person", "name < 'm'", "name$ord <= <order of name>", "name < ?", 1},
		{"visit", "day > '2020-02-02'", "day$ord >= <order of day>", "day > ?", 1},
		{"sbtest1", "k > 5", "-", "k > ?", 0},
	} {
		d, e := conditionsOn(t, c.table, c.text)
		remote, rest, end := d.condition(e)
		if end != nil {
			t.Errorf("%s: %v", c.text, end.told())
			continue
		}
		said := sentOf(t, d, remote)
		if said != c.remote || phraseOf(rest) != c.rest || len(d.run.Slots) != c.slots {
			t.Errorf("%s: remote %s, rest %s, %d slots; want %s, %s, %d", c.text, said, phraseOf(rest), len(d.run.Slots), c.remote, c.rest, c.slots)
		}
	}
}

// TestConditionsWithoutTokens: where a value has no token the server decides what is plain, and no more.
func TestConditionsWithoutTokens(t *testing.T) {
	d, e := conditionsOn(t, "person", "age = 5 AND town = 'a' AND name < 'm'")
	d.withoutTokens = true
	remote, rest, end := d.condition(e)
	if end != nil || phraseOf(remote) != "town = ?" || phraseOf(rest) != "age = ? and name < ?" || len(d.run.Slots) > 0 {
		t.Errorf("remote %s, rest %s, %d slots, %v", phraseOf(remote), phraseOf(rest), len(d.run.Slots), end.told())
	}
}

// TestConditionsOfLeaf: the columns of a table that is not the first are numbered behind those before.
func TestConditionsOfLeaf(t *testing.T) {
	d, e := conditionsOn(t, "person", "age = 5")
	d.base = 10
	if _, _, end := d.condition(e); end != nil || len(d.run.Slots) != 1 || d.run.Slots[0].Column != 10+d.scope.Table.Column("age") {
		t.Errorf("%+v, %v", d.run.Slots, end.told())
	}
}
