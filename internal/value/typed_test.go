package value

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTypedSource(t *testing.T) {
	env := &Env{Flavor: MySQL, Mode: NoZeroInDate | NoZeroDate}
	day := Clock{Year: 2020, Month: 2, Day: 3}
	moment := Clock{Year: 2020, Month: 2, Day: 3, Hour: 10, Minute: 11, Second: 12, Micro: 500000}
	span := Clock{Hour: 100, Minute: 11, Second: 12, Negative: true}
	for _, c := range []struct {
		kind Kind
		text string
		want Source
		ok   bool
	}{
		{Date, "2020-02-03", DateSource(day.PackDateTime()), true},
		{DateTime, "2020-02-03 10:11:12.5", DateTimeSource(moment.PackDateTime(), 1), true},
		{Time, "-100:11:12", TimeSource(span.PackTime(), 0), true},
		{Date, "2020-02-30", Source{}, false},
		{Date, "2020-02-03 10:11:12", Source{}, false},
		{Date, "0000-00-00", Source{}, false},
		{DateTime, "2020-02-03", Source{}, false},
		{DateTime, "2020-02-03 10:11:12x", Source{}, false},
		{DateTime, "2020-02-03 10:11:12.1234567", Source{}, false},
		{Time, "839:00:00", Source{}, false},
		{Time, "x", Source{}, false},
	} {
		got, ok := TypedSource(c.kind, []byte(c.text), env)
		if ok != c.ok || ok && (got.Form != c.want.Form || got.Number != c.want.Number || got.Fraction != c.want.Fraction) {
			t.Errorf("%v %q: %+v, %t", c.kind, c.text, got, ok)
		}
	}
}

// TestParamSource: what is sent to a client as binary comes back as it was.
func TestParamSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		env := &Env{Flavor: MariaDB}
		kind := rapid.SampledFrom([]Kind{Date, Time, DateTime}).Draw(t, "kind")
		micros := rapid.IntRange(0, microsMax)
		c := Clock{
			Hour: rapid.IntRange(0, 23).Draw(t, "hour"), Minute: rapid.IntRange(0, 59).Draw(t, "minute"),
			Second: rapid.IntRange(0, 59).Draw(t, "second"), Micro: micros.Draw(t, "micro"),
		}
		var packed int64
		if kind == Time {
			c.Hour += 24 * rapid.IntRange(0, 33).Draw(t, "days")
			c.Negative = !c.isZeroClock() && rapid.Bool().Draw(t, "negative")
			packed = c.PackTime()
		} else {
			c.Year, c.Month, c.Day = rapid.IntRange(1, 9999).Draw(t, "year"), rapid.IntRange(1, 12).Draw(t, "month"), rapid.IntRange(1, 28).Draw(t, "day")
			if kind == Date {
				c.Hour, c.Minute, c.Second, c.Micro = 0, 0, 0, 0
			}
			packed = c.PackDateTime()
		}
		sent := AppendBinary(nil, &Type{Kind: kind, Decimals: 6}, appendIndex(nil, uint64(packed)), env)
		got, ok := ParamSource(kind, sent[1:])
		if !ok || int64(got.Number) != packed || !got.Param {
			t.Fatalf("%+v: % x came back as %+v, %t", c, sent, got, ok)
		}
	})
	for _, b := range [][]byte{{1}, {0, 0, 13, 1}, {1, 0, 0, 0, 0}, {0xe4, 7, 1, 1, 24, 0, 0}} {
		if _, ok := ParamSource(DateTime, b); ok {
			t.Errorf("% x is taken for a date", b)
		}
	}
	for _, b := range [][]byte{{1}, {0, 35, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 24, 0, 0}, {0, 0, 0, 0, 255, 1, 0, 0}} {
		if _, ok := ParamSource(Time, b); ok {
			t.Errorf("% x is taken for a time", b)
		}
	}
}

func TestNow(t *testing.T) {
	moment := time.Date(2020, 2, 3, 23, 30, 15, 987654321, time.UTC)
	env := &Env{Flavor: MySQL, Location: time.FixedZone("", 3600)}
	for _, c := range []struct {
		typ  Type
		want string
	}{
		{Type{Kind: DateTime, Decimals: 3}, "2020-02-04 00:30:15.987"},
		{Type{Kind: Timestamp, Decimals: 6}, "2020-02-04 00:30:15.987654"},
		{Type{Kind: Timestamp}, "2020-02-04 00:30:15"},
	} {
		canonical := AppendNow(nil, c.typ.Kind, moment, c.typ.Decimals, env)
		if got := string(AppendText(nil, &c.typ, canonical, env)); got != c.want {
			t.Errorf("%v: %s, want %s", c.typ.Kind, got, c.want)
		}
	}
	date := appendIndex(nil, uint64(DateAt(moment, env)))
	if got := string(AppendText(nil, &Type{Kind: Date}, date, env)); got != "2020-02-04" {
		t.Errorf("today is %s", got)
	}
}
