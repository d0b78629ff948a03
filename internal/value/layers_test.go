package value

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/value/charset"
)

// assigned is the canonical form of a number or text in a column.
func assignedText(t *rapid.T, typ *Type, text string) []byte {
	c, ok := charset.Lookup(charset.MySQL, "utf8mb4_bin")
	if !ok {
		t.Fatal("no utf8mb4_bin")
	}
	s := StringSource([]byte(text), c)
	canonical, o := Assign(nil, typ, &s, &Env{Flavor: MySQL, Version: 90100})
	if o.Null || len(o.Conditions()) > 0 {
		t.Fatalf("%q into %v: %v", text, typ.Kind, o.Conditions())
	}
	return canonical
}

// sorted is a type with a way to draw its values: as text, and as numbers that
// compare as they do.
type sorted struct {
	name string
	typ  Type
	draw func(*rapid.T, string) (string, *big.Int)
}

func integers(low, high string) func(*rapid.T, string) (string, *big.Int) {
	from, _ := new(big.Int).SetString(low, 10)
	to, _ := new(big.Int).SetString(high, 10)
	return func(t *rapid.T, label string) (string, *big.Int) {
		n := new(big.Int)
		switch rapid.IntRange(0, 4).Draw(t, label+" sort") {
		case 0:
			n.Set(from)
		case 1:
			n.Set(to)
		case 2:
			n.SetInt64(rapid.Int64Range(-3, 3).Draw(t, label))
		default:
			b := rapid.SliceOfN(rapid.Byte(), 0, 30).Draw(t, label)
			n.SetBytes(b)
			n.Mod(n, new(big.Int).Add(new(big.Int).Sub(to, from), big.NewInt(1)))
			n.Add(n, from)
		}
		if n.Cmp(from) < 0 {
			n.Set(from)
		}
		return n.String(), n
	}
}

func decimals(digits, scale int) func(*rapid.T, string) (string, *big.Int) {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	limit.Sub(limit, big.NewInt(1))
	draw := integers(new(big.Int).Neg(limit).String(), limit.String())
	return func(t *rapid.T, label string) (string, *big.Int) {
		_, n := draw(t, label)
		text := new(big.Rat).SetFrac(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)).FloatString(scale)
		return text, n
	}
}

// moments draws a date and time; the number counts its microseconds, roughly.
func moments(format func(y, mo, d, h, mi, s, us int) string) func(*rapid.T, string) (string, *big.Int) {
	return func(t *rapid.T, label string) (string, *big.Int) {
		draw := func(low, high int) int { return rapid.IntRange(low, high).Draw(t, label) }
		y, mo, d, h, mi, s, us := draw(1970, 2037), draw(1, 12), draw(2, 28), draw(0, 23), draw(0, 59), draw(0, 59), draw(0, 999999)
		text := format(y, mo, d, h, mi, s, us)
		n := new(big.Int)
		n.SetString(fmt.Sprintf("%d%02d%02d%02d%02d%02d%06d", y, mo, d, h, mi, s, us), 10)
		return text, n
	}
}

func clocks(fraction bool) func(*rapid.T, string) (string, *big.Int) {
	return func(t *rapid.T, label string) (string, *big.Int) {
		us := int64(0)
		if fraction {
			us = rapid.Int64Range(0, 999999).Draw(t, label)
		}
		h, m, s := rapid.IntRange(0, 837).Draw(t, label), rapid.IntRange(0, 59).Draw(t, label), rapid.IntRange(0, 59).Draw(t, label)
		text, n := fmt.Sprintf("%d:%02d:%02d.%06d", h, m, s, us), (int64(h)*3600+int64(m)*60+int64(s))*1e6+us
		if rapid.Bool().Draw(t, label+" negative") {
			text, n = "-"+text, -n
		}
		return text, big.NewInt(n)
	}
}

