package sql

import (
	"testing"
)

// TestReadAlike: texts are alike in two modes where nothing in them means something else.
func TestReadAlike(t *testing.T) {
	utf8, latin1, swe7 := Modes(0).WithCharset("utf8mb4"), Modes(0).WithCharset("gbk"), Modes(0).WithCharset("swe7")
	for _, c := range []struct {
		text string
		a, b Modes
		want bool
	}{
		{`SELECT "x"`, ANSIQuotes, ANSIQuotes, true},
		{"SELECT `a` FROM t WHERE b = 'x'", 0, ANSIQuotes | NoBackslashEscapes | PipesAsConcat, true},
		{`SELECT "x"`, 0, ANSIQuotes, false},
		{`SELECT '\n'`, 0, NoBackslashEscapes, false},
		{`SELECT a || b`, 0, PipesAsConcat, false},
		{`SELECT a FROM t WHERE b IN (1)`, 0, IgnoreSpace, true},
		{`INSERT INTO t (a) VALUES (?)`, 0, IgnoreSpace, true},
		{`SELECT COUNT(*) FROM t`, 0, IgnoreSpace, true},
		{`SELECT COUNT (*) FROM t`, 0, IgnoreSpace, false},
		{`SELECT Count/* all */(*) FROM t`, 0, IgnoreSpace, false},
		{`SELECT Count /*! (*) */ FROM t`, 0, IgnoreSpace, false},
		{`SELECT COUNT (* FROM t WHERE a = '`, 0, IgnoreSpace, false},
		{`SELECT a FROM t WHERE not a`, 0, HighNotPrecedence, false},
		{`SELECT a FROM t WHERE !a`, 0, HighNotPrecedence, true},
		{`SELECT a`, 0, Oracle, false},
		{`SELECT a`, 0, MSSQL, false},
		{`SELECT a`, MariaDB, TiDB, false},
		{"SELECT 'a'", utf8, latin1, true},
		{"SELECT '\xc3\xa4'", utf8, latin1, false},
		{"SELECT 'a'", utf8, swe7, false},
	} {
		if got := ReadAlike([]byte(c.text), c.a, c.b); got != c.want {
			t.Errorf("%q in %b and %b: %t", c.text, c.a, c.b, got)
		}
		if got := ReadAlike([]byte(c.text), c.b, c.a); got != c.want {
			t.Errorf("%q in %b and %b: %t", c.text, c.b, c.a, got)
		}
	}
}
