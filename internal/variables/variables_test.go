package variables

import (
	"errors"
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// number is a variable with a number, computed from others.
func number(n int64, from ...string) binding.Variable {
	return binding.Variable{Source: value.IntSource(n), From: from}
}

func set(t *testing.T, u *Kept, name string, v binding.Variable) {
	t.Helper()
	if err := u.Set(name, v); err != nil {
		t.Fatal(err)
	}
}

// TestSecretsAreOfAKin: a variable whose value goes with a protected column is secret, and so is all that it is computed
// from and that is computed from it; nothing else is.
func TestSecretsAreOfAKin(t *testing.T) {
	var u Kept
	set(t, &u, "a", number(1))
	set(t, &u, "b", number(2, "a"))
	set(t, &u, "c", number(3, "b"))
	set(t, &u, "d", number(4))
	if u.IsSecret("a") || u.Get("nosuch") != nil || u.IsSecret("nosuch") {
		t.Error("something is secret from the start, or there")
	}
	u.Hide("b")
	for name, want := range map[string]bool{"a": true, "b": true, "c": true, "d": false} {
		if got := u.IsSecret(name); got != want {
			t.Errorf("%s: secret %t, want %t", name, got, want)
		}
	}
	set(t, &u, "e", number(5, "c"))
	if !u.IsSecret("e") {
		t.Error("what is computed from a secret is none")
	}
	set(t, &u, "a", number(1))
	if u.IsSecret("a") {
		t.Error("a variable that is set anew is secret still")
	}
}

// TestNamed: a plan reads variables by their names, or may read any; what the server must not have is told apart.
func TestNamed(t *testing.T) {
	var u Kept
	for _, name := range []string{"a", "hidden", "key"} {
		set(t, &u, name, number(1))
	}
	u.Hide("hidden")
	u.IsKey([]string{"key", "server's"})
	for _, c := range []struct {
		what   string
		read   plan.Variables
		names  string
		secret bool
	}{
		{"nothing", plan.Variables{}, "", false},
		{"one", plan.Variables{Names: []string{"a"}}, "a", false},
		{"the server's", plan.Variables{Names: []string{"b"}}, "", false},
		{"a secret", plan.Variables{Names: []string{"a", "hidden"}}, "a hidden", true},
		{"a key", plan.Variables{Names: []string{"key"}}, "key", true},
		{"any", plan.Variables{Any: true}, "a hidden key", true},
		{"a program", plan.Variables{Programs: true}, "a", false},
		{"a program that is given one", plan.Variables{Programs: true, Names: []string{"key"}}, "a key", true},
	} {
		names, secret := u.Named(c.read)
		if got := strings.Join(names, " "); got != c.names || secret != c.secret {
			t.Errorf("%s: %q, secret %t, want %q, %t", c.what, got, secret, c.names, c.secret)
		}
	}
	if u.WasKey("server's") {
		t.Error("a variable of the server's is kept in mind")
	}
	if u.Drop("key"); u.WasKey("key") || u.Get("key") != nil {
		t.Error("something is left of a variable that is the server's by now")
	}
}

// TestKeysOfTexts: of what a statement was prepared from, and of what that is computed from, it is known that the server
// must not have it, and that it may be prepared again.
func TestKeysOfTexts(t *testing.T) {
	var u Kept
	set(t, &u, "part", number(1))
	set(t, &u, "text", number(2, "part"))
	u.IsText("text")
	if !u.WasText("text") || !u.WasKey("text") || !u.WasText("part") {
		t.Error("a text, or what it is computed from, is not withheld")
	}
	u.IsKey([]string{"part"})
	set(t, &u, "both", number(3, "text"))
	if !u.WasKey("both") {
		t.Error("what is computed from a key is none")
	}
	u.Spends([]string{"text"})
	set(t, &u, "spent", number(4, "text"))
	if u.WasKey("spent") {
		t.Error("what comes of a statement of which a variable is a key is one")
	}
	if u.Clear(); u.Any() {
		t.Error("variables are left")
	}
}

// TestVariablesAreBounded: memory for variables is bounded, and given back.
func TestVariablesAreBounded(t *testing.T) {
	var u Kept
	long := binding.Variable{Source: value.Source{Form: value.FormString, Bytes: make([]byte, variableBytesMax/2)}}
	set(t, &u, "a", long)
	if err := u.Set("b", long); !errors.Is(err, sqlerr.VariablesTooLarge(variableBytesMax)) {
		t.Errorf("%v, want a refusal", err)
	}
	set(t, &u, "a", long)
	u.Drop("a")
	if u.bytes != 0 {
		t.Errorf("%d bytes are left of nothing", u.bytes)
	}
	set(t, &u, "b", long)
}

// TestKeepable: of names outside ASCII nobody knows here which are alike.
func TestKeepable(t *testing.T) {
	for name, want := range map[string]bool{"a": true, "a.b_$9": true, "": false, "é": false, "A": false, strings.Repeat("a", variableNameMax+1): false} {
		if got := Keepable(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}

// TestAnswer: the server's answer for a variable has its type and its value.
func TestAnswer(t *testing.T) {
	if got := string(question([]string{"@a", "@b"})); strings.Count(got, "IS NULL") != 2 || !strings.HasSuffix(got, " LIMIT 1") {
		t.Errorf("the question is %s", got)
	}
	column := func(typ wire.Type, flags uint16) []wire.ColumnDefinition {
		return []wire.ColumnDefinition{{Type: typ, Flags: flags}, {}, {}, {}}
	}
	for _, c := range []struct {
		columns []wire.ColumnDefinition
		cells   []string
		want    binding.Variable
		refused bool
	}{
		{column(wire.TypeLongLong, 0), []string{"", "0", "-5", "binary"}, binding.Variable{Source: value.IntSource(-5)}, false},
		{column(wire.TypeLongLong, 0), []string{"", "0", "\x00\x00\x007", "binary"}, binding.Variable{Source: value.IntSource(7)}, false},
		{column(wire.TypeLongLong, value.FlagUnsigned), []string{"", "0", "18446744073709551615", "binary"}, binding.Variable{Source: value.Source{Form: value.FormUint, Number: 1<<64 - 1}}, false},
		{column(wire.TypeLongLong, 0), []string{"", "0", "x", "binary"}, binding.Variable{}, true},
		{column(wire.TypeVarString, 0), []string{"", "1", "", ""}, binding.Variable{Null: true, Source: value.Source{Form: value.FormString}}, false},
		{column(wire.TypeVarString, 0), []string{"", "0", "x", "klingon_bin"}, binding.Variable{}, true},
		{column(wire.TypeNewDecimal, 0)[:1], []string{""}, binding.Variable{}, true},
	} {
		got, err := answer(value.MariaDB, 1, c.columns, [][]string{c.cells})
		if (err != nil) != c.refused {
			t.Errorf("%q: %v", c.cells, err)
		}
		if err != nil || c.refused {
			continue
		}
		v := got[0]
		if v.Null != c.want.Null || v.Source.Form != c.want.Source.Form || v.Source.Number != c.want.Source.Number || !v.Source.Variable {
			t.Errorf("%q: %+v, want %+v", c.cells, v, c.want)
		}
	}
}
