package layers

import (
	"encoding/binary"
	"math"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tunic/internal/value"
)

// TestPlainValues: what filling reads of a plain column is the value that the server keeps, and what
// it writes of that is what it has read. What is no value of the type is none.
func TestPlainValues(t *testing.T) {
	number := func(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
	double := func(f float64) []byte { return number(math.Float64bits(f)) }
	single := func(f float32) []byte { return number(uint64(math.Float32bits(f))) }
	for _, c := range []struct {
		typ, cell string
		value     []byte // nil where there is an error
	}{
		{"enum('3','2')", "0", number(0)},
		{"enum('3','2')", "2", number(2)},
		{"enum('3','2')", "3", nil},
		{"enum('3','2')", "-1", nil},
		{"set('a','b')", "3", number(3)},
		{"set('a','b')", "4", nil},
		{"bit(64)", "18446744073709551615", number(math.MaxUint64)},
		{"bit(12)", "4096", nil},
		{"year(4)", "0", number(0)},
		{"year(4)", "2155", number(2155)},
		{"year(4)", "99", nil}, // as YEAR(2) is read
		{"float", "0.10000000149011612", single(0.1)},
		{"float", "0.1", nil}, // as a FLOAT is shown
		{"float", "-0", single(float32(math.Copysign(0, -1)))},
		{"float", "3.4028234663852886e+38", single(math.MaxFloat32)},
		{"float", "1e39", nil},
		{"float(7,2)", "2.6700000762939453", single(2.67)},
		{"float(7,2)", "2.675", nil},
		{"double", "2.2250738585072014e-308", double(2.2250738585072014e-308)},
		{"double", "123456792", double(123456792)},
		{"double", "x", nil},
		{"double(12,4)", "2.6755", double(2.6755)},
		{"timestamp(3)", "0000-00-00 00:00:00.000", number(0)},
		{"timestamp", "2100-01-01 00:00:00", number(uint64(value.DateAt(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), &value.Env{})))}, // MariaDB's since 11.5
		{"timestamp", "2020-02-30 00:00:00", nil},
		{"datetime", "0000-00-00 00:00:00", number(0)},
	} {
		collation := ""
		if c.typ[0] == 'e' || c.typ[0] == 's' {
			collation = "utf8mb4_bin"
		}
		of := typed(t, 1, "c", c.typ, collation, false).Type
		got, err := canonicalOf(&of)([]byte(c.cell))
		if string(got) != string(c.value) || (err == nil) != (c.value != nil) {
			t.Errorf("%s: %s is %x, want %x: %v", c.typ, c.cell, got, c.value, err)
		}
		if err == nil && !isShown(&of, shownOf(&of, got), []byte(c.cell)) {
			t.Errorf("%s: %s is written as %s", c.typ, c.cell, shownOf(&of, got))
		}
	}
}

// TestPlainNumbers: every number that a column has with a fraction in binary is read, also where
// its type rounds what is written.
func TestPlainNumbers(t *testing.T) {
	for _, name := range []string{"float", "double", "float(7,2)", "float(20,9)", "double(12,4)", "double(40,3)", "double unsigned"} {
		of := typed(t, 1, "c", name, "", false).Type
		read := canonicalOf(&of)
		rapid.Check(t, func(t *rapid.T) {
			source := value.DoubleSource(rapid.Float64().Draw(t, "number"))
			kept, _ := value.Assign(nil, &of, &source, &value.Env{})
			cell := strconv.AppendFloat(nil, value.DoubleOf(&of, kept), 'g', -1, 64)
			if got, err := read(cell); err != nil || string(got) != string(kept) {
				t.Fatalf("%s: %s is %x, want %x: %v", name, cell, got, kept, err)
			}
		})
	}
}
