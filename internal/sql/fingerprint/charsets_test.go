package fingerprint

import (
	"testing"

	"tunic/internal/sql/lex"
)

// TestCharsets: in the character sets whose characters may end in the byte of a
// backslash or a backquote, such a byte is neither; in others it is, and the
// string of most of these texts does not end.
func TestCharsets(t *testing.T) {
	for _, c := range []struct {
		charset, text string
		clean         bool
		template      string
	}{
		{"gbk", "SELECT '\x81\x5c', 'b'", true, "SELECT '?', '?'"},
		{"gbk", "SELECT '\x81', 'b'", true, "SELECT '?', '?'"}, // 0x27 is no second byte
		{"gbk", "SELECT '\\\x81\x5c', 'b'", false, ""},
		{"gbk", "SELECT '\\\x81', 'b'", true, "SELECT '?', '?'"},
		{"gbk", "SELECT \x81\x5c, `\x81\x60`, `\x81\x60``b` FROM \xc4\xe3", true, "SELECT \x81\x5c, `\x81\x60`, `\x81\x60``b` FROM \xc4\xe3"},
		{"gbk", "SELECT \xff\xff", false, ""},
		{"sjis", "SELECT '\x83\x5c', 'b'", true, "SELECT '?', '?'"},
		{"sjis", "SELECT '\xb1\x5c', 'b'", false, ""}, // half-width: one byte, then a backslash
		{"cp932", "SELECT '\x95\x5c'", true, "SELECT '?'"},
		{"big5", "SELECT '\xa5\x5c', 'b'", true, "SELECT '?', '?'"},
		{"big5", "SELECT '\x81\x5c', 'b'", false, ""},
		{"gb18030", "SELECT '\x81\x30\x81\x30\x81\x5c', 'b'", true, "SELECT '?', '?'"},
		{"gb18030", "SELECT '\x81\x30\x5c', 'b'", false, ""},
		{"utf8mb4", "SELECT '\x81\x5c', 'b'", false, ""},
		{"euckr", "SELECT '\xb0\xa1', 'b'", true, "SELECT '?', '?'"},
		{"latin1", "SELECT '\xe9\x5c', 'b'", false, ""},
		{"latin1", "SELECT 1 ORDER\xa0BY 2", false, ""},
		{"latin1", "SELECT 1 --\xa0'", false, ""},
		{"utf8mb4", "SELECT 1 --\xc2\xa0, 2", true, "SELECT ? --\xc2\xa0, ?"},
		{"swe7", "SELECT 1", false, ""},
		{"utf32", "SELECT 'é'", false, ""},
	} {
		var f Fingerprinter
		fp := f.Fingerprint([]byte(c.text), lex.Modes(0).WithCharset(c.charset))
		if fp.Clean != c.clean {
			t.Errorf("%s %q: clean is %t", c.charset, c.text, fp.Clean)
		}
		if fp.Clean && string(fp.Template) != c.template {
			t.Errorf("%s %q: %q", c.charset, c.text, fp.Template)
		}
	}
}
