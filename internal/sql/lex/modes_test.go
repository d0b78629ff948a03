package lex

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
		if m.Version() != want.number || (m&MariaDB != 0) != want.mariadb || (m&TiDB != 0) != want.tidb || m&ANSIQuotes == 0 {
			t.Errorf("%q: %d %b", version, m.Version(), m)
		}
	}
}
