package program

import (
	"errors"
	"testing"
	"time"

	"tunic/internal/eval/class"
	"tunic/internal/eval/number"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

var countShape = class.Shape{Class: class.Int, Digits: 10, Coercible: class.CoercibleNumber}

// start runs an expression of one node.
func start(t *testing.T, n *Node, mode value.Mode) *Run {
	t.Helper()
	result, ok := n.Result(true)
	if !ok {
		t.Fatalf("no result of %v", n.Class)
	}
	x := &Expression{Root: n, Result: result, Slots: 2, States: 1, Truth: n.Ev, At: -1, Session: Session{Flavor: value.MariaDB}}
	r, err := x.Start(Inputs{Env: &value.Env{Flavor: value.MariaDB, Version: 101100, Mode: mode}, Now: time.Unix(0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func isRefusal(err error) bool {
	var own *sqlerr.Error
	return errors.As(err, &own) && own.Code != 0
}

// TestEval: a run computes for each row, and what one row has ended does not end the next.
func TestEval(t *testing.T) {
	n := Derive(countShape, func(r *Run) *Datum {
		b := r.Row[0]
		switch {
		case b == nil:
			return NullDatum
		case len(b) == 0:
			return r.Refuse("nothing")
		}
		return r.Slots[0].SetInt(int64(len(b)))
	})
	r := start(t, n, 0)
	for range 2 {
		for _, c := range []struct {
			row     []byte
			truth   Truth
			refused bool
		}{{[]byte("abc"), True, false}, {nil, Unknown, false}, {[]byte{}, Unknown, true}} {
			res, err := r.Eval(Row{c.row})
			if isRefusal(err) != c.refused || err == nil && res.Null() != (c.row == nil) {
				t.Errorf("%q: %v, %v", c.row, res, err)
			}
			if err == nil && !res.Null() {
				if s := res.Source(nil); s.Form != value.FormInt || s.Number != uint64(len(c.row)) {
					t.Errorf("%q: %+v", c.row, s)
				}
				if text, err := res.AppendText(nil); err != nil || string(text) != "3" {
					t.Errorf("%q: %q, %v", c.row, text, err)
				}
			}
			if truth, err := r.Truth(Row{c.row}); truth != c.truth || isRefusal(err) != c.refused {
				t.Errorf("%q: %v, %v", c.row, truth, err)
			}
		}
	}
}

// TestConditions are collected, up to a number, and drained.
func TestConditions(t *testing.T) {
	n := Derive(countShape, func(r *Run) *Datum { return r.DivisionByZero() })
	r := start(t, n, value.ErrorForDivisionByZero)
	for range conditionsMax + 10 {
		if _, err := r.Eval(nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(r.Conditions()); got != conditionsMax {
		t.Errorf("%d conditions", got)
	}
	if got := len(r.Drain()); got != conditionsMax || len(r.Conditions()) != 0 {
		t.Errorf("%d conditions drained, %d left", got, len(r.Conditions()))
	}
	quiet := start(t, n, 0)
	if _, err := quiet.Eval(nil); err != nil || len(quiet.Conditions()) != 0 {
		t.Errorf("%v, %v without the mode", quiet.Conditions(), err)
	}
}

// TestIntegersOutOfRange are the server's own errors.
func TestIntegersOutOfRange(t *testing.T) {
	for _, c := range []struct {
		v        number.Signed
		how      number.Outcome
		unsigned bool
		message  string
	}{
		{number.Signed{N: 5}, number.OK, false, ""},
		{number.Signed{N: 1 << 63}, number.OK, true, ""},
		{number.Signed{N: 1 << 63}, number.OK, false, "BIGINT value is out of range"},
		{number.Signed{Negative: true, N: 1 << 63}, number.OK, false, ""},
		{number.Signed{Negative: true, N: 1}, number.OK, true, "BIGINT UNSIGNED value is out of range"},
		{number.Signed{}, number.Overflow, false, "BIGINT value is out of range"},
	} {
		r := start(t, Derive(countShape, func(r *Run) *Datum { return r.PutInteger(0, c.v, c.how, c.unsigned) }), 0)
		_, err := r.Eval(nil)
		var own *sqlerr.Error
		if (err == nil) != (c.message == "") || err != nil && (!errors.As(err, &own) || own.Message != c.message) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestArena: what is written for a row is there until the next one, and costs nothing from then on.
func TestArena(t *testing.T) {
	text := class.Shape{Class: class.Bytes, Chars: 10}
	n := Derive(text, func(r *Run) *Datum {
		pieces := r.Pieces(2)
		pieces[0] = r.Write(0, func(dst []byte) []byte { return append(dst, "ab"...) })
		pieces[1] = r.Write(1, func(dst []byte) []byte { return append(dst, "cd"...) })
		if string(pieces[0].B) != "ab" {
			return r.Refuse("what is overwritten")
		}
		return r.Write(0, func(dst []byte) []byte { return append(append(dst, pieces[1].B...), pieces[0].B...) })
	})
	r := start(t, n, 0)
	room := make([]byte, 0, 10)
	if n := testing.AllocsPerRun(100, func() {
		res, err := r.Eval(nil)
		if err != nil {
			t.Fatal(err)
		}
		if room, err = res.Append(room[:0]); err != nil || string(room) != "cdab" {
			t.Fatalf("%q, %v", room, err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestBinds: a bind of another form is one that the expression was not compiled for.
func TestBinds(t *testing.T) {
	k := Constant{Slot: 0, Bind: 0, Literal: value.DecimalSource([]byte("1.25")), Shape: class.Shape{Class: class.Decimal, Digits: 3, Scale: 2}}
	for _, c := range []struct {
		s    value.Source
		fits bool
	}{
		{value.DecimalSource([]byte("9.99")), true},
		{value.DecimalSource([]byte("99.9")), false},
		{value.IntSource(1), false},
		{value.NullSource(), true},
	} {
		if k.sameShape(&c.s) != c.fits {
			t.Errorf("%s for 1.25: %v", c.s.Bytes, !c.fits)
		}
		x := &Expression{Root: Derive(k.Shape, func(r *Run) *Datum { return &r.Slots[0] }), Slots: 1, Consts: []Constant{k}, At: -1}
		_, err := x.Start(Inputs{Env: &value.Env{Flavor: value.MySQL}, Binds: []value.Source{c.s}})
		if errors.Is(err, ErrShape) == c.fits || c.fits && err != nil {
			t.Errorf("%s for 1.25: %v", c.s.Bytes, err)
		}
	}
}
