package binding

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/environment"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// shown are forms that anyone can read: the canonical value behind the name of the form.
type shown struct{}

func (shown) AppendSealed(dst, canonical []byte) ([]byte, error) {
	return append(append(dst, "sealed "...), canonical...), nil
}

func (shown) AppendOpened(dst, sealed []byte) ([]byte, error) {
	return append(dst, bytes.TrimPrefix(sealed, []byte("sealed "))...), nil
}

func (shown) AppendToken(dst []byte, _ policy.Capabilities, canonical []byte) ([]byte, error) {
	return append(append(dst, "token "...), canonical...), nil
}

// patients is a table with a protected number and a protected text.
func patients(tb testing.TB) *catalog.Table {
	tb.Helper()
	utf8mb4, ok := charset.Lookup(value.MySQL, "utf8mb4_bin")
	if !ok {
		tb.Fatal("no utf8mb4_bin")
	}
	return &catalog.Table{Schema: "shop", Name: "patient", Columns: []catalog.Column{
		{Name: "age", Type: value.Type{Kind: value.TinyInt}, Protection: policy.Protection{Protected: true}},
		{Name: "name", Type: value.Type{Kind: value.VarChar, Length: 5, Collation: utf8mb4}, Protection: policy.Protection{Protected: true}},
	}}
}

// bound is a statement of some kind that is to be filled, with the binder of a session.
func bound(tb testing.TB, kind sql.Kind, strict bool, slots ...recipe.Slot) (*Statement, *Binder) {
	tb.Helper()
	t := patients(tb)
	st := &Statement{Run: recipe.Run{Kind: kind, Table: t, Tables: []*catalog.Table{t}, Slots: slots}}
	if err := st.TakeColumns(FormsOf{Column: func(*catalog.Column) (Forms, error) { return shown{}, nil }}); err != nil {
		tb.Fatal(err)
	}
	if err := st.TakeValues(); err != nil {
		tb.Fatal(err)
	}
	env := &environment.Environment{Connection: t.Columns[1].Type.Collation, Client: t.Columns[1].Type.Collation.Charset}
	env.Value = value.Env{Flavor: value.MySQL, Version: 80400}
	if strict {
		env.Value.Mode = value.StrictAllTables
	}
	b := New()
	b.Env = env
	b.Notices.Begin(64)
	b.Begin(st)
	return st, b
}

// literal is a constant of the statement's form.
func literal(n ast.Expr) recipe.Operand { return recipe.Operand{Kind: recipe.FromForm, Literal: n} }

func number(digits string) recipe.Operand {
	return literal(&ast.Literal{Type: ast.IntVal, Val: digits})
}

func text(s string) recipe.Operand { return literal(&ast.Literal{Type: ast.StrVal, Val: s}) }

func tinyInt(n int64) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(n)))
}

// TestFillSlot: each slot takes the form that the recipe says, of the value that the column would have.
func TestFillSlot(t *testing.T) {
	sealed := func(column int, of recipe.Operand) recipe.Slot {
		return recipe.Slot{Column: column, Form: recipe.Sealed, Of: of, Use: recipe.Assign}
	}
	token := func(column int, of recipe.Operand, use recipe.SlotUse) recipe.Slot {
		return recipe.Slot{Column: column, Form: recipe.Token, Layer: policy.Order, Of: of, Use: use}
	}
	above := strings.Repeat("\xff", tokenBytesMax+1)
	for name, c := range map[string]struct {
		slot recipe.Slot
		want string // the form, "NULL" for none
	}{
		"a number is stored":       {sealed(0, number("7")), "sealed " + tinyInt(7)},
		"a text for a number":      {sealed(0, text("7")), "sealed " + tinyInt(7)},
		"a number for a text":      {sealed(1, number("42")), "sealed 42"},
		"NULL is stored":           {sealed(0, literal(&ast.NullVal{})), "NULL"},
		"TRUE is stored":           {sealed(0, literal(ast.BoolVal(true))), "sealed " + tinyInt(1)},
		"a value is sought":        {token(0, number("7"), recipe.Equal), "token " + tinyInt(7)},
		"none can be equal":        {token(0, number("300"), recipe.Equal), above},
		"all are less":             {token(0, number("300"), recipe.Less), above},
		"NULL is compared":         {token(0, literal(&ast.NullVal{}), recipe.Less), "NULL"},
		"between two values":       {token(0, literal(&ast.Literal{Type: ast.DecimalVal, Val: "7.5"}), recipe.Less), "token " + tinyInt(7) + "\x00"},
		"equal to neither of them": {token(0, literal(&ast.Literal{Type: ast.DecimalVal, Val: "7.5"}), recipe.Equal), above},
	} {
		kind := sql.Select
		if c.slot.Use == recipe.Assign {
			kind = sql.Insert
		}
		_, b := bound(t, kind, true, c.slot)
		got, err := b.FillSlot(nil, 0, 0)
		want := []byte("NULL")
		if c.want != "NULL" {
			want = b.Env.AppendForm(nil, []byte(c.want))
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %s, %v; want %s", name, got, err, want)
		}
	}
}

