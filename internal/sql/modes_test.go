package sql

import "testing"

func TestWithSQLMode(t *testing.T) {
	for value, want := range map[string]Modes{
		"":                                   0,
		"STRICT_TRANS_TABLES,NO_ZERO_DATE":   0,
		"ansi_quotes":                        ANSIQuotes,
		"NO_BACKSLASH_ESCAPES, ANSI_QUOTES":  NoBackslashEscapes | ANSIQuotes,
		"ANSI":                               ANSIQuotes | PipesAsConcat | IgnoreSpace,
		"REAL_AS_FLOAT,PIPES_AS_CONCAT,ANSI": ANSIQuotes | PipesAsConcat | IgnoreSpace,
		"ORACLE":                             ANSIQuotes | PipesAsConcat | IgnoreSpace | Oracle,
		"MSSQL":                              ANSIQuotes | PipesAsConcat | IgnoreSpace | MSSQL,
		"HIGH_NOT_PRECEDENCE":                HighNotPrecedence,
	} {
		before := (MSSQL | NoBackslashEscapes).WithCharset("gbk").WithServer("10.11.6-MariaDB")
		got := before.WithSQLMode(value)
		if got != want|Modes(0).WithCharset("gbk").WithServer("10.11.6-MariaDB") {
			t.Errorf("%q: %b", value, got)
		}
	}
}

func TestWithServer(t *testing.T) {
	for version, want := range map[string]struct {
		number  int
		mariadb bool
		tidb    bool
	}{
		"8.0.36":                             {80036, false, false},
		"9.1.0-commercial":                   {90100, false, false},
		"5.7.44-log":                         {50744, false, false},
		"10.11.6-MariaDB-0+deb12u1":          {101106, true, false},
		"5.5.5-10.11.6-MariaDB-0+deb12u1":    {101106, true, false},
		"11.4.2-MariaDB":                     {110402, true, false},
		"8.0.11-TiDB-v8.1.0":                 {80011, false, true},
		"":                                   {0, false, false},
		"next":                               {0, false, false},
		"10":                                 {100000, false, false},
		"123456789.1.1":                      {0, false, false},
		"99999999999999999999999999.0.0-foo": {0, false, false},
	} {
		m := (ANSIQuotes | MariaDB | TiDB).WithServer("7.7.7").WithServer(version)
		if m.version() != want.number || (m&MariaDB != 0) != want.mariadb || (m&TiDB != 0) != want.tidb || m&ANSIQuotes == 0 {
			t.Errorf("%q: %d %b", version, m.version(), m)
		}
	}
}

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
		fp := f.Fingerprint([]byte(c.text), Modes(0).WithCharset(c.charset))
		if fp.Clean != c.clean {
			t.Errorf("%s %q: clean is %t", c.charset, c.text, fp.Clean)
		}
		if fp.Clean && string(fp.Template) != c.template {
			t.Errorf("%s %q: %q", c.charset, c.text, fp.Template)
		}
	}
}
