package translation

import (
	"errors"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/environment"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// marks are forms that can be told apart.
type marks struct{}

func (marks) AppendSealed(dst, _ []byte) ([]byte, error) { return append(dst, "sealed"...), nil }

func (marks) AppendOpened(dst, _ []byte) ([]byte, error) { return dst, errors.New("nothing is opened") }

func (marks) AppendToken(dst []byte, _ policy.Capabilities, canonical []byte) ([]byte, error) {
	return append(append(dst, 't', 'o', 'k'), canonical[len(canonical)-1]), nil
}

// TestTranslator: who has sent the value of a duplicate is shown it, in the error and in the
// warnings behind it, and for the length of one statement.
func TestTranslator(t *testing.T) {
	st := translating(t)
	st.Run.Kind = sql.Update
	st.Run.Slots = []recipe.Slot{{
		Column: 1, Form: recipe.Token, Layer: policy.Equality, Use: recipe.Assign,
		Of: recipe.Operand{Kind: recipe.FromForm, Literal: &ast.Literal{Type: ast.IntVal, Val: "77"}},
	}}
	st.Columns = nil
	if err := st.TakeColumns(binding.FormsOf{Column: func(*catalog.Column) (binding.Forms, error) { return marks{}, nil }}); err != nil {
		t.Fatal(err)
	}
	if err := st.TakeValues(); err != nil {
		t.Fatal(err)
	}
	b := binding.New()
	b.Env = &environment.Environment{Value: value.Env{Flavor: value.MySQL, Version: 80400}}
	b.Notices.Begin(64)
	b.Begin(st)
	if _, err := b.FillSlot(nil, 0, 0); err != nil {
		t.Fatal(err)
	}
	words := Translator{Binder: b}
	words.Begin()
	const own, other = "Duplicate entry 'tokM' for key 'person.who'", "Duplicate entry 'tokX' for key 'person.who'"
	if got := words.Warning(DuplicateEntry, []byte(own)); string(got) != own {
		t.Errorf("of no statement: %s", got)
	}
	words.Last = st
	for said, want := range map[string]string{
		own:   "Duplicate entry '77' for key 'person.who'",
		other: "Duplicate entry for key 'person.who'",
		"Duplicate entry '5' for key 'person.PRIMARY'": "Duplicate entry '5' for key 'person.PRIMARY'",
		"Duplicate entry 'tokM' for key 'unheard of'":  "Duplicate entry for key 'unheard of'",
		"Doppelt 'tokM' for key 'who'":                 "Duplicate entry for key 'who'",
	} {
		words.Begin()
		m := &wire.Err{Number: DuplicateEntry, State: "23000", Message: []byte(said)}
		if e := words.Error(st, m); e.Message != want || e.Number != m.Number || e.State != m.State {
			t.Errorf("%s became %v, want %s", said, e, want)
		}
		if got := words.Warning(DuplicateEntry, []byte(said)); string(got) != want {
			t.Errorf("in the warnings %s became %s, want %s", said, got, want)
		}
	}
	words.Begin()
	words.Sent(st, &wire.Err{Number: DuplicateEntry, Message: []byte(own)})
	b.End()
	words.Begin()
	if got := words.Warning(DuplicateEntry, []byte(own)); string(got) != "Duplicate entry for key 'person.who'" {
		t.Errorf("of the next statement: %s", got)
	}
	if got := words.Sent(st, &wire.Err{Number: DuplicateEntry, Message: []byte(own)}); string(got) != "Duplicate entry for key 'person.who'" {
		t.Errorf("without the values: %s", got)
	}
}

// TestAsDuplicate: the parts of the message, whatever is in the entry.
func TestAsDuplicate(t *testing.T) {
	for said, want := range map[string]struct {
		entry, key string
		shown, ok  bool
	}{
		"Duplicate entry '7' for key 'PRIMARY'":              {"7", "PRIMARY", true, true},
		"Duplicate entry '' for key 'a.b'":                   {"", "a.b", true, true},
		"Duplicate entry 'x' for key 'y' for key 'person.k'": {"x' for key 'y", "person.k", true, true},
		"Duplicate entry for key 'k'":                        {"", "k", false, true},
		"Doppelt '7' for key `k`":                            {"", "k", false, true},
		"Duplicate entry '7'":                                {},
		"":                                                   {},
	} {
		d, ok := AsDuplicate([]byte(said))
		if ok != want.ok || d.Key != want.key || string(d.Entry) != want.entry || (d.Entry != nil) != want.shown {
			t.Errorf("%q: %q of %q, %v", said, d.Entry, d.Key, ok)
		}
	}
}

// TestOfAnotherTime: which errors may mean that a statement is to be planned again.
func TestOfAnotherTime(t *testing.T) {
	of := func(number uint16, message string) *sqlerr.Error {
		return &sqlerr.Error{Number: number, Message: message}
	}
	fence := catalog.Table{Fenced: true, Revision: 7}
	if fence.Fence() == "" {
		t.Fatal("a table that is fenced has no fence")
	}
	for _, c := range []struct {
		name                 string
		err                  error
		stale, denied, named bool
	}{
		{"the fence is not there", of(1054, "Unknown column 't_7."+fence.Fence()+"' in 'field list'"), true, false, true},
		{"another column is not there", of(1054, "Unknown column 'nosuch' in 'field list'"), true, false, false},
		{"the table is not there", of(1146, "Table '_tunic.t_7' doesn't exist"), true, false, false},
		{"a view does not fit", of(1356, ""), true, false, false},
		{"a text is none", of(1300, ""), true, false, false},
		{"the tables have other fences", Moved(), true, false, false},
		{"what is sent does not fit", binding.ErrMisfit, true, false, false},
		{"the table is denied", of(1142, ""), false, true, false},
		{"the column is denied", of(1143, ""), false, true, false},
		{"what the client is told in the end", Redefined(), false, false, false},
		{"a duplicate", of(DuplicateEntry, ""), false, false, false},
		{"no error of the server", errors.New("lost"), false, false, false},
		{"none", nil, false, false, false},
	} {
		if MayBeStale(c.err) != c.stale || MayBeDenied(c.err) != c.denied {
			t.Errorf("%s: stale %v, denied %v", c.name, MayBeStale(c.err), MayBeDenied(c.err))
		}
		e, ok := errors.AsType[*sqlerr.Error](c.err)
		if !ok {
			continue
		}
		if NamesFence(e) != c.named {
			t.Errorf("%s: names a fence is %v", c.name, NamesFence(e))
		}
		for _, table := range []*catalog.Table{{}, &fence} {
			st := &binding.Statement{Run: recipe.Run{Tables: []*catalog.Table{table}}}
			if want := c.stale || c.denied && table == &fence; Retriable(st, e) != want {
				t.Errorf("%s, of a table with the fence %q: retriable is %v", c.name, table.Fence(), !want)
			}
		}
	}
}
