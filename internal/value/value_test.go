package value

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tunic/internal/value/charset"
)

// These tests need no server.

func mustParse(t testing.TB, text string) *Type {
	t.Helper()
	c, ok := charset.Lookup(MySQL, "utf8mb4_0900_ai_ci")
	if !ok {
		t.Fatal("no utf8mb4_0900_ai_ci")
	}
	column, err := Parse(text, c)
	if err != nil {
		t.Fatal(err)
	}
	return column
}

func text(s string) Source {
	c, _ := charset.Lookup(MySQL, "utf8mb4_0900_ai_ci")
	return StringSource([]byte(s), c)
}

var strict = &Env{Flavor: MySQL, Version: 90700, Mode: StrictTransTables | NoZeroDate | NoZeroInDate}

// TestCanonicalForms pins the bytes that are stored for good.
func TestCanonicalForms(t *testing.T) {
	for _, c := range []struct {
		column string
		source Source
		want   string
	}{
		{"int", IntSource(-2), "\xff\xff\xff\xff\xff\xff\xff\xfe"},
		{"bigint unsigned", UintSource(math.MaxUint64), "\xff\xff\xff\xff\xff\xff\xff\xff"},
		{"decimal(10,2)", text("-1.5"), "\xff\xff\xff\xff\xff\xff\xff\x6a"},
		{"decimal(38,0)", IntSource(1), "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"},
		{"decimal(39,0)", IntSource(-1), string(bytes.Repeat([]byte{0xff}, 32))},
		{"float", DoubleSource(1), "\x00\x00\x00\x00\x3f\x80\x00\x00"},
		{"double", DoubleSource(math.Copysign(0, -1)), "\x80\x00\x00\x00\x00\x00\x00\x00"},
		{"bit(10)", BitSource([]byte{3, 0xff}), "\x00\x00\x00\x00\x00\x00\x03\xff"},
		{"year", IntSource(2024), "\x00\x00\x00\x00\x00\x00\x07\xe8"},
		{"date", text("2024-05-06"), "\x19\xb3\x4c\x00\x00\x00\x00\x00"},
		{"datetime(6)", text("2024-05-06 07:08:09.000010"), "\x19\xb3\x4c\x72\x09\x00\x00\x0a"},
		{"time", text("-01:02:03"), "\xff\xff\xff\xef\x7d\x00\x00\x00"},
		{"char(5)", text("ab  "), "ab"},
		{"varchar(5)", text("ab  "), "ab  "},
		{"binary(4)", text("ab"), "ab\x00\x00"},
		{"enum('x','y')", text("Y"), "\x00\x00\x00\x00\x00\x00\x00\x02"},
		{"set('x','y','z')", text("z,x"), "\x00\x00\x00\x00\x00\x00\x00\x05"},
		{"json", text(`{"b":1.0,"aa":[],"a":2}`), `{"a": 2, "b": 1.0, "aa": []}`},
	} {
		got, outcome := Assign(nil, mustParse(t, c.column), &c.source, strict)
		if string(got) != c.want || len(outcome.Conditions()) > 0 {
			t.Errorf("%s: %x %v, want %x", c.column, got, outcome.Conditions(), c.want)
		}
	}
}

// TestYearsWithoutSign: an integer with the unsigned flag is the same year as one without.
func TestYearsWithoutSign(t *testing.T) {
	year := mustParse(t, "year(4)")
	for number, want := range map[uint64]uint64{
		0: 0, 1: 2001, 69: 2069, 70: 1970, 99: 1999, 1901: 1901, 2024: 2024, 2155: 2155,
		100: 0, 1900: 0, 2156: 0, math.MaxInt64: 0, math.MaxInt64 + 1: 0, math.MaxUint64: 0,
	} {
		fits := want > 0 || number == 0
		for _, flavor := range []Flavor{MySQL, MariaDB} {
			for _, param := range []bool{false, true} {
				s := Source{Form: FormUint, Number: number, Param: param}
				lax := &Env{Flavor: flavor, Version: strict.Version}
				got, outcome := Assign(nil, year, &s, lax)
				if n := binary.BigEndian.Uint64(got); n != want || fits != (len(outcome.Conditions()) == 0) {
					t.Errorf("%d, flavor %v: %d %v, want %d", number, flavor, n, outcome.Conditions(), want)
				}
				firm := *lax
				firm.Mode = strict.Mode
				_, outcome = Assign(nil, year, &s, &firm)
				if err, failed := outcome.Err(); failed == fits || failed && err.Code != OutOfRange {
					t.Errorf("%d, flavor %v, in strict mode: %v", number, flavor, outcome.Conditions())
				}
			}
		}
	}
}

