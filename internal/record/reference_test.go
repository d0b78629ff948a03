package record

import (
	"bytes"
	"testing"
)

// byTable is a second reader, written from the table of the package comment and not from
// the code: it takes a record apart part by part, and copies everything.
func byTable(fields []Field, record []byte) (values [][]byte, ok bool) {
	rest, ok := record, true
	part := func(n int) []byte {
		if n > len(rest) {
			ok = false
			return make([]byte, n%1024)
		}
		p := rest[:n]
		rest = rest[n:]
		return p
	}
	zero := func(b []byte) bool { return len(bytes.Trim(b, "\x00")) == 0 }
	texts := 0
	for _, f := range fields {
		if f.Size == 0 {
			texts++
		}
	}
	if texts > 0 {
		unpadded := bytes.TrimRight(record, "\x00")
		if rest, ok = bytes.CutSuffix(unpadded, []byte{0x80}); !ok || len(record)%16 != 0 || len(record)-len(rest) > 16 {
			return nil, false
		}
	}
	nulls := part((len(fields) + 7) / 8)
	null := func(i int) bool { return nulls[i/8]&(1<<(i%8)) != 0 }
	for i := len(fields); i < 8*len(nulls); i++ {
		ok = ok && !null(i)
	}
	values = make([][]byte, len(fields))
	for i, f := range fields {
		if f.Size == 0 || !ok {
			continue
		}
		stored := part(f.Size - f.Head - f.Tail)
		if ok = ok && (!null(i) || zero(stored)); !ok || null(i) {
			continue
		}
		for range f.Head {
			b := byte(0)
			if f.Signed && stored[0] > 127 {
				b = 255
			}
			values[i] = append(values[i], b)
		}
		values[i] = append(append(values[i], stored...), make([]byte, f.Tail)...)
	}
	lengths, last := byTableLengths(fields, part)
	for i, f := range fields {
		if f.Size != 0 || !ok {
			continue
		}
		if i == last {
			lengths[i] = len(rest)
		}
		ok = ok && lengths[i] <= f.Longest && (!null(i) || lengths[i] == 0)
		if text := part(lengths[i]); !null(i) {
			values[i] = append([]byte{}, text...)
		}
	}
	return values, ok && len(rest) == 0
}

// byTableLengths reads the lengths of the fields that are not fixed, and tells the last of
// those, which has none.
func byTableLengths(fields []Field, part func(int) []byte) (lengths map[int]int, last int) {
	lengths, last = map[int]int{}, -1
	for i, f := range fields {
		if f.Size == 0 {
			last = i
		}
	}
	for i, f := range fields[:max(last, 0)] {
		if f.Size != 0 {
			continue
		}
		size := 4
		if f.Longest <= 255 {
			size = 1
		} else if f.Longest <= 65535 {
			size = 2
		}
		for _, b := range part(size) {
			lengths[i] = 256*lengths[i] + int(b)
		}
	}
	return lengths, last
}

// agree holds that both readers take the same bytes for the same values, and that these are
// written in one way only.
func agree(t rapidOrTesting, fields []Field, record []byte) {
	l, err := New(fields)
	if err != nil {
		t.Fatalf("%v", err)
	}
	got, err := readAll(l, record)
	want, ok := byTable(fields, record)
	if ok != (err == nil) || ok && !same(got, want) {
		t.Errorf("%+v: %x is read as %x (%v), and by the second reader as %x (%v)", fields, record, got, err, want, ok)
	}
	if err != nil {
		return
	}
	if again, err := l.Append(nil, got); err != nil || !bytes.Equal(again, record) {
		t.Errorf("%+v: %x is read as %x, which is written as %x (%v)", fields, record, got, again, err)
	}
}

// rapidOrTesting is a test of either kind.
type rapidOrTesting interface {
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// fuzzFields makes fields of bytes, two for each.
func fuzzFields(b []byte) (fields []Field) {
	for ; len(b) >= 2; b = b[2:] {
		kind, n := b[0], int(b[1])
		switch kind % 4 {
		case 0:
			fields = append(fields, Field{Longest: n})
		case 1:
			fields = append(fields, Field{Longest: min(n<<(kind>>3), longestMax)})
		default:
			f := Field{Size: 1 + n%numberMax, Signed: kind%4 == 3}
			f.Head = int(kind>>2) % f.Size
			f.Tail = n / numberMax % (f.Size - f.Head)
			fields = append(fields, f)
		}
	}
	return fields
}

// fuzzSeeds are what fuzzing begins with: layouts as fuzzFields reads them, and records of them.
var fuzzSeeds = []struct{ layout, record string }{
	{"\x02\x07", "00 0102030405060708"},
	{"\x1f\x07\x12\x07", "02 80 00000000"},
	{"\x02\x67", "00 0102030405"},
	{"\x00\x18", "00 6162 80000000000000000000000000"},
	{"\x00\x18\x41\x01\x81\x01\x00\x18", "00 01 0002 00000003 61 6262 636363 64646464 8000000000000000000000000000"},
	{"\x00\x18\x1b\x07\x41\x01\x12\x07\x81\x01", "04 ffff 00000102 01 0000 61 8000000000"},
}

// FuzzRead: a record that is read is what Append makes of its values, and a second reader
// reads the same.
func FuzzRead(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s.layout), unhex(f, s.record))
	}
	f.Fuzz(func(t *testing.T, layout, record []byte) {
		fields := fuzzFields(layout)
		if len(fields) == 0 || len(fields) > FieldsMax {
			return
		}
		before := bytes.Clone(record)
		agree(t, fields, record)
		if !bytes.Equal(record, before) {
			t.Error("the record was changed")
		}
	})
}

// TestFuzzSeeds: the records that fuzzing begins with are some.
func TestFuzzSeeds(t *testing.T) {
	for _, s := range fuzzSeeds {
		fields := fuzzFields([]byte(s.layout))
		if _, err := readAll(mustNew(t, fields), unhex(t, s.record)); err != nil {
			t.Errorf("%+v: %v", fields, err)
		}
	}
}
