package record

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/racetest"
)

// The fields of common types.
var (
	tinyInt  = Field{Size: 8, Head: 7, Signed: true}
	smallInt = Field{Size: 8, Head: 6, Signed: true}
	natural  = Field{Size: 8, Head: 4} // INT UNSIGNED
	bigInt   = Field{Size: 8}
	amount   = Field{Size: 8, Head: 5, Signed: true}  // DECIMAL(6,2)
	wide     = Field{Size: 16, Head: 6, Signed: true} // DECIMAL(22)
	date     = Field{Size: 8, Tail: 4}
	seconds  = Field{Size: 8, Head: 2, Tail: 2, Signed: true} // TIME(0)
	name     = Field{Longest: 24}
	note     = Field{Longest: 256}
	page     = Field{Longest: 1 << 16}
)

type vector struct {
	about  string
	fields []Field
	values []string // in hexadecimal, a minus for NULL
	record string   // in hexadecimal
}

// vectors are records by the table of the package comment. They are stored: none of
// them ever changes.
var vectors = []vector{
	{"a number", []Field{bigInt}, []string{"0102030405060708"}, "00 0102030405060708"},
	{"NULL", []Field{bigInt}, []string{"-"}, "01 0000000000000000"},
	{"a narrow number", []Field{tinyInt}, []string{"000000000000007f"}, "00 7f"},
	{"a narrow number below zero", []Field{tinyInt}, []string{"ffffffffffffff80"}, "00 80"},
	{"an unsigned one with its highest bit", []Field{natural}, []string{"00000000ffffffff"}, "00 ffffffff"},
	{"decimals", []Field{amount, wide}, []string{"fffffffffff0bdc1", "ffffffffffffffffffffffffffffffff"}, "00 f0bdc1 ffffffffffffffffffff"},
	{"times", []Field{date, seconds}, []string{"1234567800000000", "ffff8e38e38e0000"}, "00 12345678 8e38e38e"},
	{"nine fields", slices.Repeat([]Field{tinyInt}, 9), []string{
		"0000000000000001", "-", "0000000000000003", "0000000000000004", "0000000000000005",
		"0000000000000006", "0000000000000007", "-", "-",
	}, "8201 010003040506070000"},
	{"a text", []Field{name}, []string{"6162"}, "00 6162 80000000000000000000000000"},
	{"no bytes", []Field{name}, []string{""}, "00 800000000000000000000000000000"},
	{"no bytes, for NULL", []Field{name}, []string{"-"}, "01 800000000000000000000000000000"},
	{"one byte of padding", []Field{name}, []string{"0102030405060708090a0b0c0d0e"}, "00 0102030405060708090a0b0c0d0e 80"},
	{"a unit of padding", []Field{name}, []string{"0102030405060708090a0b0c0d0e0f"}, "00 0102030405060708090a0b0c0d0e0f 80000000000000000000000000000000"},
	{"a text that looks like padding", []Field{name}, []string{"8000"}, "00 8000 80000000000000000000000000"},
	{"texts of all lengths", []Field{name, note, page, name}, []string{"61", "6262", "636363", "64646464"}, "00 01 0002 00000003 61 6262 636363 64646464 8000000000000000000000000000"},
	{"a mixture", []Field{name, smallInt, note, natural, page}, []string{"61", "ffffffffffffffff", "-", "0000000000000102", ""}, "04 ffff 00000102 01 0000 61 8000000000"},
	{"texts that can only be empty", []Field{{}, {}}, []string{"", "-"}, "02 00 8000000000000000000000000000"},
}

// unhexAll reads values as vectors have them.
func unhexAll(t testing.TB, texts []string) (all [][]byte) {
	t.Helper()
	for _, s := range texts {
		if s == "-" {
			all = append(all, nil)
			continue
		}
		all = append(all, unhex(t, s))
	}
	return all
}

// unhex is never nil.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte{}, b...)
}

