package local

import (
	"testing"

	"tunic/internal/value"
)

// TestHolds: which numbers a type surely has room for.
func TestHolds(t *testing.T) {
	tiny, big := &value.Type{Kind: value.TinyInt}, &value.Type{Kind: value.BigInt}
	unsigned := &value.Type{Kind: value.Int, Unsigned: true}
	price, whole := &value.Type{Kind: value.Decimal, Length: 8, Decimals: 2}, &value.Type{Kind: value.Decimal, Length: 6}
	number := func(typ *value.Type, text string) []byte {
		src := value.StringSource([]byte(text), nil)
		v, o := value.Assign(nil, typ, &src, &value.Env{})
		if v == nil || len(o.Conditions()) > 0 {
			t.Fatalf("%s is no value", text)
		}
		return v
	}
	for _, c := range []struct {
		to, from *value.Type
		text     string
		want     bool
	}{
		{tiny, big, "99", true},
		{tiny, big, "100", false},
		{tiny, big, "-5", true},
		{unsigned, big, "-5", false},
		{whole, price, "1.50", false},
		{whole, price, "1.00", true},
		{price, big, "999999", true},
		{price, big, "1000000", false},
		{big, price, "999999.00", true},
	} {
		if got := holds(c.to, c.from, number(c.from, c.text)); got != c.want {
			t.Errorf("%v holds %s: %t", c.to.Kind, c.text, got)
		}
	}
}
