package policy

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseReadsWhatStringWrites(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                        "plain",
		" Sealed ":                     "sealed",
		"EQUALITY":                     "equality",
		"order":                        "order",
		"order/day":                    "order/day",
		"order / Prefix   4":           "order/prefix 4",
		"order/prefix 1":               "order/prefix 1",
		"order/1000, equality":         "equality, order/1000",
		"equality,order/month":         "equality, order/month",
		"order/9223372036854775807":    "order/9223372036854775807",
		"equality  ,  order / second ": "equality, order/second",
	} {
		p, err := Parse(text)
		if err != nil || p.String() != want {
			t.Errorf("%q: %q, %v; want %q", text, p, err, want)
		}
		again, err := Parse(p.String())
		if err != nil || again != p {
			t.Errorf("%q: what String writes reads as %q, %v", text, again, err)
		}
	}
}

func TestOrderIncludesEqualityUnlessItHasAGrain(t *testing.T) {
	for text, want := range map[string]Capabilities{
		"sealed": 0, "equality": Equality, "order": Order | Equality, "order/day": Order, "equality, order/day": Order | Equality,
	} {
		if p, err := Parse(text); err != nil || p.Allowed != want || !p.Protected {
			t.Errorf("%q allows %v, %v", text, p.Allowed, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"":                          ErrEmpty,
		" \t":                       ErrEmpty,
		"equality,":                 ErrEmpty,
		"secret":                    ErrWord,
		"equal ity":                 ErrWord,
		"order/day;":                ErrGrain,
		"order/":                    ErrGrain,
		"order/0":                   ErrGrain,
		"order/1":                   ErrGrain,
		"order/-5":                  ErrGrain,
		"order/1.5":                 ErrGrain,
		"order/week":                ErrGrain,
		"order/prefix":              ErrGrain,
		"order/prefix 0":            ErrGrain,
		"order/prefix 17":           ErrGrain,
		"order/9223372036854775808": ErrGrain,
		"equality/day":              ErrNotOrder,
		"sealed/day":                ErrNotOrder,
		"plain, equality":           ErrAlone,
		"equality, sealed":          ErrAlone,
		"equality, equality":        ErrTwice,
		"order, order/day":          ErrTwice,
		"equality, order":           ErrRedundant,
	} {
		if p, err := Parse(text); !errors.Is(err, want) || p != (Protection{}) {
			t.Errorf("%q: %v, %v; want %v", text, p, err, want)
		}
	}
}

func drawProtection(t *rapid.T) Protection {
	p := Protection{Protected: rapid.Bool().Draw(t, "protected")}
	if !p.Protected {
		return p
	}
	p.Allowed = Capabilities(rapid.IntRange(0, 3).Draw(t, "allowed"))
	if p.Allowed.Has(Order) {
		g := Unit(rapid.IntRange(0, int(Prefix)).Draw(t, "unit"))
		p.Grain.Unit = g
		switch g {
		case Step:
			p.Grain.Size = rapid.Uint64Range(2, 100).Draw(t, "step")
		case Prefix:
			p.Grain.Size = rapid.Uint64Range(1, prefixMax).Draw(t, "prefix")
		case Exact:
			p.Allowed |= Equality
		default:
		}
	}
	return p
}

// TestWithinIsAnOrder: "shows no more than" is reflexive, transitive and
// antisymmetric, with plain at its top and sealed below every protected one.
func TestWithinIsAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q, r := drawProtection(t), drawProtection(t), drawProtection(t)
		switch {
		case !p.Within(p), !p.Within(Plain), p.Protected && !Sealed.Within(p):
			t.Errorf("%v against itself, plain or sealed", p)
		case p.Within(q) && q.Within(r) && !p.Within(r):
			t.Errorf("%v within %v within %v", p, q, r)
		case p.Within(q) && q.Within(p) && p != q:
			t.Errorf("%v and %v are within each other", p, q)
		}
	})
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		p, q string
		want bool
	}{
		{"sealed", "equality", true},
		{"equality", "order", true},
		{"order/day", "equality", false},
		{"equality", "order/day", false},
		{"order/day", "order/hour", true},
		{"order/hour", "order/day", false},
		{"order/1000", "order/10", true},
		{"order/15", "order/10", false},
		{"order/prefix 3", "order/prefix 4", true},
		{"order/prefix 3", "order/day", false},
		{"order/prefix 3", "order", true},
		{"equality, order/day", "order", true},
		{"plain", "order", false},
	} {
		p, _ := Parse(c.p)
		q, _ := Parse(c.q)
		if got := p.Within(q); got != c.want {
			t.Errorf("%s within %s: %v", c.p, c.q, got)
		}
	}
}

