package class

import (
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// TestComparedAs: the manual's rules, whichever side is first.
func TestComparedAs(t *testing.T) {
	for _, c := range []struct {
		a, b      Class
		constantB bool
		want      Class
	}{
		{Int, Uint, false, Int},
		{Int, Decimal, false, Decimal},
		{Int, Double, false, Double},
		{Int, Text, true, Double},
		{Text, Text, false, Text},
		{Text, Bytes, false, Bytes},
		{Date, Text, true, DateTime},
		{Date, Text, false, Double},
		{Date, Timestamp, false, DateTime},
		{Time, Text, true, Time},
		{Time, Date, false, Other},
		{Enum, Text, false, Text},
		{Enum, Int, false, Double},
		{Null, Date, false, Null},
		{Other, Int, false, Other},
	} {
		a, b := Shape{Class: c.a}, Shape{Class: c.b}
		if got := ComparedAs(&a, &b, false, c.constantB); got != c.want {
			t.Errorf("%v and %v are compared as %v", c.a, c.b, got)
		}
		if got := ComparedAs(&b, &a, c.constantB, false); got != c.want {
			t.Errorf("%v and %v are compared as %v", c.b, c.a, got)
		}
	}
}

// TestMerge: what is common to two is so whichever is first, and to one and itself is that one.
func TestMerge(t *testing.T) {
	shapes := rapid.Custom(func(t *rapid.T) Shape {
		s := Shape{Class: Class(rapid.IntRange(int(Null)+1, int(Timestamp)).Draw(t, "class")), Chars: rapid.IntRange(1, 20).Draw(t, "chars")}
		switch {
		case s.Class.IsInteger():
			s.Digits = rapid.IntRange(1, 20).Draw(t, "digits")
		case s.Class == Decimal:
			s.Scale = rapid.IntRange(0, 30).Draw(t, "scale")
			s.Digits = s.Scale + rapid.IntRange(1, 35).Draw(t, "digits")
		case s.Class.IsReal():
			s.Scale = rapid.SampledFrom([]int{2, 5, ScaleFree}).Draw(t, "scale")
		case s.Class == Time, s.Class == DateTime, s.Class == Timestamp:
			s.Scale = rapid.IntRange(0, 6).Draw(t, "scale")
		}
		return s
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b, mariadb := shapes.Draw(t, "a"), shapes.Draw(t, "b"), rapid.Bool().Draw(t, "mariadb")
		start := Shape{Class: Null}
		merge := func(all ...Shape) (s Shape, ok bool) {
			s = start
			for i := range all {
				if s, ok = s.Merge(&all[i], all[i].Chars, mariadb); !ok {
					return s, false
				}
			}
			return s, true
		}
		ab, okAB := merge(a, b)
		ba, okBA := merge(b, a)
		if okAB != okBA || okAB && (ab.Class != ba.Class || ab.Chars != ba.Chars || ab.Scale != ba.Scale && ab.Class == Decimal) {
			t.Errorf("%+v and %+v: %+v %v, the other way %+v %v", a, b, ab, okAB, ba, okBA)
		}
		aa, okAA := merge(a, a)
		if one, ok := merge(a); ok != okAA || ok && (aa.Class != one.Class || aa.Digits != one.Digits || aa.Scale != one.Scale) {
			if a.Class != Year && a.Class != Bit {
				t.Errorf("%+v and itself: %+v, %v", a, aa, okAA)
			}
		}
	})
}

// TestDecimalShapes are those of the manual, "DECIMAL Data Type Characteristics" and "Arithmetic Operators".
func TestDecimalShapes(t *testing.T) {
	a, b := Shape{Class: Decimal, Digits: 10, Scale: 2}, Shape{Class: Decimal, Digits: 8, Scale: 5}
	rules := Rules{DivPrecision: 4}
	for name, want := range map[string][2]int{"+": {14, 5}, "*": {18, 7}, "/": {19, 6}, "MOD": {13, 5}} {
		if s := rules.DecimalShape(name, &a, &b); s.Digits != want[0] || s.Scale != want[1] || s.Class != Decimal {
			t.Errorf("%s: %d, %d", name, s.Digits, s.Scale)
		}
	}
	long := Shape{Class: Decimal, Digits: 65, Scale: 30}
	for mariadb, want := range map[bool]int{false: 30, true: 38} {
		if s := (Rules{MariaDB: mariadb}).DecimalShape("*", &long, &long); s.Digits != 65 || s.Scale != want {
			t.Errorf("%d, %d", s.Digits, s.Scale)
		}
	}
	if s := rules.SumShape(&a, false); s.Digits != 32 || s.Scale != 2 {
		t.Errorf("SUM: %d, %d", s.Digits, s.Scale)
	}
	if s := rules.SumShape(&a, true); s.Digits != 14 || s.Scale != 6 {
		t.Errorf("AVG: %d, %d", s.Digits, s.Scale)
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		s       Shape
		mariadb bool
		want    Class
	}{
		{Shape{Class: Enum}, true, Int},
		{Shape{Class: Enum}, false, Double},
		{Shape{Class: Year}, false, Uint},
		{Shape{Class: Text}, false, Double},
		{Shape{Class: Time}, false, Int},
		{Shape{Class: Time, Scale: 3}, false, Decimal},
		{Shape{Class: Null}, true, Null},
	} {
		if got := c.s.Number(c.mariadb); got != c.want {
			t.Errorf("%v computes as %v", c.s.Class, got)
		}
	}
}

// TestColumns: a column's shape has a result of its kind.
func TestColumns(t *testing.T) {
	collation, _ := charset.Lookup(value.MySQL, "utf8mb4_bin")
	for _, column := range []value.Type{
		{Kind: value.BigInt, Length: 20},
		{Kind: value.BigInt, Unsigned: true},
		{Kind: value.Decimal, Length: 10, Decimals: 2},
		{Kind: value.Double},
		{Kind: value.VarChar, Length: 7, Collation: collation},
		{Kind: value.VarBinary, Length: 7},
		{Kind: value.Date},
		{Kind: value.Time, Decimals: 3},
		{Kind: value.DateTime, Decimals: 6},
		{Kind: value.Year},
		{Kind: value.JSON},
	} {
		s := OfColumn(&column)
		got, ok := s.Result(false)
		if !ok || got.Kind != column.Kind || got.Unsigned != column.Unsigned || got.Collation != column.Collation || s.Class != JSON && got.Decimals != column.Decimals {
			t.Errorf("%+v is %+v as a result, %v", column, got, ok)
		}
	}
	point := OfColumn(&value.Type{Kind: value.Point})
	if _, ok := point.Result(false); ok {
		t.Error("a point is a result")
	}
}

func TestCollations(t *testing.T) {
	of := func(name string) *charset.Collation {
		c, ok := charset.Lookup(value.MySQL, name)
		if !ok {
			t.Fatal(name)
		}
		return c
	}
	for _, c := range []struct {
		as   Coercibility
		a, b string
		want string
	}{
		{CoercibleColumn, "utf8mb4_bin", "utf8mb4_general_ci", "utf8mb4_bin"},
		{CoercibleColumn, "utf8mb4_unicode_ci", "utf8mb4_general_ci", ""},
		{CoercibleColumn, "utf8mb3_general_ci", "utf8mb4_general_ci", "utf8mb4_general_ci"},
		{CoercibleLiteral, "utf8mb3_general_ci", "utf8mb4_general_ci", ""},
		{CoercibleExplicit, "utf8mb4_bin", "utf8mb4_general_ci", ""},
		{CoercibleColumn, "latin1_bin", "utf8mb4_general_ci", ""},
	} {
		for _, got := range []*charset.Collation{CollationOfTwo(c.as, of(c.a), of(c.b)), CollationOfTwo(c.as, of(c.b), of(c.a))} {
			if got == nil && c.want != "" || got != nil && got.Name != c.want {
				t.Errorf("%s and %s: %v, want %q", c.a, c.b, got, c.want)
			}
		}
	}
}
