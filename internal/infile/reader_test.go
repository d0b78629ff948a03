package infile

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/sql"
)

// parts gives a file in parts of so many bytes.
func parts(text string, size int) func() ([]byte, error) {
	return func() ([]byte, error) {
		n := min(size, len(text))
		part := text[:n]
		text = text[n:]
		return []byte(part), nil
	}
}

// linesOf reads a file as rows of so many fields.
func linesOf(f *sql.FileFormat, width int, text string, size int) string {
	r := NewReader(f, 1<<10, parts(text, size))
	var all []string
	for {
		var fields []string
		for len(fields) < width && r.Next() {
			field := fmt.Sprintf("%q", r.Field)
			if r.IsNull() {
				field = "NULL"
			}
			fields = append(fields, field)
		}
		if len(fields) == 0 {
			break
		}
		more := r.NextLine()
		line := strings.Join(fields, " ")
		if r.LineWasCut {
			line += " cut"
		}
		all = append(all, line)
		if !more {
			break
		}
	}
	return strings.Join(all, "; ")
}

var (
	tabs   = sql.FileFormat{Terminated: []byte("\t"), Escaped: []byte(`\`), LineEnd: []byte("\n")}
	csv    = sql.FileFormat{Terminated: []byte(","), Enclosed: []byte(`"`), Escaped: []byte(`\`), LineEnd: []byte("\r\n")}
	twice  = sql.FileFormat{Terminated: []byte("||"), Enclosed: []byte("'"), Escaped: []byte("'"), LineEnd: []byte("\n")}
	marked = sql.FileFormat{Terminated: []byte(","), Starting: []byte("xxx"), LineEnd: []byte("\n")}
)

// TestLines reads what the manual's examples and rules say.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		format     *sql.FileFormat
		width      int
		text, want string
	}{
		{&tabs, 2, "1\ta\n2\tb\n", `"1" "a"; "2" "b"`},
		{&tabs, 2, "1\ta\n2\tb", `"1" "a"; "2" "b"`},
		{&tabs, 2, "", ""},
		{&tabs, 2, "\n\n", `""; ""`},
		{&tabs, 2, "1\t\\N\n", `"1" NULL`},
		{&tabs, 2, "1\tNULL\n", `"1" "NULL"`},
		{&tabs, 2, "a\\tb\tc\\nd\\\\\\0\\Z\\x\n", `"a\tb" "c\nd\\\x00\x1ax"`},
		{&tabs, 2, "a\\\tb\tc\n", `"a\tb" "c"`},
		{&tabs, 2, "1\ta\textra\n2\tb\n", `"1" "a" cut; "2" "b"`},
		{&tabs, 2, "1\n2\tb\n", `"1"; "2" "b"`},
		{&tabs, 2, "a\tb\\", `"a" "b\\"`},
		{&csv, 3, "\"a\",\"b\"\"c\",\"d\"\r\n", `"a" "b\"c" "d"`},
		{&csv, 3, "\"a,b\",\"c\r\nd\",e\r\n", `"a,b" "c\r\nd" "e"`},
		{&csv, 3, "\"a\"b\",c,d\r\n", `"a\"b" "c" "d"`},
		{&csv, 3, "NULL,\"NULL\",\\N\r\n", `NULL "NULL" NULL`},
		{&csv, 3, "a,b,\"open\r\n", `"a" "b" "\"open\r\n"`},
		{&csv, 2, "a\rb,c\r\nd,e\r\n", `"a\rb" "c"; "d" "e"`},
		{&twice, 2, "'it''s'||b\n'c'||'d'\n", `"it's" "b"; "c" "d"`},
		{&twice, 2, "a|b||c\n", `"a|b" "c"`},
		{&marked, 2, "xxx\"abc\",1\nsomething xxx\"def\",2\n\"ghi\",3\n", `"\"abc\"" "1"; "\"def\"" "2"`},
	} {
		for _, size := range []int{1, 2, 1000} {
			if got := linesOf(c.format, c.width, c.text, size); got != c.want {
				t.Errorf("%q in parts of %d\n got %s\nwant %s", c.text, size, got, c.want)
			}
		}
	}
}

// TestLinesBack: whatever is written with escapes is read again.
func TestLinesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.StringOf(rapid.RuneFrom([]rune("ab\t\n\\\"',N0é"))), 2, 2), 1, 5).Draw(t, "rows")
		var text, want strings.Builder
		escape := strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`)
		for i, row := range rows {
			fmt.Fprintf(&text, "%s\t%s\n", escape.Replace(row[0]), escape.Replace(row[1]))
			if i > 0 {
				want.WriteString("; ")
			}
			fmt.Fprintf(&want, "%q %q", row[0], row[1])
		}
		if got := linesOf(&tabs, 2, text.String(), rapid.IntRange(1, 9).Draw(t, "size")); got != want.String() {
			t.Fatalf("%q\n got %s\nwant %s", text.String(), got, want.String())
		}
	})
}

// FuzzLines: no file makes the reader stop, or keep more than it may.
func FuzzLines(f *testing.F) {
	f.Add("1\ta\n", "\t", "\"", "\\", "", "\n")
	f.Add("xxa,'b'", ",", "'", "'", "xx", ";;")
	f.Fuzz(func(t *testing.T, text, terminated, enclosed, escaped, starting, lineEnd string) {
		if terminated == "" || lineEnd == "" { // which is refused before a file is read
			terminated, lineEnd = ",", ";"
		}
		format := sql.FileFormat{
			Terminated: []byte(terminated), Enclosed: []byte(enclosed), Escaped: []byte(escaped),
			Starting: []byte(starting), LineEnd: []byte(lineEnd),
		}
		if a, b := linesOf(&format, 3, text, 1), linesOf(&format, 3, text, 100); a != b {
			t.Fatalf("in parts of 1: %s\nin parts of 100: %s", a, b)
		}
	})
}