// TestRaised: what a server would say of a value is an error in strict mode, in its words, and else a warning.
func TestRaised(t *testing.T) {
	slot := recipe.Slot{Column: 0, Form: recipe.Sealed, Of: number("300"), Use: recipe.Assign}
	_, b := bound(t, sql.Insert, true, slot)
	_, err := b.FillSlot(nil, 0, 0)
	if e, ok := errors.AsType[*sqlerr.Error](err); !ok || e.Number != 1264 || e.State != "22003" || e.Message != "Out of range value for column 'age' at row 1" {
		t.Errorf("strict: %v", err)
	}
	_, b = bound(t, sql.Insert, false, slot)
	got, err := b.FillSlot(nil, 0, 0)
	if want := b.Env.AppendForm(nil, []byte("sealed "+tinyInt(127))); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s, %v", got, err)
	}
	if b.Notices.Count() != 1 || b.Notices.All()[0].Level != value.Warning || b.Notices.All()[0].Code != 1264 {
		t.Errorf("%+v", b.Notices.All())
	}
	if again, err := b.FillSlot(nil, 0, 0); err != nil || !bytes.Equal(again, got) || b.Notices.Count() != 1 {
		t.Errorf("a second form of the value: %s, %v, %d notices", again, err, b.Notices.Count())
	}
}

// TestSought: a row that a token has found has to have the value that the token was made of.
func TestSought(t *testing.T) {
	st, b := bound(t, sql.Select, true, recipe.Slot{
		Column: 1, Form: recipe.Token, Layer: policy.Equality, Of: text("ada"), Use: recipe.Equal, Sought: 1,
	})
	st.seekAt = [][]int{{0}} // the row has the column
	if _, err := b.FillSlot(nil, 0, 0); err != nil {
		t.Fatal(err)
	}
	if err := b.Sought.Check(st, 0, []byte("ada"), false); err != nil {
		t.Error(err)
	}
	err := b.Sought.Check(st, 0, []byte("eve"), false)
	if other, ok := errors.AsType[*OtherValueError](err); !ok || other.Column != st.Columns[1] {
		t.Errorf("another value: %v", err)
	}
	b.ForgetSought()
	if err := b.Sought.Check(st, 0, []byte("eve"), false); err != nil {
		t.Errorf("rows of another statement: %v", err)
	}
}