// TestGrainWithinTellsFewerApart: for numbers the law can be checked by hand.
func TestGrainWithinTellsFewerApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := Grain{Unit: Step, Size: rapid.Uint64Range(2, 30).Draw(t, "g")}
		h := Grain{Unit: Step, Size: rapid.Uint64Range(2, 30).Draw(t, "h")}
		leaks := false
		for a := range uint64(900) {
			leaks = leaks || a/g.Size != (a+1)/g.Size && a/h.Size == (a+1)/h.Size
		}
		if g.within(h) == leaks {
			t.Errorf("%v within %v: %v, and it tells apart what the other does not: %v", g, h, g.within(h), leaks)
		}
	})
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, schema, table, column string
		want                           bool
	}{
		{"shop.user.email", "shop", "user", "email", true},
		{"shop.user.email", "SHOP", "User", "EMAIL", true},
		{"shop.user.email", "shop", "user", "email2", false},
		{"*.*.*mail*", "a", "b", "e_mail_2", true},
		{"*.*.?", "a", "b", "é", true},
		{"*.*.?", "a", "b", "éé", false},
		{"*.*.a*b*c", "a", "b", "axxbxbxc", true},
		{"*.*.a*b*c", "a", "b", "axxbxbxcd", false},
		{"s*.t?.*", "shop", "t1", "x", true},
		{"s*.t?.*", "shop", "t", "x", false},
		{"`a.b`.`c``d`.e", "a.b", "c`d", "e", true},
		{"`a.b`.c.e", "a", "c", "e", false},
		{"*.*.**", "a", "b", "x", true},
	} {
		p, err := ParsePattern(c.pattern)
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
		} else if got := p.Matches(c.schema, c.table, c.column); got != c.want {
			t.Errorf("%s of %s.%s.%s: %v", c.pattern, c.schema, c.table, c.column, got)
		}
	}
	for text, want := range map[string]error{
		"": ErrParts, "a.b": ErrParts, "a.b.c.d": ErrParts, "a.`b.c": ErrParts, "a..c": ErrPart, "a.b.\xff": ErrPart,
	} {
		if _, err := ParsePattern(text); !errors.Is(err, want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestGlobAgreesWithAPlainOne: the fast match against one that tries everything.
func TestGlobAgreesWithAPlainOne(t *testing.T) {
	var plain func(g, n []rune) bool
	plain = func(g, n []rune) bool {
		switch {
		case len(g) == 0:
			return len(n) == 0
		case g[0] == '*':
			return plain(g[1:], n) || len(n) > 0 && plain(g, n[1:])
		case len(n) == 0:
			return false
		}
		return (g[0] == '?' || g[0] == n[0]) && plain(g[1:], n[1:])
	}
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.StringOfN(rapid.SampledFrom([]rune("aé*?")), 0, 8, -1).Draw(t, "glob")
		n := rapid.StringOfN(rapid.SampledFrom([]rune("aé")), 0, 8, -1).Draw(t, "name")
		if got, want := matches(g, n), plain([]rune(g), []rune(n)); got != want {
			t.Errorf("%q of %q: %v", g, n, got)
		}
	})
}

func TestAnnotations(t *testing.T) {
	for comment, want := range map[string]string{
		"tunic: equality":                              "equality",
		"  TUNIC:order/day":                            "order/day",
		"as on the card; tunic: sealed":                "sealed",
		"a; b; c;tunic:plain":                          "plain",
		"équipe; Tunic: equality":                      "equality",
		"tunic: equality family Order_Line":            "equality family order_line",
		"Tunic: FAMILY  a1":                            "family a1",
		"x; tunic:equality, order / day family family": "equality, order/day family family",
		"tunic: equality apart":                        "equality apart",
		"mine; tunic: Apart":                           "apart",
		"":                                             "",
		"a tunic, or a toga":                           "",
		"a fortunic: not ours":                         "",
		"semicolons; everywhere; but not":              "",
		"tunic orders; tunic":                          "",
		"tunic_order":                                  "",
		"tunicorder":                                   "",
	} {
		p, found, err := Annotation(comment)
		if err != nil || found != (want != "") || found && p.String() != want {
			t.Errorf("%q: %v, %v, %v", comment, p, found, err)
		}
	}
	for _, comment := range []string{
		"tunic:", "tunic: equalty", "tunic: equality; tunic: sealed", "see tunic: sealed", "tunic: sealed; sorry",
		"tunic: sealed for now", "tunic: plain tunic: sealed",
		"tunic: family", "tunic: family a b", "tunic: family a sealed", "tunic: family a-b", "tunic: family é", "tunic: equality, family a",
		"tunic: plain family a", "tunic: sealed order family a", "tunic family a",
		"tunic: apart a", "tunic: plain apart", "tunic: apart family a", "tunic: family a apart", "tunic: apart sealed",
		"tunic order", "Tunic = sealed", "as on the card; tunic : equality", "tunic equality, order/day",
	} {
		if p, found, err := Annotation(comment); err == nil || found {
			t.Errorf("%q passes as %v, %v", comment, p, found)
		}
	}
}

