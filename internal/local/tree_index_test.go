package local

import (
	"fmt"
	"testing"

	"tunic/internal/eval"
)

// TestRowIndex: the rows of a key are all that have it, in their order, and rows without one are of none.
func TestRowIndex(t *testing.T) {
	x := &rowIndex{}
	var rows []eval.Row
	var numbers []int32
	want := map[string]string{}
	for i := range 1000 {
		rows = append(rows, eval.Row{fmt.Append(nil, i)})
		if i%7 == 0 {
			numbers = append(numbers, 0)
			continue
		}
		key := fmt.Sprint(i * i % 101)
		n, added := x.keys.Add([]byte(key))
		if added {
			x.from = append(x.from, 0)
		}
		numbers = append(numbers, int32(n)+1)
		want[key] += fmt.Sprint(i, " ")
	}
	x.sort(rows, numbers)
	for key, all := range want {
		got := ""
		for _, r := range x.of([]byte(key)) {
			got += string(r[0]) + " "
		}
		if got != all {
			t.Errorf("%s: %s, want %s", key, got, all)
		}
	}
	if got := x.of([]byte("none")); len(got) > 0 {
		t.Errorf("%d rows of no key", len(got))
	}
	none := &rowIndex{}
	if none.sort(rows, make([]int32, len(rows))); len(none.of([]byte("1"))) > 0 {
		t.Error("rows of an index of none")
	}
}
