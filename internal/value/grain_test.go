package value

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/policy"
	"tunic/internal/value/charset"
)

// grained are types, each with the grains that suit it.
var grained = map[string][]string{
	"tinyint(4)": {"2", "10", "200", "9223372036854775807"}, "mediumint(8) unsigned": {"7"}, "bigint(20)": {"2", "1000000007"}, "bigint(20) unsigned": {"3"}, "year(4)": {"10"},
	"decimal(10,2)": {"2", "1000"}, "decimal(40,3)": {"5"}, "decimal(65,30)": {"10"}, "float": {"2"}, "double": {"1000"},
	"date": {"day", "month", "year"}, "datetime(3)": {"second", "minute", "hour", "day", "month", "year"}, "timestamp(5)": {"second", "minute", "hour", "day", "month", "year"},
	"time(2)": {"second", "minute", "hour"}, "varchar(40)": {"prefix 1", "prefix 4", "prefix 16"}, "varbinary(40)": {"prefix 3"},
}

// columnGrain reads a type and a grain.
func columnGrain(t *testing.T, column, grain string, c *charset.Collation) (*Type, policy.Grain) {
	t.Helper()
	typ, err := Parse(column, c)
	if err != nil {
		t.Fatal(err)
	}
	g, err := policy.ParseGrain(grain)
	if err != nil {
		t.Fatal(err)
	}
	return typ, g
}

// TestRoundedLaws: an encoding of rounded values never sorts otherwise than the values do, is
// the same for those that are equal, and has the width that OrderBits says.
func TestRoundedLaws(t *testing.T) {
	env := &Env{Flavor: MariaDB, Version: 101100}
	c, _ := charset.Lookup(MariaDB, "utf8mb4_general_ci")
	for name, grains := range grained {
		for _, text := range grains {
			column, g := columnGrain(t, name, text, c)
			if !SuitsGrain(column, g) {
				t.Fatalf("%s does not suit %s", text, name)
			}
			t.Run(name+"/"+text, rapid.MakeCheck(func(t *rapid.T) {
				var values [2][]byte
				for i := range values {
					source := drawSource(t, column, c)
					var outcome Outcome
					if values[i], outcome = Assign(nil, column, &source, env); outcome.Failed() || outcome.Null {
						t.Skip("not of the type")
					}
				}
				a, b := AppendRounded(nil, column, g, values[0]), AppendRounded(nil, column, g, values[1])
				bits := OrderBits(column)
				if len(a) != (bits+7)/8 || bits%8 != 0 && a[0]>>(bits%8) != 0 {
					t.Fatalf("%x has not %d bits", a, bits)
				}
				compared, encoded := Compare(column, values[0], values[1]), bytes.Compare(a, b)
				if encoded != 0 && encoded != compared {
					t.Fatalf("%x and %x: %d, rounded %d", values[0], values[1], compared, encoded)
				}
			}))
		}
	}
}

// TestRounded pins which values a grain tells apart.
func TestRounded(t *testing.T) {
	env := &Env{Flavor: MariaDB, Version: 101100}
	c, _ := charset.Lookup(MariaDB, "utf8mb4_general_ci")
	for _, k := range []struct{ column, grain, apart string }{
		{"int", "10", "-11 -10..-1 0..9 10"},
		{"tinyint", "100", "-128..-101 -100..-1 0..99 100..127"},
		{"int unsigned", "1000", "0..999 1000..1999 4294967295"},
		{"decimal(6,2)", "10", "-10.01 -10.00..-0.01 0.00..9.99 10.00"},
		{"double", "2", "-2.5 -1.5..-0.001 0..1.999 2"},
		{"year", "10", "1999 2000..2009 2010"},
		{"date", "month", "2023-12-31 2024-01-01..2024-01-31 2024-02-01"},
		{"date", "year", "2023-12-31 2024-01-01..2024-12-31 2025-01-01"},
		{"datetime", "hour", "2024-05-06T07:59:59 2024-05-06T08:00:00..2024-05-06T08:59:59 2024-05-06T09:00:00"},
		{"datetime(6)", "second", "2024-05-06T07:59:58.999999 2024-05-06T07:59:59.000001..2024-05-06T07:59:59.999999 2024-05-06T08:00:00"},
		{"timestamp", "month", "2024-01-31T23:59:59 2024-02-01T00:00:00..2024-02-29T23:59:59 2024-03-01T00:00:00"},
		{"time", "hour", "-02:00:01 -02:00:00..-01:00:01 -01:00:00..-00:00:01 00:00:00..00:59:59 01:00:00"},
		{"varchar(9)", "prefix 2", "aa ab..ABzz ac"},
		{"varbinary(9)", "prefix 2", "aa ab..abzz ac"},
	} {
		column, g := columnGrain(t, k.column, k.grain, c)
		rounded := func(text string) string {
			source := StringSource(bytes.ReplaceAll([]byte(text), []byte("T"), []byte(" ")), c)
			canonical, outcome := Assign(nil, column, &source, env)
			if outcome.Failed() {
				t.Fatalf("%s is no %s", text, k.column)
			}
			return fmt.Sprintf("%x", AppendRounded(nil, column, g, canonical))
		}
		before := ""
		for _, one := range bytes.Fields([]byte(k.apart)) {
			from, to, isRange := bytes.Cut(one, []byte(".."))
			at := rounded(string(from))
			if isRange && rounded(string(to)) != at {
				t.Errorf("%s/%s: %s are told apart", k.column, k.grain, one)
			}
			if at <= before {
				t.Errorf("%s/%s: %s is not told from what is before", k.column, k.grain, one)
			}
			before = at
		}
	}
}

// TestSuitsGrain: what a grain does not suit is known before anything is stored.
func TestSuitsGrain(t *testing.T) {
	c, _ := charset.Lookup(MariaDB, "utf8mb4_general_ci")
	for _, k := range []struct{ column, grain string }{
		{"int", "day"},
		{"int", "prefix 2"},
		{"date", "hour"},
		{"date", "10"},
		{"time", "day"},
		{"time", "year"},
		{"varchar(9)", "10"},
		{"varchar(9)", "day"},
		{"enum('a')", "2"},
		{"set('a')", "2"},
		{"bit(9)", "2"},
		{"uuid", "prefix 2"},
		{"inet6", "2"},
		{"datetime", "5"},
		{"decimal(9,2)", "year"},
	} {
		column, g := columnGrain(t, k.column, k.grain, c)
		if SuitsGrain(column, g) {
			t.Errorf("%s suits %s", k.grain, k.column)
		}
	}
}
