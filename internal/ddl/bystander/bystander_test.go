package bystander

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ledger"
)

// TestNames: a program is found by a table's name alone in its own schema, and with the schema's in another one.
// What is in a string or is a part of another name is none.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		schema, body string
		want         bool
	}{
		{"shop", "SELECT s FROM later", true},
		{"SHOP", "INSERT INTO `LATER` VALUES (1)", true},
		{"shop", "SELECT s FROM latest", false},
		{"shop", "", false},
		{"other", "SELECT s FROM later", false},
		{"other", "SELECT s FROM shop.later", true},
	} {
		p := &Program{Kind: "procedure", Schema: c.schema, Name: "p", body: c.body}
		if p.Names("shop", "later") != c.want {
			t.Errorf("%s in %s: not %t", c.body, c.schema, c.want)
		}
		if p.Hidden() != (c.body == "") || p.Title() != "procedure "+c.schema+".p" {
			t.Errorf("%s: hidden %t", p.Title(), p.Hidden())
		}
	}
}

// TestComes: a table comes with a step to where there was none of its name, and not with another revision of it.
func TestComes(t *testing.T) {
	a, again, b := &catalog.Table{Schema: "s", Name: "a"}, &catalog.Table{Schema: "s", Name: "a", Revision: 2}, &catalog.Table{Schema: "s", Name: "b"}
	for _, c := range []struct {
		step ledger.Step
		want bool
	}{
		{ledger.Step{New: a}, true},
		{ledger.Step{Old: a}, false},
		{ledger.Step{Old: a, New: again}, false},
		{ledger.Step{Old: a, New: b}, true},
		{ledger.Step{Old: a, New: &catalog.Table{Schema: "other", Name: "a"}}, true},
	} {
		if c.step.Comes() != c.want {
			t.Errorf("%+v: not %t", c.step, c.want)
		}
	}
	if v := (&View{Query: "select `s`.`a`.`id` from `s`.`a`"}); !v.Reads(a) || v.Reads(b) {
		t.Error("a view reads what it does not, or not what it does")
	}
}
