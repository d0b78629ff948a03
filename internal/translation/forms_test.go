package translation

import "testing"

// TestHideForms: what can be a stored form is hidden, names and numbers are not.
func TestHideForms(t *testing.T) {
	for text, want := range map[string]string{
		"-> Filter: (t.a$eq = 0xffEE) (cost=0.45 rows=2)":                  "-> Filter: (t.a$eq = ?) (cost=0.45 rows=2)",
		"select 'a''b' AS `it's`, x'00' from `t`":                          "select ? AS `it's`, ? from `t`",
		`select 'a\'b', N'c', b'01', 5`:                                    "select ?, ?, ?, 5",
		"where 'no end":                                                    "where ?",
		"select 'two\nlines', 'x'":                                         "select ?, ?",
		"a0x12 = 0x12":                                                     "a0x12 = ?",
		"select \"name\" from t where `a``'b` = '\x00\xff'":                "select \"name\" from t where `a``'b` = ?",
		"Rows fetched before execution  (cost=0..0 rows=1) (actual ...)\n": "Rows fetched before execution  (cost=0..0 rows=1) (actual ...)\n",
	} {
		if got := HideForms(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
