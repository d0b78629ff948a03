package comparison

import (
	"cmp"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/program"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// constant evaluates to one datum, nil for NULL.
func constant(d *program.Datum) program.Evaluator {
	if d == nil {
		d = program.NullDatum
	}
	return func(*program.Run) *program.Datum { return d }
}

func truthOf(d *program.Datum) string {
	switch {
	case d.Null:
		return "NULL"
	case d.N != 0:
		return "true"
	}
	return "false"
}

// TestTruths are those of three-valued logic.
func TestTruths(t *testing.T) {
	truths := []*program.Datum{program.FalseDatum, program.TrueDatum, nil}
	r := &program.Run{}
	for name, c := range map[string]struct {
		of   func(a, b program.Evaluator) program.Evaluator
		want string
	}{
		"AND": {And, "false false false false true NULL false NULL NULL "},
		"OR":  {Or, "false true NULL true true true NULL true NULL "},
		"XOR": {Xor, "false true NULL true false NULL NULL NULL NULL "},
	} {
		got := ""
		for _, a := range truths {
			for _, b := range truths {
				got += truthOf(c.of(constant(a), constant(b))(r)) + " "
			}
		}
		if got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if truthOf(IsNull(constant(nil), true)(r)) != "true" || truthOf(IsNull(constant(program.TrueDatum), true)(r)) != "false" {
		t.Error("IS NULL")
	}
	if truthOf(NegatedIf(true, constant(nil))(r)) != "NULL" || truthOf(NegatedIf(true, constant(program.TrueDatum))(r)) != "false" {
		t.Error("NOT")
	}
}

// TestIntegers of both sign rules are in the order of the numbers they are.
func TestIntegers(t *testing.T) {
	words := rapid.OneOf(rapid.SampledFrom([]uint64{0, 1, math.MaxInt64, 1 << 63, math.MaxUint64}), rapid.Uint64())
	rapid.Check(t, func(t *rapid.T) {
		x, y := words.Draw(t, "x"), words.Draw(t, "y")
		for _, unsignedX := range []bool{false, true} {
			for _, unsignedY := range []bool{false, true} {
				a, b := number(x, unsignedX), number(y, unsignedY)
				want, _ := a.Compare(&b)
				if got := Integers(unsignedX, unsignedY)(nil, &program.Datum{N: x}, &program.Datum{N: y}); got != want {
					t.Errorf("%d and %d, without signs %v and %v: %d", x, y, unsignedX, unsignedY, got)
				}
			}
		}
	})
}

func number(n uint64, unsigned bool) decimal.Number {
	if unsigned {
		return decimal.OfUint(n)
	}
	return decimal.OfInt(int64(n))
}

// TestNullSafe: <=> is never NULL.
func TestNullSafe(t *testing.T) {
	one, two := &program.Datum{N: 1}, &program.Datum{N: 2}
	r := &program.Run{}
	for _, c := range []struct {
		a, b            *program.Datum
		equal, nullSafe string
	}{{one, one, "true", "true"}, {one, two, "false", "false"}, {one, nil, "NULL", "false"}, {nil, nil, "NULL", "true"}} {
		k := Comparison{A: constant(c.a), B: constant(c.b), Compare: Integers(false, false), By: class.Int}
		if got := truthOf(k.Evaluator(func(d int) bool { return d == 0 })(r)); got != c.equal {
			t.Errorf("%v = %v: %s", c.a, c.b, got)
		}
		if got := truthOf(k.NullSafe()(r)); got != c.nullSafe {
			t.Errorf("%v <=> %v: %s", c.a, c.b, got)
		}
		turned := k.Turned()
		if got := truthOf(turned.NullSafe()(r)); got != c.nullSafe {
			t.Errorf("%v <=> %v, turned: %s", c.b, c.a, got)
		}
	}
}

// TestItems: items are found whether they are few or many, alike or not, and NULL among them makes unknown what is not.
func TestItems(t *testing.T) {
	collation, _ := charset.Lookup(value.MySQL, "utf8mb4_0900_ai_ci")
	r := &program.Run{}
	for _, count := range []int{1, 3, hashFrom, 3 * hashFrom} {
		for _, withNull := range []bool{false, true} {
			for name, kind := range map[string]struct {
				of func(i int, left program.Evaluator) Comparison
				d  func(i int) *program.Datum
			}{
				"integers": {func(i int, left program.Evaluator) Comparison {
					return Comparison{A: left, B: constant(&program.Datum{N: uint64(i)}), Compare: Integers(false, false), By: class.Int, Alike: true}
				}, func(i int) *program.Datum { return &program.Datum{N: uint64(i)} }},
				"mixed": {func(i int, left program.Evaluator) Comparison {
					return Comparison{A: left, B: constant(&program.Datum{N: uint64(i)}), Compare: Integers(false, i%2 == 0), By: class.Int}
				}, func(i int) *program.Datum { return &program.Datum{N: uint64(i)} }},
				"text": {func(i int, left program.Evaluator) Comparison {
					return Comparison{A: left, B: constant(&program.Datum{B: fmt.Appendf(nil, "a%d", i)}), By: class.Text, Alike: true, Collation: collation}
				}, func(i int) *program.Datum { return &program.Datum{B: fmt.Appendf(nil, "A%d", i)} }},
			} {
				left := program.NullDatum
				members := make([]Member, 0, count+1)
				for i := range count {
					members = append(members, Member{Comparison: kind.of(i, func(*program.Run) *program.Datum { return left }), List: -1})
				}
				if withNull {
					members = append(members, Member{Comparison: Comparison{A: members[0].A, B: constant(nil), By: class.Null}, List: -1})
				}
				set := ReadItems(r, members)
				for i := range count + 2 {
					left = kind.d(i)
					want := "true"
					if i >= count {
						want = map[bool]string{false: "false", true: "NULL"}[withNull]
					}
					if got := truthOf(set.Find(r)); got != want {
						t.Errorf("%d among %d %s, with NULL %v: %s", i, count, name, withNull, got)
					}
				}
			}
		}
	}
}

// TestOfShape: each class has its own order, and text has none that is not known.
func TestOfShape(t *testing.T) {
	exact, _ := charset.Lookup(value.MySQL, "utf8mb4_0900_ai_ci")
	inexact, _ := charset.Lookup(value.MySQL, "latin1_german2_ci")
	for _, c := range []struct {
		s    class.Shape
		a, b program.Datum
		want int
	}{
		{class.Shape{Class: class.Int}, program.Datum{N: math.MaxUint64}, program.Datum{N: 1}, -1},
		{class.Shape{Class: class.Uint}, program.Datum{N: math.MaxUint64}, program.Datum{N: 1}, 1},
		{class.Shape{Class: class.Double}, program.Datum{N: math.Float64bits(-1)}, program.Datum{N: math.Float64bits(1)}, -1},
		{class.Shape{Class: class.Decimal}, program.Datum{D: decimal.OfInt(2)}, program.Datum{D: decimal.OfInt(1)}, 1},
		{class.Shape{Class: class.Bytes}, program.Datum{B: []byte("B")}, program.Datum{B: []byte("a")}, -1},
		{class.Shape{Class: class.Text, Collation: exact}, program.Datum{B: []byte("B")}, program.Datum{B: []byte("a")}, 1},
	} {
		compare, ok := OfShape(c.s)
		if !ok || cmp.Compare(compare(nil, &c.a, &c.b), 0) != c.want || cmp.Compare(compare(nil, &c.b, &c.a), 0) != -c.want {
			t.Errorf("%v: %v", c.s.Class, ok)
		}
	}
	if ok, _ := inexact.Exact(); ok {
		t.Fatal("latin1_german2_ci is exact")
	}
	if _, ok := OfShape(class.Shape{Class: class.Text, Collation: inexact}); ok {
		t.Error("text is compared in a collation that is not exact")
	}
}
