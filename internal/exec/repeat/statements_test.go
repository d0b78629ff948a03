package repeat

import (
	"strings"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/exec/change"
	"tunic/internal/policy"
	"tunic/internal/racetest"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// update is what writes a row back, with slots of these forms.
func update(tb testing.TB, slots ...change.Slot) (*change.Write, *sql.Printed) {
	tb.Helper()
	text := "UPDATE t SET a = ?" + strings.Repeat(", a = ?", len(slots)-1)
	all, err := sql.Parse([]byte(text), 0)
	if err != nil {
		tb.Fatal(err)
	}
	tree, err := all[0].TreeWithPlaces(&sql.Literals{})
	if err != nil {
		tb.Fatal(err)
	}
	n := 0
	err = ast.Walk(func(node ast.Node) (bool, error) {
		if a, ok := node.(*ast.Argument); ok {
			*a = *sql.Slot(n, a)
			n++
		}
		return true, nil
	}, tree.Root())
	if err != nil {
		tb.Fatal(err)
	}
	p, err := tree.Print(0)
	if err != nil {
		tb.Fatal(err)
	}
	return &change.Write{Write: &recipe.Write{Back: p}, Fills: slots}, p
}

func slotOf(form recipe.Form, of recipe.OperandKind, k value.Kind) change.Slot {
	return change.Slot{
		Column: &binding.Column{Column: &catalog.Column{Type: value.Type{Kind: k}}},
		Form:   form, Layer: policy.Equality, Of: recipe.Operand{Kind: of},
	}
}

// TestSends: a statement is prepared when it is sent for the second time, and there is room for so many.
func TestSends(t *testing.T) {
	var s Statements
	form := slotOf(recipe.Record, recipe.FromSet, value.Int)
	var first *sql.Printed
	for n := range most + 3 {
		w, p := update(t, form)
		if n == 0 {
			first = p
		}
		if st := s.Sends(w, p); st != nil {
			t.Fatal("it was not sent before")
		}
		id, ok := s.Surplus()
		if ok != (n >= most) || ok && int(id) != n-most+1 { // the first one was sent again
			t.Errorf("at %d: %d, %t", n, id, ok)
		}
		st := s.Sends(w, p)
		if st == nil || st.Prepared() || !st.Of(p) || st.Params() != 1 {
			t.Fatalf("%+v", st)
		}
		st.Has(uint32(n))
		if n == most-1 {
			s.Sends(w, first)
		}
	}
	closed := 0
	for _, ok := s.Close(); ok; _, ok = s.Close() {
		closed++
	}
	if closed != most {
		t.Errorf("%d are closed", closed)
	}
}

// TestLost: what the server does not have is sent as text from then on.
func TestLost(t *testing.T) {
	var s Statements
	w, p := update(t, slotOf(recipe.Token, recipe.FromRow, value.Int))
	s.Sends(w, p)
	st := s.Sends(w, p)
	st.Has(7)
	st.Lose()
	if s.Sends(w, p) != nil {
		t.Error("it is lost")
	}
	if _, ok := s.Close(); ok {
		t.Error("the server has it")
	}
}

// TestRoom: what one session has prepared is none that another may have, until it is closed, forgotten or lost.
func TestRoom(t *testing.T) {
	var room Room
	one, other := Statements{Room: &room}, Statements{Room: &room}
	room.taken.Store(roomMost - 1)
	form := slotOf(recipe.Token, recipe.FromRow, value.Int)
	w, p := update(t, form)
	v, q := update(t, form)
	for name, end := range map[string]func(st *Statement){
		"closed": func(*Statement) { one.Close() }, "forgotten": func(*Statement) { one.Clear() }, "lost": func(st *Statement) { st.Lose(); one.Clear() },
	} {
		one.Sends(w, p)
		other.Sends(v, q)
		st := one.Sends(w, p)
		st.Has(1)
		if other.Sends(v, q) != nil || one.Sends(w, p) != st {
			t.Errorf("%s: there is no room", name)
		}
		if end(st); other.Sends(v, q) == nil || room.taken.Load() != roomMost-1 {
			t.Errorf("%s: %d are taken", name, room.taken.Load())
		}
	}
}

// TestParams: forms are parameters, and so are integers; a statement with anything else is text.
func TestParams(t *testing.T) {
	form := slotOf(recipe.Sealed, recipe.FromSet, value.Int)
	for _, c := range []struct {
		slot change.Slot
		want bool
	}{
		{form, true},
		{slotOf(recipe.Record, recipe.FromRow, value.Int), true},
		{slotOf(recipe.Token, recipe.FromRow, value.VarChar), true},
		{slotOf(recipe.Value, recipe.FromRow, value.BigInt), true},
		{slotOf(recipe.Value, recipe.FromRow, value.VarChar), false},
		{slotOf(recipe.Value, recipe.FromRow, value.Decimal), false},
		{slotOf(recipe.Value, recipe.FromRow, value.Year), false},
		{slotOf(recipe.Bare, recipe.FromSet, value.Int), false},
		{slotOf(recipe.Sealed, recipe.FromNew, value.Int), false},
		{slotOf(recipe.Value, recipe.FromPlace, value.Int), false},
	} {
		var s Statements
		w, p := update(t, form, c.slot)
		s.Sends(w, p)
		if got := s.Sends(w, p) != nil; got != c.want {
			t.Errorf("form %d of %d, %v: %t", c.slot.Form, c.slot.Of.Kind, c.slot.Type.Kind, got)
		}
	}
}

// TestAppendExecute: values are where the protocol has them, and cost no memory.
func TestAppendExecute(t *testing.T) {
	var s Statements
	unsigned := slotOf(recipe.Value, recipe.FromRow, value.BigInt)
	unsigned.Type.Unsigned = true
	w, p := update(t, slotOf(recipe.Sealed, recipe.FromSet, value.Int), slotOf(recipe.Token, recipe.FromSet, value.Int), unsigned)
	s.Sends(w, p)
	st := s.Sends(w, p)
	command, err := st.AppendPrepare(nil)
	if want := "\x16update `t` set `a` = ?, `a` = ?, `a` = ?"; err != nil || string(command) != want {
		t.Fatalf("%q, %v", command, err)
	}
	st.Has(9)
	values := [][]byte{[]byte("form"), nil, {0xff, 0, 0, 0, 0, 0, 0, 1}}
	value := func(slot int) ([]byte, error) { return values[slot], nil }
	got, err := st.AppendExecute(nil, false, value)
	blob, number := string([]byte{byte(wire.TypeBlob), 0}), string([]byte{byte(wire.TypeLongLong), binding.UnsignedFlag})
	if want := "\x17\x09\x00\x00\x00\x00\x01\x00\x00\x00\x02\x01" + blob + blob + number + "\x04form\x01\x00\x00\x00\x00\x00\x00\xff"; err != nil || string(got) != want {
		t.Errorf("%q, want %q, %v", got, want, err)
	}
	named, err := st.AppendExecute(nil, true, value)
	if want := "\x17\x09\x00\x00\x00\x08\x01\x00\x00\x00\x03\x02\x01" + blob + "\x00" + blob + "\x00" + number + "\x00\x04form\x01\x00\x00\x00\x00\x00\x00\xff"; err != nil || string(named) != want {
		t.Errorf("%q, want %q, %v", named, want, err)
	}
	if racetest.On {
		return
	}
	if n := testing.AllocsPerRun(100, func() { got, _ = s.Sends(w, p).AppendExecute(got[:0], true, value) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestSendsWhole: a change is executed if all of its values are forms.
func TestSendsWhole(t *testing.T) {
	for form, want := range map[recipe.Form]bool{recipe.Sealed: true, recipe.Record: true, recipe.Token: true, recipe.Value: false, recipe.Bare: false, recipe.Most: false} {
		var s Statements
		_, p := update(t, slotOf(recipe.Token, recipe.FromRow, value.Int), slotOf(form, recipe.FromRow, value.Int))
		of := &binding.Statement{Run: recipe.Run{Kind: sql.Update, Remote: p, Slots: []recipe.Slot{{Form: recipe.Token}, {Form: form}}}}
		if s.SendsWhole(of) != nil {
			t.Error("it was not sent before")
		}
		st := s.SendsWhole(of)
		if (st != nil) != want {
			t.Errorf("form %d: %t", form, st != nil)
		}
		if st != nil && st.Params() != 2 {
			t.Errorf("form %d: %d parameters", form, st.Params())
		}
	}
}
