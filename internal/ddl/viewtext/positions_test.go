package viewtext

import "testing"

// TestWithPositions: MariaDB shows ” for the position of a column if what a view reads is gone, and a
// string without its character set in information_schema.
func TestWithPositions(t *testing.T) {
	for _, c := range []struct{ shown, definition, want string }{
		{"select _latin1'x' from `b` order by '' desc,''", "select 'x' from `b` order by 12 desc,''", "select _latin1'x' from `b` order by 12 desc,''"},
		{"select '' from `b` group by ''", "select '' from `b` group by 1", "select '' from `b` group by 1"},
		{`select 'it\''' from b`, "select 1", `select 'it\''' from b`},
		{"select '' from `b`", "select `x` from `b`", ""},
		{"select '' from `b`", "select '' from `b` limit 1", ""},
	} {
		got, ok := WithPositions(c.shown, c.definition)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s, %s: got %q, %v", c.shown, c.definition, got, ok)
		}
	}
}