func sortedTypes() []sorted {
	second := func(y, mo, d, h, mi, s, _ int) string {
		return fmt.Sprintf("%d-%02d-%02d %02d:%02d:%02d", y, mo, d, h, mi, s)
	}
	micro := func(y, mo, d, h, mi, s, us int) string {
		return fmt.Sprintf("%d-%02d-%02d %02d:%02d:%02d.%06d", y, mo, d, h, mi, s, us)
	}
	truncated := func(digits int64, draw func(*rapid.T, string) (string, *big.Int)) func(*rapid.T, string) (string, *big.Int) {
		return func(t *rapid.T, label string) (string, *big.Int) {
			text, n := draw(t, label)
			return text, n.Div(n, big.NewInt(digits))
		}
	}
	return []sorted{
		{"tinyint", Type{Kind: TinyInt}, integers("-128", "127")},
		{"smallint unsigned", Type{Kind: SmallInt, Unsigned: true}, integers("0", "65535")},
		{"mediumint", Type{Kind: MediumInt}, integers("-8388608", "8388607")},
		{"int", Type{Kind: Int}, integers("-2147483648", "2147483647")},
		{"bigint", Type{Kind: BigInt}, integers("-9223372036854775808", "9223372036854775807")},
		{"bigint unsigned", Type{Kind: BigInt, Unsigned: true}, integers("0", "18446744073709551615")},
		{"year", Type{Kind: Year, Length: 4}, integers("1901", "2155")},
		{"decimal(10,2)", Type{Kind: Decimal, Length: 10, Decimals: 2}, decimals(10, 2)},
		{"decimal(18,4)", Type{Kind: Decimal, Length: 18, Decimals: 4}, decimals(18, 4)},
		{"decimal(19,0)", Type{Kind: Decimal, Length: 19}, decimals(19, 0)},
		{"decimal(38,10)", Type{Kind: Decimal, Length: 38, Decimals: 10}, decimals(38, 10)},
		{"decimal(65,30)", Type{Kind: Decimal, Length: 65, Decimals: 30}, decimals(65, 30)},
		{"datetime", Type{Kind: DateTime}, truncated(1e6, moments(second))},
		{"datetime(6)", Type{Kind: DateTime, Decimals: 6}, moments(micro)},
		{"timestamp", Type{Kind: Timestamp}, truncated(1e6, moments(second))},
		{"date", Type{Kind: Date}, truncated(1e12, moments(func(y, mo, d, _, _, _, _ int) string { return fmt.Sprintf("%d-%02d-%02d", y, mo, d) }))},
		{"time", Type{Kind: Time}, clocks(false)},
		{"time(6)", Type{Kind: Time, Decimals: 6}, clocks(true)},
	}
}

// TestOrderIsTheValues: AppendOrder compares as the values do, has the size that
// OrderBits says, and AppendEquality is the same for the same values only.
func TestOrderIsTheValues(t *testing.T) {
	for _, s := range sortedTypes() {
		t.Run(s.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				textA, a := s.draw(t, "a")
				textB, b := s.draw(t, "b")
				canonicalA, canonicalB := assignedText(t, &s.typ, textA), assignedText(t, &s.typ, textB)
				orderA := AppendOrder(nil, &s.typ, canonicalA)
				orderB := AppendOrder(nil, &s.typ, canonicalB)
				bits := OrderBits(&s.typ)
				if len(orderA) != (bits+7)/8 || len(orderB) != len(orderA) || int(orderA[0])>>(8-(8*len(orderA)-bits)) != 0 {
					t.Fatalf("%s: % x, % x, %d bits", textA, orderA, orderB, bits)
				}
				if got, want := bytes.Compare(orderA, orderB), a.Cmp(b); got != want {
					t.Errorf("%s and %s compare as %d: % x, % x", textA, textB, got, orderA, orderB)
				}
				equalA := AppendEquality(nil, &s.typ, canonicalA)
				equalB := AppendEquality(nil, &s.typ, canonicalB)
				if bytes.Equal(equalA, equalB) != (a.Cmp(b) == 0) {
					t.Errorf("%s and %s: equality % x, % x", textA, textB, equalA, equalB)
				}
			})
		})
	}
}