// TestShownMoment: of two moments at which clocks show the same, what they show stands for the first.
func TestShownMoment(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skipf("SKIP: no time zone data: %v", err)
	}
	for utc, want := range map[string]string{
		"2024-10-27 00:30:00.25": "2024-10-27 00:30:00.25", "2024-10-27 01:30:00.25": "2024-10-27 00:30:00.25", "2024-10-27 01:59:59": "2024-10-27 00:59:59",
		"2024-10-27 02:00:00": "2024-10-27 02:00:00", "2024-03-31 01:00:00": "2024-03-31 01:00:00", "2024-07-01 12:00:00": "2024-07-01 12:00:00",
	} {
		column := mustParse(t, "timestamp(2)")
		made := func(s string) []byte {
			source := text(s)
			b, _ := Assign(nil, column, &source, strict)
			return b
		}
		env := *strict
		env.Location = berlin
		if got := AppendShown(nil, made(utc), &env); !bytes.Equal(got, made(want)) {
			t.Errorf("%s: %x, want %x", utc, got, made(want))
		}
		if got := AppendShown(nil, made(utc), strict); !bytes.Equal(got, made(utc)) {
			t.Errorf("%s in UTC: %x", utc, got)
		}
	}
}

// TestFailures pins what strict mode refuses, and that no message has a value.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		column string
		source Source
		code   Code
		text   string
	}{
		{"tinyint", IntSource(300), OutOfRange, "Out of range value for column 'c' at row 7"},
		{"int", text("secret"), Unparsable, "Incorrect integer value for column 'c' at row 7"},
		{"int", text("1secret"), Truncated, "Data truncated for column 'c' at row 7"},
		{"varchar(3)", text("secret"), TooLong, "Data too long for column 'c' at row 7"},
		{"varchar(3)", text("\xff"), Unparsable, "Incorrect string value for column 'c' at row 7"},
		{"date", text("secret"), WrongValue, "Incorrect date value for column 'c' at row 7"},
		{"datetime", text("0000-00-00"), WrongValue, "Incorrect datetime value for column 'c' at row 7"},
		{"json", text("{secret}"), BadJSON, "Invalid JSON text in value for column 't.c'."},
		{"point", text("secret"), BadGeometry, "Cannot get geometry object from data you send to the GEOMETRY field"},
	} {
		got, outcome := Assign([]byte("kept"), mustParse(t, c.column), &c.source, strict)
		err, failed := outcome.Err()
		if !failed || err.Code != c.code || string(got) != "kept" {
			t.Errorf("%s: %v, %q; want code %d", c.column, err, got, c.code)
		}
		if message := string(err.AppendMessage(nil, strict, Column{"s", "t", "c"}, 7)); message != c.text {
			t.Errorf("%s: %q, want %q", c.column, message, c.text)
		}
	}
}

// TestNull stores NULL where it may not be.
func TestNull(t *testing.T) {
	column := mustParse(t, "enum('x','y')")
	null := NullSource()
	if _, outcome := Assign(nil, column, &null, strict); !outcome.Null || outcome.Failed() {
		t.Error("a nullable column refuses NULL")
	}
	column.NotNull = true
	if _, outcome := Assign(nil, column, &null, strict); !outcome.Failed() {
		t.Error("strict mode stores NULL")
	}
	many := &Env{Flavor: MySQL}
	got, outcome := Assign(nil, column, &null, many)
	if outcome.Failed() || outcome.Null || len(outcome.Conditions()) != 1 || !bytes.Equal(got, appendIndex(nil, 1)) {
		t.Errorf("an INSERT of many rows: %x %v", got, outcome.Conditions())
	}
}

