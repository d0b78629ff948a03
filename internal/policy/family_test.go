package policy

import (
	"errors"
	"strings"
	"testing"
)

// TestFamilies: who says which family a column is in.
func TestFamilies(t *testing.T) {
	rules := [][2]string{
		{"shop.item.a*", "equality family amounts"}, {"shop.item.b*", "sealed apart"}, {"shop.item.c*", "sealed"}, {"shop.item.p*", "plain"},
	}
	for _, c := range []struct {
		together        bool
		column, comment string
		family          string
		short           bool
	}{
		{true, "a1", "", "amounts", false},
		{true, "a1", "tunic: family other", "other", false},
		{true, "a1", "tunic: equality apart", "", false},
		{true, "a1", "tunic: equality", "amounts", false},
		{true, "b1", "", "", false},
		{true, "b1", "tunic: family x", "x", false},
		{true, "c1", "", "", true},
		{true, "c1", "tunic: apart", "", false},
		{true, "d1", "", "", true},
		{true, "d1", "tunic: order", "", true},
		{false, "a1", "", "amounts", false},
		{false, "c1", "", "", false},
		{false, "d1", "tunic: order family x", "x", false},
	} {
		p := &Policy{Together: c.together, Default: Protection{Protected: true}}
		for _, r := range rules {
			rule, err := ParseRule(r[0], r[1])
			if err != nil {
				t.Fatal(err)
			}
			p.Rules = append(p.Rules, rule)
		}
		d, err := p.Column(Column{Schema: "shop", Table: "item", Name: c.column, Comment: c.comment})
		asked := strings.Contains(c.comment, "family")
		if err != nil || d.Family != c.family || d.Together != c.short || d.Asked != asked {
			t.Errorf("%+v: family %q, asked %v, together %v, %v", c, d.Family, d.Asked, d.Together, err)
		}
	}
	for text, want := range map[string]error{
		"family a": ErrEmpty, "apart": ErrEmpty, "plain family a": ErrFamilyPlain, "plain apart": ErrFamilyPlain,
		"sealed family": ErrFamily, "sealed family a b": ErrFamily, "sealed apart a": ErrFamily, "sealed family é": ErrFamily,
	} {
		if _, err := ParseRule("*.*.*", text); !errors.Is(err, want) {
			t.Errorf("a rule %q: %v", text, err)
		}
	}
}