// TestOrderOfFloats: every bit pattern that a column can hold.
func TestOrderOfFloats(t *testing.T) {
	type pattern struct {
		typ  Type
		bits func(*rapid.T, string) (float64, uint64)
	}
	for _, p := range []pattern{
		{Type{Kind: Double}, func(t *rapid.T, l string) (float64, uint64) {
			f := rapid.Float64().Draw(t, l)
			return f, math.Float64bits(f)
		}},
		{Type{Kind: Float}, func(t *rapid.T, l string) (float64, uint64) {
			f := rapid.Float32().Draw(t, l)
			return float64(f), uint64(math.Float32bits(f))
		}},
	} {
		t.Run(p.typ.Kind.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a, bitsA := p.bits(t, "a")
				b, bitsB := p.bits(t, "b")
				canonicalA, canonicalB := binary.BigEndian.AppendUint64(nil, bitsA), binary.BigEndian.AppendUint64(nil, bitsB)
				orderA := AppendOrder(nil, &p.typ, canonicalA)
				orderB := AppendOrder(nil, &p.typ, canonicalB)
				if got := bytes.Compare(orderA, orderB); got != cmp.Compare(a, b) {
					t.Errorf("%v and %v compare as %d", a, b, got)
				}
				equalA := AppendEquality(nil, &p.typ, canonicalA)
				equalB := AppendEquality(nil, &p.typ, canonicalB)
				if bytes.Equal(equalA, equalB) != (a == b) {
					t.Errorf("%v and %v: equality", a, b)
				}
			})
		})
	}
	negative := AppendEquality(nil, &Type{Kind: Double}, binary.BigEndian.AppendUint64(nil, 1<<63))
	if !bytes.Equal(negative, AppendEquality(nil, &Type{Kind: Double}, make([]byte, 8))) {
		t.Error("-0 is not 0")
	}
}

// TestOrderOfText: bytes and characters, by their first weights.
func TestOrderOfText(t *testing.T) {
	c, _ := charset.Lookup(charset.MySQL, "utf8mb4_0900_ai_ci")
	text := Type{Kind: VarChar, Length: 100, Collation: c}
	raw := Type{Kind: VarBinary, Length: 100}
	rapid.Check(t, func(t *rapid.T) {
		a, b := []byte(rapid.String().Draw(t, "a")), []byte(rapid.String().Draw(t, "b"))
		for _, typ := range []*Type{&text, &raw} {
			compare := bytes.Compare(a, b)
			if typ == &text {
				compare = c.Compare(a, b)
			}
			orderA := AppendOrder(nil, typ, a)
			orderB := AppendOrder(nil, typ, b)
			if got := bytes.Compare(orderA, orderB); got != 0 && got != compare {
				t.Errorf("%q and %q compare as %d", a, b, got)
			}
			equalA := AppendEquality(nil, typ, a)
			equalB := AppendEquality(nil, typ, b)
			if bytes.Equal(equalA, equalB) != (compare == 0) {
				t.Errorf("%q and %q: equality", a, b)
			}
		}
	})
}

// TestNoLayers: types and collations whose values nobody can compare for the
// server.
func TestNoLayers(t *testing.T) {
	german, _ := charset.Lookup(charset.MySQL, "latin1_german2_ci")
	for _, typ := range []Type{{Kind: JSON}, {Kind: Point}, {Kind: Vector}, {Kind: VarChar, Length: 5, Collation: german}} {
		if Ordered(&typ) {
			t.Errorf("%v has layers", typ.Kind)
		}
	}
}

// TestLayersAllocateNothing: they are on the path of every value.
func TestLayersAllocateNothing(t *testing.T) {
	c, _ := charset.Lookup(charset.MySQL, "utf8mb4_0900_ai_ci")
	dst := make([]byte, 0, 256)
	for _, v := range []struct {
		typ       Type
		canonical []byte
	}{
		{Type{Kind: Int}, make([]byte, 8)},
		{Type{Kind: Decimal, Length: 30}, make([]byte, 16)},
		{Type{Kind: VarChar, Length: 40, Collation: c}, []byte("Alice Liddell")},
		{Type{Kind: VarBinary, Length: 40}, []byte("Alice Liddell")},
	} {
		n := testing.AllocsPerRun(100, func() {
			_ = AppendEquality(dst, &v.typ, v.canonical)
			_ = AppendOrder(dst, &v.typ, v.canonical)
		})
		if n != 0 {
			t.Errorf("%v: %v allocations", v.typ.Kind, n)
		}
	}
}