func mustNew(t testing.TB, fields []Field) *Layout {
	t.Helper()
	l, err := New(fields)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// readAll reads all values of a record, in their order.
func readAll(l *Layout, record []byte) ([][]byte, error) {
	r, err := l.Read(record)
	if err != nil {
		return nil, err
	}
	all := make([][]byte, len(l.fields))
	var buf []byte
	for i := range all {
		all[i], buf = r.Value(buf, i)
	}
	return all, nil
}

// same reports whether two lists have the same values, and the same NULLs.
func same(a, b [][]byte) bool {
	return slices.EqualFunc(a, b, func(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) })
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		l, values, want := mustNew(t, v.fields), unhexAll(t, v.values), unhex(t, v.record)
		used := append(bytes.Repeat([]byte{0xee}, 100)[:0], "before"...) // what it had before is no part of a record
		got, err := l.Append(used, values)
		if err != nil || !bytes.Equal(got, append([]byte("before"), want...)) {
			t.Errorf("%s: record %x (%v), want %x", v.about, got, err, want)
		}
		if read, err := readAll(l, want); err != nil || !same(read, values) {
			t.Errorf("%s: read %x (%v), want %x", v.about, read, err, values)
		}
		if read, ok := byTable(v.fields, want); !ok || !same(read, values) {
			t.Errorf("%s: the second reader read %x, want %x", v.about, read, values)
		}
		if least, most := l.Sizes(); len(want) < least || len(want) > most {
			t.Errorf("%s: %d bytes, and are said to be %d to %d", v.about, len(want), least, most)
		}
	}
}

// TestReadAnyOrder: which values were read before makes no difference to one.
func TestReadAnyOrder(t *testing.T) {
	v := vectors[slices.IndexFunc(vectors, func(v vector) bool { return v.about == "texts of all lengths" })]
	l, values := mustNew(t, v.fields), unhexAll(t, v.values)
	r, err := l.Read(unhex(t, v.record))
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{2, 2, 3, 0, 1, 0, 2, 1, 3} {
		if got, _ := r.Value(nil, i); !bytes.Equal(got, values[i]) {
			t.Errorf("field %d is %x, want %x", i, got, values[i])
		}
	}
}

// TestValueIsApart: what is appended to a value of a record changes neither the record
// nor another value.
func TestValueIsApart(t *testing.T) {
	fields := []Field{tinyInt, bigInt, name, name}
	l := mustNew(t, fields)
	record, err := l.Append(nil, [][]byte{make([]byte, 8), make([]byte, 8), []byte("a"), []byte("b")})
	if err != nil {
		t.Fatal(err)
	}
	r, err := l.Read(record)
	if err != nil {
		t.Fatal(err)
	}
	before, buf := bytes.Clone(record), make([]byte, 0, 64)
	for i := range fields {
		var v []byte
		v, buf = r.Value(buf, i)
		_ = append(v, 0xee)
	}
	if !bytes.Equal(record, before) || buf[:9][8] != 0 {
		t.Errorf("the record is %x, was %x; the slice %x", record, before, buf[:9])
	}
}

