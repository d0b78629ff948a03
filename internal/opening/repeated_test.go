package opening

import (
	"errors"
	"fmt"
	"testing"

	"tunic/internal/binding"
	"tunic/internal/wire"
)

// TestRepeatedForm: a form that is kept open has the values of its row, as often as it comes; it opens beside the tokens of its row
// alone, and it is no other form that has its tag.
func TestRepeatedForm(t *testing.T) {
	s := newSeats(t, "hall", "number")
	f := Fetcher{Sought: &binding.Sought{}}
	if err := f.Begin(s.st, s.env); err != nil {
		t.Fatal(err)
	}
	rows := make([][]wire.Cell, 7)
	for i := range rows {
		one := seat{"blue", int64(i), 0, fmt.Sprint("note ", i)}
		rows[i] = s.row(t, one, one)
	}
	for i := range 3 * repeatedAfter {
		n := i % len(rows)
		if row, _, err := f.Read(s.st, rows[n], nil); err != nil || string(row[0]) != fmt.Sprint("note ", n) {
			t.Fatalf("row %d: %q, %v", i, row, err)
		}
	}
	if f.records.kept == 0 {
		t.Fatal("no form is kept open")
	}
	for i := range 3 { // what is kept of the form is used, and again beside its own tokens
		moved := []wire.Cell{rows[2][0], rows[2][1], rows[3][2]}
		_, _, err := f.Read(s.st, moved, nil)
		if other, ok := errors.AsType[*binding.OtherValueError](err); !ok || other.Column.Name != "number" {
			t.Errorf("%d: beside the token of another row: %v", i, err)
		}
		if _, _, err := f.Read(s.st, rows[2], nil); err != nil {
			t.Errorf("%d: beside its own: %v", i, err)
		}
	}
	altered := append([]byte{}, rows[4][0].Bytes...)
	altered[len(altered)-20] ^= 1
	if _, _, err := f.Read(s.st, append(cells(altered), rows[4][1:]...), nil); err == nil {
		t.Error("a form that is altered opens")
	}
	f.End()
	if f.records.kept != 0 || f.records.of[0].forms != nil {
		t.Error("forms are kept behind the statement")
	}
}

// TestRepeatedBytes: forms are kept up to a bound, and those beyond are opened each time.
func TestRepeatedBytes(t *testing.T) {
	s := newSeats(t, "number")
	f := Fetcher{Sought: &binding.Sought{}}
	if err := f.Begin(s.st, s.env); err != nil {
		t.Fatal(err)
	}
	f.records.kept = repeatedBytes
	one := seat{"blue", 1, 0, "mine"}
	row := s.row(t, one, one)
	for range 3 * repeatedAfter {
		if got, _, err := f.Read(s.st, row, nil); err != nil || string(got[0]) != "mine" {
			t.Fatalf("%q, %v", got, err)
		}
	}
	if f.records.kept != repeatedBytes {
		t.Errorf("%d bytes are kept", f.records.kept)
	}
}

// BenchmarkRepeatedForms reads rows of which one form is of few rows, as of a table that is joined with a larger one.
func BenchmarkRepeatedForms(b *testing.B) {
	for _, n := range []int{25, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newSeats(b, "number")
			f := Fetcher{Sought: &binding.Sought{}}
			if err := f.Begin(s.st, s.env); err != nil {
				b.Fatal(err)
			}
			rows := make([][]wire.Cell, n)
			for i := range rows {
				one := seat{"blue", int64(i), int64(i), "a note of thirty characters..."}
				rows[i] = s.row(b, one, one)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, _, err := f.Read(s.st, rows[i%n], nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
