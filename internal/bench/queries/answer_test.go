package queries

import (
	"strings"
	"testing"
)

// answered is an answer of rows with single letters as their values, of which 0 is NULL and
// - is empty.
func answered(sorted []int, rows ...string) *Answer {
	r, columns := &Reader{}, 0
	for _, row := range rows {
		columns = len(row)
		for _, v := range row {
			switch v {
			case '0':
				r.sizes = append(r.sizes, isNull)
			case '-':
				r.sizes = append(r.sizes, 0)
			default:
				r.data, r.sizes = append(r.data, byte(v)), append(r.sizes, 1)
			}
		}
	}
	return r.sum(columns, sorted)
}

// TestAlike: one answer that differs is found, wherever it is. Rows may come in any order
// where the question has none, and those that are alike in what they are sorted by where it has one.
func TestAlike(t *testing.T) {
	for _, c := range []struct {
		sorted  []int
		answers string // rows of an answer are separated by a comma
		same    bool
	}{
		{nil, "a,b,b a,b,b", true},
		{nil, "b,a,b a,b,b b,b,a", true},
		{nil, "ab ab", true},
		{nil, "a,b a,b a,b,b", false},
		{nil, "a,b a,c", false},
		{nil, "a,b a,a a,b", false},
		{nil, "0 0", true},
		{nil, "0 -", false},
		{nil, "a- -a", false},
		{nil, "ab,cd ad,cb", false},
		{[]int{1}, "a,b a,b", true},
		{[]int{1}, "a,b a,b b,a", false},
		{[]int{1}, "ax,ay,bz ay,ax,bz", true},
		{[]int{1, 2}, "ax,ay,bz ay,ax,bz", false},
		{[]int{2}, "xa,yb yb,xa", false},
		{[]int{1}, "a,0 0,a", false},
	} {
		var answers []*Answer
		for rows := range strings.FieldsSeq(c.answers) {
			answers = append(answers, answered(c.sorted, strings.Split(rows, ",")...))
		}
		if got := Alike(answers); got != c.same {
			t.Errorf("%s, sorted by %v: alike is %v", c.answers, c.sorted, got)
		}
	}
	if !Alike([]*Answer{{}, answered(nil)}) || Alike([]*Answer{answered(nil), answered(nil, "a")}) {
		t.Error("no rows")
	}
}

// TestOrderIsOfColumns: where a question says ORDER BY, its answers are compared in order,
// by as many columns as it says.
func TestOrderIsOfColumns(t *testing.T) {
	for _, set := range []Set{Scan, Ops, TPCH} {
		for _, q := range set.Questions {
			_, by, sorted := strings.Cut(q.Text, "ORDER BY ")
			if want := strings.Count(by, ",") + 1; sorted && len(q.Order) != want || !sorted && len(q.Order) != 0 {
				t.Errorf("%s, %s: sorted by %v: %s", set.Name, q.Name, q.Order, by)
			}
		}
	}
}
