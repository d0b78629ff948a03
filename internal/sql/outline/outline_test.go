package outline

import (
	"bytes"
	"strings"
	"testing"

	"tunic/internal/sql/lex"

	"pgregory.net/rapid"
)

// TestOutlineShows is what is left of texts.
func TestOutlineShows(t *testing.T) {
	for _, test := range []struct {
		text, want string
		modes      lex.Modes
	}{
		{text: "select Nam form customer", want: "SELECT|t1|t2|t3"},
		{text: "SELECT a, A, `a`, b.`from` FROM t", want: "SELECT|t1,|t1,|`t1`,|t2.`t3`|FROM|t4"},
		{text: "SELECT 'x''y', \"z\", N'n', x'4d', 0xff, b'1', 17, 1.5, .5, 5., 1e9, \\N", want: "SELECT|'x',|\"x\",|N'x',|x'00',|0x0,|b'0',|1,|1.0,|.0,|1.,|1e0,|\\N"},
		{text: `SELECT "z" FROM t`, want: `SELECT|"t1"|FROM|t2`, modes: lex.ANSIQuotes},
		{text: `SELECT 'a\' , n`, want: `SELECT|'x'|,|t1`, modes: lex.NoBackslashEscapes},
		{text: "SELECT secret(1), secret(), COUNT(*) FROM t", want: "SELECT|concat(|1|),|pi(|),|COUNT(|*|)|FROM|t1"},
		{text: "SELECT /* secret */ a -- secret\n, b # secret", want: "SELECT|t1|,|t2"},
		{text: "SELECT /*+ SECRET(t) */ a /*!99999 secret */", want: "SELECT|t1", modes: lex.Modes(0).WithServer("8.0.36")},
		{text: "SELECT @secret, @`secret`, @'secret', @@secret, @@global.secret", want: "SELECT|@t1,|@`t1`,|@'t1',|@@sql_mode,|@@GLOBAL.sql_mode"},
		{text: "SELECT DATE 'secret', TIME'secret', _latin1'secret' COLLATE latin1_secret", want: "SELECT|DATE|'2000-01-01',|TIME'00:00:00',|_utf8mb4'x'|COLLATE|utf8mb4_bin"},
		{text: "SELECT a FROM t WHERE b = 'secret", want: "SELECT|t1|FROM|t2|WHERE|t3|=|'"},
		{text: "SELECT a FROM t WHERE b = 'it's' AND date = 'x' OR c = 'y'", want: "SELECT|t1|FROM|t2|WHERE|t3|=|'x't4'x'x'z'"},
		{text: "SELECT a FROM t WHERE b = 'it's a date'", want: "SELECT|t1|FROM|t2|WHERE|t3|=|'x't4|t1"},
		{text: "SELECT a /* secret", want: "SELECT|t1|/*"},
		{text: "SELECT ? FROM t", want: "SELECT|]|FROM|t1"},
	} {
		o, ok := New([]byte(test.text), test.modes, false)
		if !ok {
			t.Errorf("%s: no outline", test.text)
			continue
		}
		text, whole := strings.CutSuffix(string(o.Text), ";\n"+sentinel)
		if whole == o.cut {
			t.Errorf("%s: %q has an end that it must not have, or none", test.text, o.Text)
		}
		if got := strings.TrimSuffix(strings.ReplaceAll(text, "\n", "|"), "|"); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.text, got, test.want)
		}
	}
}

// TestOutlineUncertain: what servers may read in another way has none.
func TestOutlineUncertain(t *testing.T) {
	for text, modes := range map[string]lex.Modes{
		"SELECT $$a$$":                         lex.Modes(0).WithServer("9.1.0"),
		"SELECT 'é'":                           lex.UnsafeCharset,
		"SELECT a":                             lex.Modes(0).WithCharset("swe7"),
		"SELECT a --/**/b":                     0,
		"/*! SELECT a /*!40000 x */ FROM t */": 0, // one in another
		"SELECT a \x00 b":                      0,
		"SELECT b":                             lex.TiDB,
		"SELECT " + strings.Repeat("a,", outlineBytesMax): 0,
	} {
		if o, ok := New([]byte(text), modes, false); ok {
			t.Errorf("%.20q has the outline %q", text, o.Text)
		}
	}
}

// TestOutlineTellsNothing: whatever a text is, its outline has no word of it but keywords.
func TestOutlineTellsNothing(t *testing.T) {
	parts := []string{
		"SELECT", "FROM", "WHERE", "date", "'", "'", `"`, "`", "(", ")", ",", " ", " ", "\n", "--", " -- ", "/*", "*/", "/*!", "#", "\\", "=", "@", "@@",
		".", ";", "N", "x", "_utf8mb4", "é", "\x00", "$$", "0x", "1", "?", "kanari", "kanari", "kanariż", "99kanari", "7731415926", "KANARI",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 40).Draw(t, "parts"), "")
		modes := lex.Modes(rapid.SampledFrom([]uint32{0, uint32(lex.ANSIQuotes), uint32(lex.NoBackslashEscapes), uint32(lex.MariaDB), uint32(lex.MSSQL)}).Draw(t, "modes"))
		o, ok := New([]byte(text), modes, true)
		if !ok {
			return
		}
		for _, canary := range []string{"kanari", "7731415926", "99", "ż", "é"} {
			if bytes.Contains(bytes.ToLower(o.Text), []byte(canary)) {
				t.Fatalf("%q has the outline %q", text, o.Text)
			}
		}
	})
}
