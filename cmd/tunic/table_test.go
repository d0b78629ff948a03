package main

import "testing"

func TestFormatTable(t *testing.T) {
	got := formatTable([][]string{{"id", "name"}, {"1", "Alice"}, {"20", "张伟"}})
	want := `+----+-------+
| id | name  |
+----+-------+
| 1  | Alice |
| 20 | 张伟  |
+----+-------+
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestRowCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0 rows", 1: "1 row", 2: "2 rows"} {
		if got := rowCount(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