// shop is a policy with a rule of each kind.
func shop(t *testing.T, fallback string) *Policy {
	t.Helper()
	p := &Policy{}
	var err error
	if p.Default, err = Parse(fallback); err != nil {
		t.Fatal(err)
	}
	for _, r := range [][2]string{{"shop.user.email", "equality"}, {"shop.user.*", "sealed"}, {"shop.log.*", "plain"}} {
		rule, err := ParseRule(r[0], r[1])
		if err != nil {
			t.Fatal(err)
		}
		p.Rules = append(p.Rules, rule)
	}
	return p
}

func TestDecisions(t *testing.T) {
	for _, c := range []struct {
		fallback, column, comment string
		auto                      bool
		want                      string // protection, wanted, voice; or the error
	}{
		{"order", "shop.item.x", "", false, "order wanted sealed by the default"},
		{"order", "shop.item.x", "tunic: order", false, "order wanted order by its annotation"},
		{"order", "shop.item.x", "tunic: plain", false, "plain wanted sealed by its annotation"},
		{"plain", "shop.item.x", "", false, "plain wanted sealed by the default"},
		{"plain", "shop.item.x", "tunic: sealed", false, "sealed wanted sealed by its annotation"},
		{"order", "shop.user.email", "", false, "equality wanted equality by a rule"},
		{"order", "shop.user.email", "tunic: sealed", false, "sealed wanted sealed by its annotation"},
		{"order", "shop.user.email", "tunic: order", false, ErrWeaker.Error()},
		{"order", "shop.user.name", "tunic: plain", false, ErrWeaker.Error()},
		{"order", "shop.log.line", "", false, "plain wanted sealed by a rule"},
		{"order", "shop.log.line", "tunic: order", false, "order wanted order by its annotation"},
		{"order", "shop.item.id", "", true, "plain wanted sealed by AUTO_INCREMENT"},
		{"order", "shop.user.id", "", true, ErrAutoIncrement.Error()},
		{"order", "shop.item.id", "tunic: equality", true, ErrAutoIncrement.Error()},
		{"order", "shop.item.id", "tunic: plain", true, "plain wanted sealed by its annotation"},
		{"order", "shop.item.x", "tunic: eqality", false, "annotation: " + ErrWord.Error()},
		{"order", "shop.item.x", "tunic: equality family a", false, "equality wanted equality in a by its annotation"},
		{"order", "shop.item.x", "tunic: family A", false, "order wanted sealed in a by the default"},
		{"order", "shop.user.email", "tunic: family a", false, "equality wanted equality in a by a rule"},
		{"order", "shop.user.email", "tunic: order family a", false, ErrWeaker.Error()},
		{"order", "shop.item.id", "tunic: family a", true, "plain wanted sealed in a by AUTO_INCREMENT"},
		{"order", "shop.item.x", "tunic: plain family a", false, "annotation: " + ErrFamilyPlain.Error()},
		{"order", "shop.item.x", "tunic: family a.b", false, "annotation: " + ErrFamily.Error()},
	} {
		name := strings.Split(c.column, ".")
		d, err := shop(t, c.fallback).Column(Column{
			Schema: name[0], Table: name[1], Name: name[2], Comment: c.comment, AutoIncrement: c.auto,
		})
		in := ""
		if d.Family != "" {
			in = " in " + d.Family
		}
		got := d.Protection.String() + " wanted " + d.Wanted.String() + in + " by " + d.By.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s, default %s, %q: %s; want %s", c.column, c.fallback, c.comment, got, c.want)
		}
	}
}

// TestRuleOf: the first rule that matches is the column's, as Column has it.
func TestRuleOf(t *testing.T) {
	p := shop(t, "order")
	for column, want := range map[string]int{"email": 0, "name": 1, "EMAIL": 0} {
		if got := p.RuleOf("shop", "user", column); got != want {
			t.Errorf("%s: rule %d; want %d", column, got, want)
		}
	}
	if p.RuleOf("shop", "item", "x") != -1 {
		t.Error("a column that no rule names has one")
	}
}

func TestMayProtect(t *testing.T) {
	p := shop(t, "plain")
	for table, want := range map[string]bool{"user": true, "log": false, "item": false} {
		if got := p.MayProtect("shop", table); got != want {
			t.Errorf("%s: %v", table, got)
		}
	}
	if !shop(t, "order").MayProtect("x", "y") {
		t.Error("a default that protects may protect any table")
	}
}