// TestTextReadsBack: what AppendText writes, Assign reads as the same value, for
// every type with a text of its own.
func TestTextReadsBack(t *testing.T) {
	env := &Env{Flavor: MariaDB, Version: 101100, Mode: StrictAllTables}
	c, _ := charset.Lookup(MariaDB, "utf8mb4_general_ci")
	for _, name := range []string{
		"tinyint(4)", "smallint(5) unsigned", "mediumint(9)", "int(11)", "bigint(20)", "bigint(20) unsigned", "int(10) unsigned zerofill",
		"decimal(10,2)", "decimal(38,20)", "decimal(65,30)", "double", "year(4)", "date", "datetime(6)", "time(6)", "timestamp(6)",
		"varchar(40)", "char(40)", "enum('a','b')", "set('a','b','c')", "uuid", "inet4", "inet6",
	} {
		column, err := Parse(name, c)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			source := drawSource(t, column, c)
			canonical, outcome := Assign(nil, column, &source, env)
			if outcome.Failed() || outcome.Null {
				t.Skip("not of the type")
			}
			written := StringSource(AppendText(nil, column, canonical, env), c)
			again, outcome := Assign(nil, column, &written, env)
			if !bytes.Equal(again, canonical) || len(outcome.Conditions()) > 0 {
				t.Fatalf("%q: %x, then %x %v", written.Bytes, canonical, again, outcome.Conditions())
			}
		}))
	}
}

// drawSource draws something that the column may hold.
func drawSource(t *rapid.T, column *Type, c *charset.Collation) Source {
	switch {
	case column.Kind.IsTemporal():
		at := time.Unix(rapid.Int64Range(1, 1<<31-2).Draw(t, "seconds"), rapid.Int64Range(0, 999999).Draw(t, "micros")*1000).UTC()
		layout := map[Kind]string{Date: "2006-01-02", Time: "15:04:05.000000"}[column.Kind]
		if layout == "" {
			layout = "2006-01-02 15:04:05.000000"
		}
		return StringSource([]byte(at.Format(layout)), c)
	case column.Kind == Double:
		return DoubleSource(rapid.Float64().Draw(t, "double"))
	case column.Kind == Decimal:
		return DecimalSource([]byte(rapid.StringMatching(`-?[0-9]{1,30}(\.[0-9]{0,25})?`).Draw(t, "decimal")))
	case column.Kind.IsNumber():
		return IntSource(rapid.Int64().Draw(t, "int") >> rapid.IntRange(0, 63).Draw(t, "shift"))
	case column.Kind == Enum || column.Kind == Set:
		return IntSource(rapid.Int64Range(1, 2).Draw(t, "index"))
	case column.Kind == UUID, column.Kind == INET6:
		return HexStringSource(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "bytes"))
	case column.Kind == INET4:
		return HexStringSource(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "bytes"))
	default:
		return StringSource([]byte(rapid.StringN(0, 20, 80).Draw(t, "text")), c)
	}
}

// TestOrderLaws: the order encoding compares as Compare does, has the width that
// OrderBits says, and equality inputs are equal exactly where Compare is 0.
func TestOrderLaws(t *testing.T) {
	env := &Env{Flavor: MariaDB, Version: 101100}
	c, _ := charset.Lookup(MariaDB, "utf8mb4_general_ci")
	for _, name := range []string{
		"tinyint(4)", "mediumint(8) unsigned", "bigint(20)", "bigint(20) unsigned", "decimal(10,2)", "decimal(18,4)", "decimal(19,0)", "decimal(40,3)", "decimal(65,30)",
		"float", "double", "bit(10)", "year(4)", "date", "datetime(3)", "time(2)", "timestamp(5)", "varchar(40)", "varbinary(40)", "uuid", "inet6",
	} {
		column, err := Parse(name, c)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			var values [2][]byte
			for i := range values {
				source := drawSource(t, column, c)
				var outcome Outcome
				if values[i], outcome = Assign(nil, column, &source, env); outcome.Failed() || outcome.Null {
					t.Skip("not of the type")
				}
			}
			a, b := AppendOrder(nil, column, values[0]), AppendOrder(nil, column, values[1])
			bits := OrderBits(column)
			if bits%4 != 0 || len(a) != (bits+7)/8 || bits%8 != 0 && a[0]>>(bits%8) != 0 {
				t.Fatalf("%x has not %d bits", a, bits)
			}
			compared, encoded := Compare(column, values[0], values[1]), bytes.Compare(a, b)
			if encoded != compared && (encoded != 0 || OrderExact(column)) {
				t.Fatalf("%x and %x: %d, encoded %d", values[0], values[1], compared, encoded)
			}
			equal := bytes.Equal(AppendEquality(nil, column, values[0]), AppendEquality(nil, column, values[1]))
			if equal != (compared == 0) {
				t.Fatalf("%x and %x: compare %d, equality %t", values[0], values[1], compared, equal)
			}
		}))
	}
}