// TestVariables: a user variable is a value as a literal is, and keeps its type where it is written as one.
func TestVariables(t *testing.T) {
	st, b := bound(t, sql.Insert, true, recipe.Slot{Column: 0, Form: recipe.Sealed, Of: recipe.Operand{Kind: recipe.FromParam}, Use: recipe.Assign})
	b.Using = []Variable{{Source: value.UintSource(9)}}
	got, err := b.FillSlot(nil, 0, 0)
	if want := b.Env.AppendForm(nil, []byte("sealed "+tinyInt(9))); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s, %v", got, err)
	}
	b.End()
	b.Begin(st)
	if _, err := b.FillSlot(nil, 0, 0); !errors.Is(err, ErrHole) {
		t.Errorf("no value: %v", err)
	}
	for want, v := range map[string]Variable{
		"CAST(9 AS UNSIGNED)": {Source: value.Source{Form: value.FormUint, Number: 9}}, "-9": {Source: value.IntSource(-9)}, "1.50": {Source: value.DecimalSource([]byte("1.50"))},
		"CAST(NULL AS SIGNED)": {Source: value.IntSource(0), Null: true}, "_binary x'6162'": {Source: value.StringSource([]byte("ab"), nil)},
	} {
		if got := v.AppendLiteral(nil); string(got) != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestAppendExecute: the parameters of the stored statement are forms where slots are, and the client's elsewhere.
func TestAppendExecute(t *testing.T) {
	_, b := bound(t, sql.Insert, true, recipe.Slot{Column: 1, Form: recipe.Sealed, Of: recipe.Operand{Kind: recipe.FromParam}, Use: recipe.Assign})
	x := NewExecution(2)
	x.Inputs = []Input{{Param: -1}, {Param: 1}}
	head := []byte{0, 1, 0, 0, 0}
	values := append(wire.AppendLenencBytes(nil, []byte("ada")), 5, 0, 0, 0)
	rest := append(append(bytes.Clone(head), 0, 1, byte(wire.TypeVarString), 0, byte(wire.TypeLong), 0), values...)
	if err := x.Decode(rest, 0, 0); err != nil {
		t.Fatal(err)
	}
	b.Prepared = &x
	got, err := b.AppendExecute(nil, &x, wire.Execute{Statement: 3, Rest: rest}, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := append([]byte{byte(wire.ComStmtExecute), 3, 0, 0, 0}, head...)
	want = append(want, 0, 1, byte(wire.TypeBlob), 0, byte(wire.TypeLong), 0)
	want = append(wire.AppendLenencBytes(want, []byte("sealed ada")), 5, 0, 0, 0)
	if !bytes.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if err := x.Decode(rest[:len(rest)-1], 0, 0); err == nil {
		t.Error("a packet that is cut short")
	}
}

// TestNotices: no more are kept than the session wants, and all are counted.
func TestNotices(t *testing.T) {
	var n Notices
	n.Begin(2)
	n.Add(value.Warning, 1265, []byte("Data truncated for column 'a' at row 1"))
	before := n
	n.Repeat(3)
	if n.Count() != 3 || len(n.All()) != 2 || string(n.All()[1].Message) != "Data truncated for column 'a' at row 2" {
		t.Errorf("%d, %d are kept", n.Count(), len(n.All()))
	}
	if n.Cut(before); n.Count() != 1 || len(n.All()) != 1 || n.With(1<<16-1) != 1<<16-1 {
		t.Errorf("%d, %d are kept", n.Count(), len(n.All()))
	}
}

// TestForget: what was raised between two marks is gone and not counted, what came behind stays, and what has been cut is out
// already.
func TestForget(t *testing.T) {
	var n Notices
	n.Begin(3) // more are counted
	add := func(code uint16) { n.Add(value.Warning, code, []byte("x")) }
	codes := func() string {
		var all []uint16
		for _, one := range n.All() {
			all = append(all, one.Code)
		}
		return fmt.Sprint(all, n.Count())
	}
	add(1)
	from := n.Mark()
	add(2)
	until := n.Mark()
	add(3)
	add(4)
	if n.Forget(from, until); codes() != "[1 3] 3" {
		t.Errorf("in the middle: %s", codes())
	}
	if n.Forget(n.Mark(), n.Mark()); codes() != "[1 3] 3" {
		t.Errorf("nothing: %s", codes())
	}
	before := n
	add(5)
	until = n.Mark()
	n.Cut(before)
	if n.Forget(from, until); codes() != "[1] 1" {
		t.Errorf("what is cut already: %s", codes())
	}
	if n.Forget(until, until); codes() != "[1] 1" {
		t.Errorf("behind the end: %s", codes())
	}
}