func TestNewRefuses(t *testing.T) {
	for about, fields := range map[string][]Field{
		"no field":                     {},
		"more fields than columns":     make([]Field, FieldsMax+1),
		"a size below 0":               {{Size: -1}},
		"a size above that of BINARY":  {{Size: 256}},
		"a longest value below 0":      {{Longest: -1}},
		"more than LONGTEXT":           {{Longest: 1 << 32}},
		"two sizes":                    {{Size: 8, Longest: 8}},
		"a text without its beginning": {{Longest: 8, Head: 1}},
		"a text without its end":       {{Longest: 8, Tail: 1}},
		"a signed text":                {{Longest: 8, Signed: true}},
		"nothing stored":               {{Size: 8, Head: 8}},
		"nothing stored of both ends":  {{Size: 8, Head: 4, Tail: 4}},
		"a head below 0":               {{Size: 8, Head: -1}},
		"a tail below 0":               {{Size: 8, Head: 2, Tail: -1}},
		"a part of what is no number":  {{Size: 33, Head: 1}},
		"the second field":             {bigInt, {Size: 300}},
	} {
		if l, err := New(fields); l != nil || !errors.Is(err, ErrLayout) {
			t.Errorf("%s: %v, %v", about, l, err)
		}
	}
	_, err := New([]Field{bigInt, {Size: 300}})
	if want := "no record has this layout: field 1: the size is out of range"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for about, field := range map[string]Field{
		"BINARY(255)": {Size: 255}, "LONGTEXT": {Longest: 1<<32 - 1}, "DECIMAL(65)": {Size: 32, Head: 4, Signed: true},
	} {
		if _, err := New(slices.Repeat([]Field{field}, FieldsMax)); err != nil {
			t.Errorf("%s: %v", about, err)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		fields      []Field
		least, most int
	}{
		{[]Field{tinyInt}, 2, 2},
		{slices.Repeat([]Field{bigInt}, 9), 74, 74},
		{[]Field{name}, 16, 32},
		{[]Field{{}}, 16, 16},
		{[]Field{bigInt, page, {Longest: 10}}, 16, 65568},
		{slices.Repeat([]Field{{Longest: 1<<32 - 1}}, 2), 16, 1<<33 + 16},
	} {
		if least, most := mustNew(t, c.fields).Sizes(); least != c.least || most != c.most {
			t.Errorf("%v: %d to %d bytes, want %d to %d", c.fields, least, most, c.least, c.most)
		}
	}
}

func TestAppendRefuses(t *testing.T) {
	for _, c := range []struct {
		about  string
		fields []Field
		values []string
	}{
		{"no values", []Field{bigInt}, nil},
		{"a value too few", []Field{bigInt, bigInt}, []string{"-"}},
		{"a value too many", []Field{bigInt}, []string{"-", "-"}},
		{"an empty number", []Field{bigInt}, []string{""}},
		{"a number as it is stored", []Field{natural}, []string{"00000001"}},
		{"a byte too many", []Field{bigInt}, []string{"000000000000000000"}},
		{"a number too large", []Field{natural}, []string{"0000000100000000"}},
		{"an unsigned number below zero", []Field{natural}, []string{"ffffffffffffffff"}},
		{"a signed number too large", []Field{tinyInt}, []string{"0000000000000080"}},
		{"a signed number too small", []Field{tinyInt}, []string{"ffffffffffffff7f"}},
		{"a sign that is not whole", []Field{tinyInt}, []string{"fffffffffeffffff"}},
		{"a decimal too large", []Field{amount}, []string{"0000000000800000"}},
		{"a fraction", []Field{date}, []string{"1234567800000001"}},
		{"a time too long", []Field{seconds}, []string{"0000ffffffff0000"}},
		{"a text too long", []Field{name}, []string{strings.Repeat("61", 25)}},
		{"the last of many", []Field{name, bigInt, {Longest: 1}}, []string{"61", "-", "6161"}},
	} {
		got, err := mustNew(t, c.fields).Append([]byte("before"), unhexAll(t, c.values))
		if !errors.Is(err, ErrValue) || string(got) != "before" {
			t.Errorf("%s: %x, %v", c.about, got, err)
		}
	}
	_, err := mustNew(t, []Field{name, bigInt}).Append(nil, [][]byte{nil, {0xab}})
	if want := "the value does not fit its field of the record: field 1"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		about, wrong string
		fields       []Field
		record       string
	}{
		{"nothing", "size", []Field{bigInt}, ""},
		{"a byte too few", "size", []Field{bigInt}, "00 00000000000000"},
		{"a byte too many", "size", []Field{bigInt}, "00 0000000000000000 00"},
		{"padding without texts", "size", []Field{bigInt}, "00 0000000000000000 80000000000000"},
		{"a bit without a field", "spare bits", []Field{tinyInt}, "02 00"},
		{"the highest bit", "spare bits", slices.Repeat([]Field{tinyInt}, 9), "0080 000000000000000000"},
		{"NULL with a number", "a value that is NULL", []Field{tinyInt}, "01 01"},
		{"NULL with a number's last byte", "a value that is NULL", []Field{tinyInt, natural}, "02 01 00000001"},
		{"NULL with a text", "a value that is NULL", []Field{name, name}, "01 01 61 80000000000000000000000000"},
		{"NULL with the last text", "a value that is NULL", []Field{name, name}, "02 01 61 62 800000000000000000000000"},
		{"no bytes of a text", "padding", []Field{name}, ""},
		{"less than a unit", "padding", []Field{name}, "00 80"},
		{"no padding", "padding", []Field{name}, "00 010101010101010101010101010101"},
		{"only zeros", "padding", []Field{name}, "00 000000000000000000000000000000"},
		{"another mark", "padding", []Field{name}, "00 400000000000000000000000000000"},
		{"padding that is not zeros", "padding", []Field{name}, "00 800000000000000000000000000001"},
		{"more padding than there is to be", "padding", []Field{name}, "00 800000000000000000000000000000 00000000000000000000000000000000"},
		{"padding before the values", "padding", []Field{bigInt, bigInt, name}, "00 00000000000000 80 00000000000000"},
		{"padding among the lengths", "padding", append(slices.Repeat([]Field{name}, 16), name), "0000 80 00000000000000000000000000"},
		{"a text longer than the record", "length", []Field{name, name}, "00 03 6161 800000000000000000000000"},
		{"a text too long", "length", []Field{{Longest: 1}, name}, "00 02 6161 800000000000000000000000"},
		{"a long text too long", "length", []Field{{Longest: 300}, name}, "00 012d 8000000000000000000000000000"[:34]},
		{"the longest text", "length", []Field{{Longest: 1<<32 - 1}, name}, "00 ffffffff 8000000000000000000000"},
		{"the last text too long", "length", []Field{name, {Longest: 1}}, "00 00 6161 800000000000000000000000"},
	} {
		l := mustNew(t, c.fields)
		record := unhex(t, c.record)
		if _, ok := byTable(c.fields, record); ok {
			t.Errorf("%s: the second reader takes it", c.about)
		}
		r, err := l.Read(record)
		if want := "the bytes are no record of this layout: " + c.wrong; !errors.Is(err, ErrRecord) || err.Error() != want || r.layout != nil {
			t.Errorf("%s: %v, want %s", c.about, err, want)
		}
	}
}

