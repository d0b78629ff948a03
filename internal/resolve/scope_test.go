package resolve

import (
	"errors"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value/charset"
)

// shop is a catalog with one table.
func shop(t *testing.T, folds bool) *catalog.Catalog {
	t.Helper()
	typ, err := catalog.TypesOf(charset.MariaDB)("int(11)", "", true)
	if err != nil {
		t.Fatal(err)
	}
	date, err := catalog.TypesOf(charset.MariaDB)("date", "", true)
	if err != nil {
		t.Fatal(err)
	}
	table := &catalog.Table{
		ID: catalog.ID{1}, Schema: "shop", Name: "Item",
		Columns: []catalog.Column{
			{ID: catalog.ID{2}, Name: "id", TypeText: "int(11)", Type: typ},
			{ID: catalog.ID{3}, Domain: catalog.ID{3}, Name: "price", TypeText: "int(11)", Type: typ, Protection: policy.Sealed},
			{ID: catalog.ID{4}, Domain: catalog.ID{4}, Name: "made", TypeText: "date", Type: date, Protection: policy.Sealed},
		},
	}
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	return catalog.New(folds).Next(1, nil, []*catalog.Table{table})
}

// parsed is a SELECT.
func parsed(t *testing.T, text string) *ast.Select {
	t.Helper()
	read, err := sql.Parse([]byte(text), 0)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := read[0].Tree()
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	n, ok := tree.Root().(*ast.Select)
	if !ok {
		t.Fatalf("%s: no SELECT", text)
	}
	return n
}

// TestScopes: what names mean by the names that stand before them, and by the case
// that the server compares names in.
func TestScopes(t *testing.T) {
	for text, want := range map[string][2]Use{ // folded, not folded
		"SELECT price FROM Item":                  {Protected, Protected},
		"SELECT PRICE + 1 FROM shop.Item":         {Protected, Protected},
		"SELECT id FROM Item":                     {PlainOnly, PlainOnly},
		"SELECT Item.ID FROM Item":                {PlainOnly, PlainOnly},
		"SELECT shop.Item.id FROM Item":           {PlainOnly, PlainOnly},
		"SELECT 1 + 2 FROM Item":                  {Constant, Constant},
		"SELECT nope FROM Item":                   {Protected, Protected},
		"SELECT x.id FROM Item":                   {Protected, Protected},
		"SELECT x.id FROM Item AS x":              {PlainOnly, PlainOnly},
		"SELECT Item.id FROM Item AS x":           {Protected, Protected},
		"SELECT shop.x.id FROM Item AS x":         {Protected, Protected},
		"SELECT other.Item.id FROM Item":          {Protected, Protected},
		"SELECT item.id FROM Item":                {PlainOnly, Protected},
		"SELECT SHOP.Item.id FROM Item":           {PlainOnly, Protected},
		"SELECT CONCAT(id, price) FROM Item":      {Protected, Protected},
		"SELECT COUNT(*), UPPER('x') FROM Item":   {Constant, Constant},
		"SELECT IF(id > 5, id, @price) FROM Item": {PlainOnly, PlainOnly},
	} {
		for i, folds := range []bool{true, false} {
			n := parsed(t, text)
			s, err := One(n.From, shop(t, folds), "shop")
			if err != nil {
				t.Errorf("%s, folds %v: %v", text, folds, err)
				continue
			}
			e, ok := n.SelectExprs.Exprs[0].(*ast.AliasedExpr)
			if !ok {
				t.Fatal(text)
			}
			if use, err := s.UseOf(e.Expr); err != nil || use != want[i] {
				t.Errorf("%s, folds %v: %d, %v; want %d", text, folds, use, err, want[i])
			}
		}
	}
}

// TestBeyond: what is not followed is said to be, whatever it holds.
func TestBeyond(t *testing.T) {
	c := shop(t, false)
	for _, text := range []string{
		"SELECT 1 FROM Item, Item b", "SELECT 1 FROM Item JOIN Item b", "SELECT 1 FROM (SELECT id FROM Item) x",
		"SELECT 1 FROM Item PARTITION (p)", "SELECT 1 FROM other.Item", "SELECT 1 FROM item", "SELECT 1 FROM nope",
	} {
		if s, err := One(parsed(t, text).From, c, "shop"); !errors.As(err, new(*Beyond)) {
			t.Errorf("%s: %+v, %v", text, s, err)
		}
	}
	for _, text := range []string{
		"SELECT (SELECT 1) FROM Item", "SELECT id + (SELECT price FROM Item LIMIT 1) FROM Item",
		"SELECT SUM(price) OVER () FROM Item", "SELECT EXISTS (SELECT 1) FROM Item",
		"SELECT made IS NULL FROM Item", "SELECT NOT (made IS NOT NULL) FROM Item", "SELECT NOT (NOT (id = 1 OR made IS NOT NULL)) FROM Item",
	} {
		n := parsed(t, text)
		s, err := One(n.From, c, "shop")
		if err != nil {
			t.Fatal(err)
		}
		e, _ := n.SelectExprs.Exprs[0].(*ast.AliasedExpr)
		if use, err := s.UseOf(e.Expr); !errors.As(err, new(*Beyond)) {
			t.Errorf("%s: %d, %v", text, use, err)
		}
	}
}

// TestTables: every table that a statement names, however deep.
func TestTables(t *testing.T) {
	n := parsed(t, "SELECT (SELECT 1 FROM a) FROM b JOIN (SELECT * FROM c) x WHERE EXISTS (SELECT 1 FROM d, s.e)")
	var got string
	for _, name := range Tables(n) {
		got += name.Name.String() + " "
	}
	if got != "a b c d e " && got != "b c a d e " {
		t.Errorf("%s", got)
	}
}
