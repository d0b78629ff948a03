package explanation

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// TestLines: what is said begins with what is done, has the parts of the Run that is carried out, and ends
// with the advice.
func TestLines(t *testing.T) {
	table := &catalog.Table{Name: "t", Columns: []catalog.Column{
		{Name: "id"}, {Name: "a", Protection: policy.Protection{Protected: true, Allowed: policy.Equality}},
	}}
	run := &recipe.Run{
		Table: table, Cells: []recipe.Cell{{Column: 0}, {Column: 1, Sealed: true}},
		Local:        []recipe.Step{&recipe.Filter{Where: &ast.ColName{Name: ast.Identifier("a")}}},
		Alternatives: recipe.Alternatives{recipe.NoToken: {Table: table}}, Does: &recipe.Query{HiddenDates: true},
	}
	e := &Explained{
		Run: run,
		Parts: []Part{
			{Clause: Where, Text: "a = ?", Remote: true, Does: Does{Way: By, Layers: []Layer{{"a", policy.Equality}}}},
			{Clause: Store, Text: "a", Remote: true, Does: Does{Way: Stores, Forms: []string{"the sealed form"}}},
		},
		WithoutTokens: []Part{{Clause: Where, Text: "a = ?", Does: Does{Way: Tokenless}}},
		Advice: []Advice{
			{Column: 1, Layer: policy.Equality, Allowed: true, Price: Price{Bytes: 8, Nanoseconds: 240}},
			{Column: 1, Layer: policy.Order, Price: Price{Bytes: 1, Nanoseconds: 50}},
			{Column: 1, Layer: policy.Order, Backfilling: true},
		},
		Enough: true,
	}
	said := func(run *recipe.Run, fallback bool) (all []string) {
		for _, l := range e.Lines(run, fallback) {
			all = append(all, strings.ReplaceAll(l.About+": "+l.Text, "`", ""))
		}
		return all
	}
	want := []string{
		"fetch: id, a opened",
		"local: where a",
		"where: remote, by the equality layer of a: a = ?",
		"store: the sealed form: a",
		"fallback: a value that no token stands for is compared locally, with all rows that the rest leaves",
		"fallback: in a session with NO_ZERO_IN_DATE dates are put together locally",
		"advice: the equality layer of a: its ceiling allows it (COMMENT 'tunic: equality'). The server would learn which rows are equal, " +
			"and so how often each value occurs. Price: 8 bytes a row, about 240 ns a write",
		"advice: the order layer of a: above its ceiling, which is equality (COMMENT 'tunic: order'). The server would learn the order of " +
			"all values, and of every two the first bit in which they differ. Price: 1 byte a row, about 50 ns a write",
		"advice: the order layer of a: it is being filled, and will serve when it is",
		"advice: then nothing is left to do locally",
	}
	if got := said(run, false); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := said(run.Alternatives[recipe.NoToken], true); got[0] != "where: local, for this value there is no token: a = ?" {
		t.Errorf("of the fallback it says first: %s", got[0])
	}
}

// TestPriceOf: a type has the price of its tokens, and one that cannot have a layer has none.
func TestPriceOf(t *testing.T) {
	for text, want := range map[string][2]Price{ // equality, order
		"int(11)":  {{8, 240}, {16, 105}},
		"char(10)": {{16, 120}, {64, 422}},
	} {
		collation := map[bool]string{true: "utf8mb4_general_ci"}[text == "char(10)"]
		typ, err := catalog.TypesOf(value.MariaDB)(text, collation, true)
		if err != nil {
			t.Fatal(err)
		}
		for i, layer := range policy.Each() {
			if got, ok := PriceOf(&typ, layer); !ok || got != want[i] {
				t.Errorf("%s: %+v, %v; want %+v", text, got, ok, want[i])
			}
		}
	}
	document, err := catalog.TypesOf(value.MySQL)("json", "", true)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := PriceOf(&document, policy.Equality); ok {
		t.Error("a document has a price")
	}
}