// TestNoAllocation: a record is made and read in the caller's memory.
func TestNoAllocation(t *testing.T) {
	if racetest.On {
		t.Skip("the race detector allocates: run without -race")
	}
	l, values := orderLine(t)
	dst, buf := make([]byte, 0, 256), make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() { dst, _ = l.Append(dst[:0], values) }); n != 0 {
		t.Errorf("Append: %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() {
		r, _ := l.Read(dst)
		to := buf
		for i := range values {
			_, to = r.Value(to, i)
		}
	}); n != 0 {
		t.Errorf("Read and Value: %v allocations", n)
	}
}

// drawField draws the field of some type.
func drawField(r *rapid.T) Field {
	if rapid.Bool().Draw(r, "text") {
		return Field{Longest: rapid.SampledFrom([]int{0, 1, 20, 255, 256, 65535, 65536, 1<<32 - 1}).Draw(r, "longest")}
	}
	f := Field{Size: rapid.IntRange(1, numberMax).Draw(r, "size"), Signed: rapid.Bool().Draw(r, "signed")}
	f.Head = rapid.IntRange(0, f.Size-1).Draw(r, "head")
	f.Tail = rapid.IntRange(0, f.Size-1-f.Head).Draw(r, "tail")
	return f
}

// drawValue draws a value of a field, or NULL.
func drawValue(r *rapid.T, f Field) []byte {
	some := rapid.SampledFrom([]byte{0, 1, 0x7f, 0x80, 0xff, 'a'})
	if rapid.IntRange(0, 3).Draw(r, "null") == 0 {
		return nil
	}
	if f.Size == 0 {
		return append([]byte{}, rapid.SliceOfN(some, 0, min(f.Longest, 300)).Draw(r, "value")...)
	}
	stored := rapid.SliceOfN(some, f.Size-f.Head-f.Tail, f.Size-f.Head-f.Tail).Draw(r, "stored")
	lead := byte(0)
	if f.Signed && stored[0] >= 0x80 {
		lead = 0xff
	}
	return slices.Concat(bytes.Repeat([]byte{lead}, f.Head), stored, make([]byte, f.Tail))
}

// TestReturns: values of any layout come back, for both readers.
func TestReturns(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		fields := rapid.SliceOfN(rapid.Custom(drawField), 1, 20).Draw(r, "fields")
		var values [][]byte
		for _, f := range fields {
			values = append(values, drawValue(r, f))
		}
		l, err := New(fields)
		if err != nil {
			r.Fatal(err)
		}
		record, err := l.Append(nil, values)
		if err != nil {
			r.Fatal(err)
		}
		if least, most := l.Sizes(); len(record) < least || len(record) > most {
			r.Errorf("%d bytes, and are said to be %d to %d", len(record), least, most)
		}
		if got, err := readAll(l, record); err != nil || !same(got, values) {
			r.Errorf("%x became %x and came back as %x (%v)", values, record, got, err)
		}
		if got, ok := byTable(fields, record); !ok || !same(got, values) {
			r.Errorf("%x became %x and the second reader has %x", values, record, got)
		}
		i, bit := rapid.IntRange(0, len(record)-1).Draw(r, "byte"), rapid.IntRange(0, 7).Draw(r, "bit")
		record[i] ^= 1 << bit
		agree(r, fields, record)
	})
}
