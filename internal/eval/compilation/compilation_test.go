package compilation

import (
	"testing"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

func begin() *Compilation {
	return New(nil, program.Session{Flavor: value.MySQL}, func(c *Compilation, e ast.Expr) (*program.Node, error) {
		if _, ok := e.(*ast.NullVal); ok {
			return nil, refusal.Of("NULL")
		}
		return counted(c, new(int)), nil
	})
}

// counted is a column-like node whose value is how often it was evaluated.
func counted(c *Compilation, times *int) *program.Node {
	slot := c.Slot()
	return &program.Node{Shape: class.CountShape, Ev: func(r *program.Run) *program.Datum {
		*times++
		return r.Slots[slot].SetInt(int64(*times))
	}}
}

// start runs an evaluator as an expression.
func start(t *testing.T, c *Compilation, ev program.Evaluator) *program.Run {
	t.Helper()
	x := &program.Expression{Root: &program.Node{Shape: class.CountShape, Ev: ev}, Session: c.Session, At: -1, Eager: c.Eagerly()}
	c.Write(x)
	r, err := x.Start(program.Inputs{Env: &value.Env{Flavor: value.MySQL, Version: 80408}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func eval(t *testing.T, r *program.Run) uint64 {
	t.Helper()
	v, err := r.Eval(nil)
	if err != nil {
		t.Fatal(err)
	}
	return v.D.N
}

// TestOnce: a constant is computed when a run starts, and not again.
func TestOnce(t *testing.T) {
	c, times := begin(), 0
	n := counted(c, &times)
	n.Constant = true
	r := start(t, c, c.Once(n, n.Ev))
	if times != 1 {
		t.Errorf("computed %d times before the first row", times)
	}
	for range 2 {
		if got := eval(t, r); got != 1 || times != 1 {
			t.Errorf("%d, computed %d times", got, times)
		}
	}
}

// TestPerRow: what is asked for twice for a row is computed once for each.
func TestPerRow(t *testing.T) {
	c, times := begin(), 0
	n := counted(c, &times)
	ev := c.PerRow(n, n.Ev)
	r := start(t, c, func(r *program.Run) *program.Datum {
		ev(r)
		return ev(r)
	})
	if eval(t, r) != 1 || eval(t, r) != 2 {
		t.Errorf("computed %d times", times)
	}
}

// TestConvert: NULL is not converted, and what is has a datum of its own.
func TestConvert(t *testing.T) {
	c := begin()
	null := true
	n := &program.Node{Ev: func(*program.Run) *program.Datum {
		if null {
			return program.NullDatum
		}
		return program.TrueDatum
	}}
	ev := c.Convert(n, func(_ *program.Run, in, out *program.Datum) *program.Datum { return out.SetInt(int64(in.N) + 6) })
	r := start(t, c, ev)
	if v, err := r.Eval(nil); err != nil || !v.Null() {
		t.Error("NULL is converted")
	}
	if null = false; eval(t, r) != 7 || program.TrueDatum.N != 1 {
		t.Error("1 is not 7")
	}
}

// TestAllow: what the list does not have is refused, unless somebody measures.
func TestAllow(t *testing.T) {
	c := begin()
	n := &program.Node{Shape: class.CountShape}
	if err := c.Allow("ABS", n); err != nil {
		t.Error(err)
	}
	if err := c.Allow("SLEEP", n); err == nil {
		t.Error("SLEEP is allowed")
	}
	n.Guessed = true
	if err := c.Allow("ABS", n); err == nil {
		t.Error("ABS of a decimal whose digits nobody knows is allowed")
	}
	n.Guessed = false
	asked := ""
	c.Observe = func(operation, operands string) { asked = operation + " " + operands }
	if err := c.Allow("SLEEP", n); err != nil || asked != "SLEEP int" {
		t.Errorf("%q: %v", asked, err)
	}
}

// TestSkipped: a run is refused where an operand that servers may skip would have warned.
func TestSkipped(t *testing.T) {
	c := begin()
	first := &program.Node{Shape: class.CountShape, Ev: func(*program.Run) *program.Datum { return program.NullDatum }}
	second := &program.Node{Shape: class.CountShape, Ev: (*program.Run).DivisionByZero}
	if err := c.Allow("+", first, second); err != nil {
		t.Fatal(err)
	}
	r := start(t, c, first.Ev)
	r.In.Env.Mode = value.ErrorForDivisionByZero
	if _, err := r.Eval(nil); err == nil {
		t.Error("nothing is refused")
	}
	if len(r.Conditions()) > 0 {
		t.Error("a condition is left")
	}
}

// TestRefused: the whole expression is refused by what could not return an error, and operands by theirs.
func TestRefused(t *testing.T) {
	c := begin()
	if err := c.Refused(); err != nil {
		t.Fatal(err)
	}
	c.RefuseNumber("SIGN")
	if want := refusal.Of("SIGN"); c.Refused() == nil || c.Refused().Error() != want.Error() {
		t.Error(c.Refused())
	}
	_, err := c.All([]ast.Expr{&ast.Literal{}, &ast.NullVal{}})
	if err == nil {
		t.Error(err)
	}
}

// TestDeny: an operand of NOT knows that it is one, and what comes after it is none.
func TestDeny(t *testing.T) {
	c := begin()
	seen := false
	c.every = func(c *Compilation, _ ast.Expr) (*program.Node, error) {
		seen = c.IsDenied()
		return &program.Node{}, nil
	}
	if _, err := c.Deny(&ast.NullVal{}); err != nil || !seen || c.IsDenied() {
		t.Error(seen, c.IsDenied(), err)
	}
}

// TestResume: what is compiled after an expression goes on in its numbering, and a part has one of its own.
func TestResume(t *testing.T) {
	c := begin()
	c.Slot()
	c.Slot()
	c.State()
	x := &program.Expression{}
	c.Write(x)
	part := c.Part()
	if part.Slot() != 0 {
		t.Error("a part goes on")
	}
	part.Resume(x)
	if part.Slot() != 2 || part.State() != 1 {
		t.Error("slots are used twice")
	}
	part.AtStart(func(*program.Run) *program.Datum { return program.NullDatum })
	part.Extend(x)
	if x.Slots != 3 || x.States != 2 || len(x.Eager) != 1 {
		t.Errorf("%d slots, %d states, %d at start", x.Slots, x.States, len(x.Eager))
	}
}

func TestFits(t *testing.T) {
	some, every := Takes(1, 2, nil), Takes(1, -1, nil)
	for n, want := range [][2]bool{{false, false}, {true, true}, {true, true}, {false, true}} {
		if some.Fits(n) != want[0] || every.Fits(n) != want[1] {
			t.Errorf("%d arguments: %v %v", n, some.Fits(n), every.Fits(n))
		}
	}
}