// TestOrderBits pins the widths of the design.
func TestOrderBits(t *testing.T) {
	for name, want := range map[string]int{
		"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64, "year": 16, "decimal(10,2)": 36, "decimal(18,4)": 64, "decimal(65,30)": 220,
		"float": 32, "double": 64, "date": 24, "time": 24, "time(6)": 48, "datetime": 40, "datetime(6)": 64, "timestamp": 32, "timestamp(6)": 56, "varchar(5)": 128, "enum('a')": 16, "json": 0, "geometry": 0,
	} {
		if got := OrderBits(mustParse(t, name)); got != want {
			t.Errorf("%s: %d bits, want %d", name, got, want)
		}
	}
}

// TestComparand pins what is served, and what is left for opened rows.
func TestComparand(t *testing.T) {
	for _, c := range []struct {
		column string
		source Source
		want   Exactness
	}{
		{"int", IntSource(5), Exact},
		{"int", text("5"), Exact},
		{"int", text("5abc"), NotServable},
		{"int", DecimalSource([]byte("1.5")), Between},
		{"tinyint", IntSource(1000), Above},
		{"tinyint unsigned", IntSource(-1), Below},
		{"bigint", DoubleSource(1 << 60), NotServable},
		{"decimal(10,2)", DecimalSource([]byte("1.255")), Between},
		{"decimal(18,4)", text("1.5"), NotServable},
		{"float", DecimalSource([]byte("0.1")), Between},
		{"double", DecimalSource([]byte("0.1")), Exact},
		{"float(7,3)", IntSource(1), NotServable},
		{"date", text("2024-05-06"), Exact},
		{"date", text("2024-05-06 10:00:00"), Between},
		{"date", text("2024-5-6"), NotServable},
		{"date", text("2024-02-31"), NotServable},
		{"date", IntSource(20240506), NotServable},
		{"time", text("10:11:12"), Exact},
		{"varchar(5)", text("longer than five"), Exact},
		{"varchar(5)", IntSource(5), NotServable},
		{"enum('a','b')", text("B"), ExactEquality},
		{"enum('a','b')", text("c"), Never},
		{"set('a','b')", text("b,a"), Never},
		{"json", text("1"), NotServable},
		{"int", NullSource(), Unknown},
	} {
		if _, got := Comparand(nil, mustParse(t, c.column), &c.source, strict); got != c.want {
			t.Errorf("%s with %v %q: %v, want %v", c.column, c.source.Form, c.source.Bytes, got, c.want)
		}
	}
}

// TestDays checks the calendar against the standard library's.
func TestDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.Int64Range(-62167219200, 253402300799).Draw(t, "seconds") // years 0 to 9999
		c := clockFromSeconds(seconds)
		if want := clockOf(time.Unix(seconds, 0).UTC()); c != want {
			t.Fatalf("%d: %+v, want %+v", seconds, c, want)
		}
		if back := secondsFromClock(&c); back != seconds {
			t.Fatalf("%+v: %d, want %d", c, back, seconds)
		}
	})
}

// TestShortestDoubles: what is written of a double reads back as the same.
func TestShortestDoubles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		written := appendShortest(nil, f)
		if got, err := strconv.ParseFloat(string(written), 64); err != nil || got != f {
			t.Fatalf("%g is written %s", f, written)
		}
	})
}