// TestMayAnnotate: the word counts wherever it stands, in letters of either case, misspelt, and with
// backslashes in it.
func TestMayAnnotate(t *testing.T) {
	for text, want := range map[string]bool{
		"tunic:": true, "TuNiC:": true, "a INT COMMENT 'card; tunic: sealed'": true, "::tunic:": true, "tunic;tunic:x": true,
		"tunic": true, "tunic = sealed": true, `tun\ic: sealed`: true, `\tunic`: true, `tun\\ic`: true,
		"": false, ":": false, "unic:": false, "tun ic:": false, "a:b:c": false, "tuniç:": false,
	} {
		if got := MayAnnotate([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzAnnotation(f *testing.F) {
	for _, s := range []string{"tunic: order/day", "x; tunic: sealed", "tunic:tunic:", ";;tunic: order/prefix 3", "tunic: sealed family a_1", "tunic: family b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, comment string) {
		n, found, err := Annotation(comment)
		if err != nil && found || !found && n != (Note{}) {
			t.Errorf("%v, %v, %v", n, found, err)
		}
		if !found {
			return
		}
		if definition := "c INT COMMENT '" + comment + "', d INT"; !MayAnnotate([]byte(comment)) || !MayAnnotate([]byte(definition)) {
			t.Errorf("%q is not taken for what may annotate", comment)
		}
		if again, found, err := Annotation("tunic: " + n.String()); err != nil || !found || again != n {
			t.Errorf("%v reads as %v, %v", n, again, err)
		}
	})
}

// TestGuardedAmong: only a rule that has a table's whole name makes words those of a column, and
// the first rule of a column decides.
func TestGuardedAmong(t *testing.T) {
	var p Policy
	for _, r := range []struct{ columns, protection string }{
		{"shop.patient.public", "plain"}, {"shop.patient.*", "sealed"}, {"shop.*.iban", "sealed"}, {"`s*op`.user.name", "sealed"}, {"shop.later.name", "sealed"},
	} {
		rule, err := ParseRule(r.columns, r.protection)
		if err != nil {
			t.Fatal(err)
		}
		rule.Waits = strings.Contains(r.columns, "later")
		p.Rules = append(p.Rules, rule)
	}
	for words, want := range map[string]string{
		"patient name": "patient", "order iban": "", "user name": "", "later name": "", "name": "", "shop patient x": "patient",
	} {
		for _, schema := range []string{"shop", "other"} {
			if schema == "other" && !strings.Contains(words, "shop") {
				want = ""
			}
			table, ok := p.GuardedAmong(schema, strings.Fields(words), false, func(string, string) bool { return false })
			if table != want || ok != (table != "") {
				t.Errorf("%q in %s: %q, %v; want %q", words, schema, table, ok, want)
			}
		}
		if table, ok := p.GuardedAmong("shop", strings.Fields(words), false, func(string, string) bool { return true }); ok {
			t.Errorf("%q: %q, which is protected", words, table)
		}
	}
	for words, want := range map[string]string{"patient": "patient", "order": "", "user": "", "later": ""} {
		if table, _ := p.GuardedAmong("shop", strings.Fields(words), true, func(string, string) bool { return false }); table != want {
			t.Errorf("%q, with a column that may be unnamed: %q, want %q", words, table, want)
		}
	}
	for words, want := range map[string]bool{"order": true, "later": true, "shop x": true} {
		if p.MayGuardAmong("shop", strings.Fields(words)) != want || p.MayGuardAmong("other", strings.Fields(words)) != strings.Contains(words, "shop") {
			t.Errorf("%q may be the names of a guarded table: not %t", words, want)
		}
	}
	p.Rules = slices.DeleteFunc(p.Rules, func(r Rule) bool { return strings.Contains(r.Columns.table, "*") })
	if !p.MayGuardAmong("shop", []string{"patient"}) || p.MayGuardAmong("shop", []string{"order", "ssn", "later"}) {
		t.Error("a rule with a table's name guards that table")
	}
	if !p.GuardsByName("Shop", "PATIENT") || p.GuardsByName("shop", "order") || p.GuardsByName("shop", "later") {
		t.Error("GuardsByName is of rules with the whole name that do not wait")
	}
}

// TestRuleQuoted: a rule that cannot be read is quoted, since it is of the settings; an annotation is not, since it is of
// a statement.
func TestRuleQuoted(t *testing.T) {
	if _, err := ParseRule("shop.item.x", "equality, ordr"); !errors.Is(err, ErrWord) || !strings.Contains(err.Error(), `"equality, ordr"`) {
		t.Errorf("%v", err)
	}
	if _, err := Parse("equality, ordr"); err == nil || strings.Contains(err.Error(), "ordr") {
		t.Errorf("%v", err)
	}
}
