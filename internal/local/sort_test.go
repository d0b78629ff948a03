package local

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/arena"
	"tunic/internal/budget"
	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// gathered are rows that a sorter has passed on, as copies.
type gathered struct{ rows []eval.Row }

func (g *gathered) Row(r eval.Row) error {
	g.rows = append(g.rows, arena.CopyOf(r))
	return nil
}

func (g *gathered) End() error { return nil }

// sortedTypes are types whose values have heads in different ways, and none.
func sortedTypes(t *testing.T) (types []*value.Type) {
	t.Helper()
	for _, d := range [...][2]string{
		{"varchar(40)", "utf8mb4_general_ci"},
		{"varchar(40)", "utf8mb4_nopad_bin"},
		{"varchar(40)", "latin1_swedish_ci"},
		{"varchar(40)", "utf8mb4_unicode_ci"},
		{"varbinary(40)", ""},
		{"int", ""},
		{"int unsigned", ""},
		{"double", ""},
	} {
		made, err := catalog.TypesOf(charset.MariaDB)(d[0], d[1], false)
		if err != nil {
			t.Fatal(err)
		}
		types = append(types, &made)
	}
	return types
}

// drawValue draws a value: many of them begin alike.
func drawValue(t *rapid.T, typ *value.Type) []byte {
	if rapid.IntRange(0, 9).Draw(t, "null") == 0 {
		return nil
	}
	if !typ.Kind.IsText() && !typ.Kind.IsBytes() {
		n := rapid.Uint64Range(0, 5).Draw(t, "number") << rapid.IntRange(0, 61).Draw(t, "shift")
		if typ.Kind == value.Double {
			n &^= 0x7ff << 52 // no NaN
		}
		return binary.BigEndian.AppendUint64(nil, n)
	}
	s := rapid.SampledFrom([]string{"", "a", "same to eight and more", "SAME to eight", "same to "}).Draw(t, "beginning") +
		rapid.StringOfN(rapid.RuneFrom([]rune("aAbBzé ~ö\t\x00")), 0, 12, -1).Draw(t, "end")
	if typ.Kind.IsText() && typ.Collation.Charset.Name == "latin1" {
		s = strings.Map(func(r rune) rune { return min(r, '~') }, s)
	}
	return append([]byte{}, s...)
}

// TestSorter: rows come in the order of their keys, and those of equal keys as they have
// come, whether or not keys are made of all of them.
func TestSorter(t *testing.T) {
	types := sortedTypes(t)
	rapid.Check(t, func(t *rapid.T) {
		keys := make([]sortKey, rapid.IntRange(1, 2).Draw(t, "keys"))
		for i := range keys {
			keys[i] = sortKey{column: i, typ: rapid.SampledFrom(types).Draw(t, "type"), descending: rapid.Bool().Draw(t, "descending")}
		}
		rows := make([]eval.Row, rapid.IntRange(0, 40).Draw(t, "rows"))
		for i := range rows {
			for k := range keys {
				rows[i] = append(rows[i], drawValue(t, keys[k].typ))
			}
			rows[i] = append(rows[i], []byte{byte(i)})
		}
		most := rapid.OneOf(rapid.Just(-1), rapid.IntRange(0, 10)).Draw(t, "most")
		got := sortRows(t, keys, rows, most)
		want := inOrder(keys, rows)
		if most >= 0 {
			want = want[:min(most, len(want))]
		}
		if !slices.EqualFunc(got, want, func(a, b eval.Row) bool { return bytes.Equal(a[len(keys)], b[len(keys)]) }) {
			t.Fatalf("%d keys, most %d: got\n%q, want\n%q", len(keys), most, got, want)
		}
	})
}

// TestSortFirst: a row whose keys are made at once is compared with one whose keys are made then.
func TestSortFirst(t *testing.T) {
	typ := sortedTypes(t)[0]
	keys := []sortKey{{column: 0, typ: typ}, {column: 1, typ: typ}}
	var rows []eval.Row
	for i, of := range [][2]string{{"longer than eight", "b"}, {"", "z"}, {"longer than eight", "a"}, {"longest", "c"}, {"", "a"}} {
		rows = append(rows, eval.Row{append([]byte{}, of[0]...), append([]byte{}, of[1]...), {byte(i)}})
	}
	for most := range rows {
		rapid.Check(t, func(t *rapid.T) {
			given := rapid.Permutation(rows).Draw(t, "rows")
			got, want := sortRows(t, keys, given, most), inOrder(keys, given)[:most]
			if !slices.EqualFunc(got, want, func(a, b eval.Row) bool { return bytes.Equal(a[2], b[2]) }) {
				t.Fatalf("the first %d: got\n%q, want\n%q", most, got, want)
			}
		})
	}
}

// sortRows has a sorter sort rows, and checks that it gives back what it has reserved for those
// that others have displaced.
func sortRows(t *rapid.T, keys []sortKey, rows []eval.Row, most int) []eval.Row {
	x := &Execution{Account: budget.Account{Budget: &budget.Budget{Bytes: 1 << 20, TotalBytes: 1 << 20}, Total: new(atomic.Int64)}}
	out := &gathered{}
	s, err := newSorter(x, keys, out)
	if err != nil {
		t.Fatal(err)
	}
	s.most = most
	given := make(eval.Row, len(keys)+1)
	for _, r := range rows { // what they are in is written to again
		for i, v := range r {
			if given[i] = given[i][:0]; v == nil {
				given[i] = nil
			} else {
				given[i] = append(append(given[i], 0)[:0], v...)
			}
		}
		if err := s.Row(given); err != nil {
			t.Fatal(err)
		}
	}
	kept := 0
	for i := range s.rows {
		kept += s.bytesOf(&s.rows[i])
	}
	if int(x.Account.Kept) != kept {
		t.Fatalf("%d bytes of the budget are used, want %d", x.Account.Kept, kept)
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	x.Close()
	return out.rows
}

// inOrder sorts rows by the weights of all of them.
func inOrder(keys []sortKey, rows []eval.Row) []eval.Row {
	made := slices.Clone(rows)
	slices.SortStableFunc(made, func(a, b eval.Row) int {
		weighed := [2]eval.Row{slices.Clone(a), slices.Clone(b)}
		for _, r := range weighed {
			for i := range keys {
				if keys[i].typ.Kind.IsText() && r[i] != nil {
					r[i] = keys[i].typ.Collation.AppendWeights([]byte{}, r[i])
				}
			}
		}
		return compareRows(keys, weighed[0], weighed[1])
	})
	return made
}

// TestSortBudget: keys that are made late count as well.
func TestSortBudget(t *testing.T) {
	keys := []sortKey{{column: 0, typ: sortedTypes(t)[0]}}
	x := &Execution{Account: budget.Account{Budget: &budget.Budget{Bytes: 4000, TotalBytes: 1 << 20}, Total: new(atomic.Int64), Hint: func() string { return "" }}}
	s, err := newSorter(x, keys, &gathered{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 { // that their heads do not tell apart
		if err := s.Row(eval.Row{bytes.Repeat([]byte("a"), 1000)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.End(); err == nil {
		t.Error("more is kept than the budget allows")
	}
}
