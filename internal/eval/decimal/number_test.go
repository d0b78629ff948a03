package decimal

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// texts are numbers as literals have them, of up to 20 digits on both sides of the point.
var texts = rapid.StringMatching(`-?[0-9]{1,20}(\.[0-9]{1,20})?`)

func read(t interface{ Fatalf(string, ...any) }, text string) (d Number) {
	if !d.SetText([]byte(text)) {
		t.Fatalf("%q is no number", text)
	}
	return d
}

func write(d *Number) string { return string(d.AppendText(nil)) }

// TestDivision: a quotient and what is left of it make the number again.
func TestDivision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := read(t, texts.Draw(t, "a")), read(t, texts.Draw(t, "b"))
		if b.IsZero() {
			return
		}
		var q, p, rest, sum Number
		if !q.Quotient(&a, &b, 0) || !rest.Remainder(&a, &b) || !p.Mul(&q, &b) || !sum.Add(&p, &rest) {
			t.Fatalf("%s / %s has no room", write(&a), write(&b))
		}
		if c, ok := sum.Compare(&a); c != 0 || !ok {
			t.Errorf("%s / %s = %s, rest %s", write(&a), write(&b), write(&q), write(&rest))
		}
	})
}

// TestCanonical: a number is the same after it was a column's.
func TestCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := read(t, texts.Draw(t, "a"))
		var b Number
		if b.SetCanonical(a.AppendCanonical(nil, Bytes), a.Decimals()); b != a {
			t.Errorf("%s has become %s", write(&a), write(&b))
		}
	})
}

func TestRounding(t *testing.T) {
	for _, c := range []struct {
		text             string
		digits           int
		round, cut, down string
	}{
		{"2.345", 2, "2.35", "2.34", "2"},
		{"-2.345", 2, "-2.35", "-2.34", "-3"},
		{"2.344", 2, "2.34", "2.34", "2"},
		{"1.5", 3, "1.500", "1.500", "1"},
		{"155", -1, "160", "150", "155"},
		{"-0.4", 0, "0", "0", "-1"},
		{"99.99", 1, "100.0", "99.9", "99"},
	} {
		round, cut, down := read(t, c.text), read(t, c.text), read(t, c.text)
		round.RoundAt(c.digits, max(c.digits, 0), false)
		cut.RoundAt(c.digits, max(c.digits, 0), true)
		down.Whole(false)
		if write(&round) != c.round || write(&cut) != c.cut || write(&down) != c.down {
			t.Errorf("%s: %s, cut %s, down %s; want %s, %s, %s", c.text, write(&round), write(&cut), write(&down), c.round, c.cut, c.down)
		}
	}
}

func TestIntegers(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"9223372036854775807", 1<<63 - 1, true},
		{"9223372036854775807.4", 1<<63 - 1, true},
		{"9223372036854775807.5", 0, false},
		{"-9223372036854775808", -1 << 63, true},
		{"-9223372036854775808.5", 0, false},
		{"-0.5", -1, true},
		{"18446744073709551616", 0, false},
	} {
		d := read(t, c.text)
		if got, ok := d.Int64(); got != c.want || ok != c.ok {
			t.Errorf("%s: %d, %v", c.text, got, ok)
		}
	}
}

func TestTextsThatAreNone(t *testing.T) {
	for _, text := range []string{"", "-", ".", "1e3", " 1", "1 ", "1.2.3", "--1", "0x1", strings.Repeat("9", 100), "0." + strings.Repeat("1", 82)} {
		var d Number
		if d.SetText([]byte(text)) {
			t.Errorf("%q is read as %s", text, write(&d))
		}
	}
}

// TestRoom: the servers have 65 digits before the point, and 81 in groups of nine.
func TestRoom(t *testing.T) {
	for text, want := range map[string]bool{
		strings.Repeat("9", 65):                                 true,
		strings.Repeat("9", 66):                                 false,
		strings.Repeat("9", 63) + "." + strings.Repeat("9", 18): true,
		strings.Repeat("9", 64) + "." + strings.Repeat("9", 18): false,
		strings.Repeat("9", 45) + "." + strings.Repeat("1", 30): true,
	} {
		if d := read(t, text); d.IsExact() != want {
			t.Errorf("%s: %v", text, d.IsExact())
		}
	}
}

// TestAllocatesNothing: sums are made for every row.
func TestAllocatesNothing(t *testing.T) {
	a, b := read(t, "12345678901234567890.5"), read(t, "-3.25")
	var d Number
	if n := testing.AllocsPerRun(100, func() {
		d.Add(&a, &b)
		d.Mul(&a, &b)
		d.Quotient(&a, &b, 9)
		d.Round(2)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestDecimalsAreExact compares decimals with big rationals.
func TestDecimalsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawDecimal(t, "a"), drawDecimal(t, "b")
		var sum, product, quotient Number
		if sum.Add(&a, &b) && sum.rat().Cmp(new(big.Rat).Add(a.rat(), b.rat())) != 0 {
			t.Fatalf("%v + %v = %v", a.rat(), b.rat(), sum.rat())
		}
		if product.Mul(&a, &b) && product.rat().Cmp(new(big.Rat).Mul(a.rat(), b.rat())) != 0 {
			t.Fatalf("%v * %v = %v", a.rat(), b.rat(), product.rat())
		}
		if c, ok := a.Compare(&b); ok && c != a.rat().Cmp(b.rat()) {
			t.Fatalf("%v compared with %v: %d", a.rat(), b.rat(), c)
		}
		if b.IsZero() || !quotient.Quotient(&a, &b, 9) {
			return
		}
		wrong := new(big.Rat).Sub(quotient.rat(), new(big.Rat).Quo(a.rat(), b.rat()))
		if wrong.Abs(wrong).Cmp(big.NewRat(1, 1e9)) >= 0 {
			t.Fatalf("%v / %v = %v", a.rat(), b.rat(), quotient.rat())
		}
	})
}

func drawDecimal(t *rapid.T, label string) (d Number) {
	text := rapid.StringMatching(`-?[0-9]{1,30}(\.[0-9]{1,15})?`).Draw(t, label)
	if !d.SetText([]byte(text)) {
		t.Fatalf("%q is a decimal", text)
	}
	var again Number
	if !again.SetText(d.AppendText(nil)) || again != d {
		t.Fatalf("%q does not come back", text)
	}
	return d
}
