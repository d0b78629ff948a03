package explanation

import (
	"testing"
	"unsafe"

	"tunic/internal/catalog"
	"tunic/internal/plan/plantest"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// TestParts: what is said of a part begins with who does it, and has each way of doing it in words.
func TestParts(t *testing.T) {
	one, two := []Layer{{"a", policy.Equality}}, []Layer{{"a", policy.Equality}, {"b", policy.Order}}
	for _, c := range []struct {
		part Part
		want string
	}{
		{Part{Clause: Where, Remote: true}, "remote, plain: x"},
		{Part{Clause: Where, Remote: true, Does: Does{Way: OfNulls}}, "remote, NULL is NULL in every form: x"},
		{Part{Clause: Where, Remote: true, Does: Does{Way: By, Layers: one}}, "remote, by the equality layer of a: x"},
		{Part{Clause: Where, Remote: true, Does: Does{Way: By, Layers: two}}, "remote, by the equality layer of a and the order layer of b: x"},
		{Part{Clause: GroupBy, Does: Does{Way: LeftHere}}, "local, because of what else is local: x"},
		{Part{Clause: Where, Does: Does{Way: Tokenless}}, "local, for this value there is no token: x"},
		{Part{Clause: Having, Does: Does{Way: Unserved}}, "local, no layer serves it: x"},
		{Part{Clause: Distinct, Does: Does{Way: Lacks, Layers: two}}, "local, the equality layer of a and the order layer of b would serve it: x"},
		{Part{Clause: Set, Does: Does{Way: Computed}}, "local, computed for each row: x"},
		{Part{Clause: Store, Remote: true, Does: Does{Way: Stores, Forms: []string{"this", "that", "more"}}}, "this, that and more: x"},
		{
			Part{Clause: Where, Does: Does{Way: Unserved}, Near: &Does{Way: By, Layers: two[1:]}},
			"local, no layer serves it; the rows are narrowed by the order layer of b: x",
		},
		{
			Part{Clause: OrderBy, Does: Does{Way: Unserved}, Near: &Does{Way: By, Layers: two[1:]}},
			"local, no layer serves it; the rows come sorted by the order layer of b: x",
		},
	} {
		c.part.Text = "x"
		if got := c.part.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestSent: of what is sent the layers that are in it are named, each once.
func TestSent(t *testing.T) {
	person := plantest.Tables(t).Table("test", "person")
	name := func(s string) ast.Expr { return &ast.ColName{Name: ast.Identifier(s)} }
	both := func(a, b ast.Expr) ast.Expr { return &ast.AndExpr{Left: a, Right: b} }
	for _, c := range []struct {
		stored    ast.Expr
		protected bool
		want      string
	}{
		{name("town"), false, "plain"},
		{&ast.IsExpr{Left: name("note"), Right: ast.IsNullOp}, true, "NULL is NULL in every form"},
		{name("name$eq"), true, "by the equality layer of name"},
		{both(name("NAME$EQ"), name("name$eq")), true, "by the equality layer of name"},
		{both(name("name$ord"), both(name("age$eq"), name("town"))), true, "by the order layer of name and the equality layer of age"},
	} {
		does := Sent(c.stored, person, c.protected)
		if got := does.String(); got != c.want {
			t.Errorf("%s: got %s, want %s", recipe.Phrase(c.stored), got, c.want)
		}
	}
}

// TestWritten: a column is written in its sealed form and as the tokens of its layers, or as it is while it is made plain.
func TestWritten(t *testing.T) {
	person := plantest.Tables(t).Table("test", "person")
	bared := person.Columns[person.Column("note")]
	bared.Layers = []catalog.Layer{{Capability: catalog.PlainForm, Scheme: catalog.AsIs, State: catalog.Ready, Stored: "note$plain"}}
	for _, c := range []struct {
		column *catalog.Column
		want   string
	}{
		{&person.Columns[person.Column("note")], "the sealed form: `note`"},
		{&person.Columns[person.Column("age")], "the sealed form, the equality token of 8 bytes and the order token of 16 bytes: `age`"},
		{&bared, "the sealed form and the value itself, as the column is to be plain: `note`"},
	} {
		part := Written(c.column)
		if got := part.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestMissing: what layers would serve names them in the order in which they are advised.
func TestMissing(t *testing.T) {
	person := plantest.Tables(t).Table("test", "person")
	does := Missing([]Advice{{Column: person.Column("note"), Layer: policy.Order}, {Column: person.Column("name"), Layer: policy.Equality}}, person)
	if got, want := does.String(), "the order layer of note and the equality layer of name would serve it"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestSize: what is said counts among the memory that a plan takes.
func TestSize(t *testing.T) {
	bare := &Explained{Run: &recipe.Run{}}
	said := &Explained{Run: &recipe.Run{}, Parts: []Part{{Text: "abc", Near: &Does{}, Does: Does{Layers: make([]Layer, 2), Forms: []string{"four"}}}}}
	want := int64(unsafe.Sizeof(Part{})+unsafe.Sizeof(Does{})+2*unsafe.Sizeof(Layer{})+unsafe.Sizeof("")) + int64(len("abc")+len("four"))
	if got := said.Size() - bare.Size(); got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
}
