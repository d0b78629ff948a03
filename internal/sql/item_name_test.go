package sql

import (
	"testing"
)

// TestAppendLiteralName: the names are those that both servers have sent.
func TestAppendLiteralName(t *testing.T) {
	for item, want := range map[string]struct{ mariadb, mysql string }{
		`'abc'`:                {"abc", "abc"},
		`'a' 'b'  'c'`:         {"abc", "a"},
		`N'ab' 'c'`:            {"abc", "ab"},
		`_latin1'ab'`:          {"ab", "ab"},
		`_utf8mb4 'a' 'b'`:     {"ab", "a"},
		`'  x '`:               {"x ", "x "},
		`'it''s'`:              {"it's", "it's"},
		`'a\'b\%'`:             {`a'b\%`, `a'b\%`},
		`'a\0b'`:               {"a\x00b", "a"},
		`'' 'a'`:               {"a", ""},
		`(( 'a' /* c */ 'b'))`: {"ab", "a"},
		`(5)`:                  {"5", "5"},
		`+ 5`:                  {"5", "5"},
		`+(1.50)`:              {"1.50", "1.50"},
		`+'a'`:                 {"a", "a"},
	} {
		for m, name := range map[Modes]string{MariaDB: want.mariadb, 0: want.mysql} {
			if got, ok := AppendLiteralName(nil, []byte(item), m); !ok || string(got) != name {
				t.Errorf("%s: %q, %v, want %q", item, got, ok, name)
			}
		}
	}
	for _, item := range []string{`'a' AS x`, `-5`, `5 + 1`, `(5) + 1`, `'a' COLLATE utf8mb4_bin`, `DATE'2020-01-01'`, `(SELECT 5)`, `_latin1 x'41'`, `x'41'`, `s`, `('a'`, `NULL`, `"a`} {
		if got, ok := AppendLiteralName(nil, []byte(item), MariaDB); ok {
			t.Errorf("%s: %q", item, got)
		}
	}
}
