package plan

import (
	"errors"
	"testing"

	"tunic/internal/plan/plantest"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// readings are the modes that a session whose modes nobody knows may be in.
func readings() []sql.Modes {
	var all []sql.Modes
	for _, mode := range []string{"", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "ANSI_QUOTES,NO_BACKSLASH_ESCAPES", "ORACLE", "MSSQL"} {
		for _, charset := range []string{"utf8mb4", "latin1", "gbk", "sjis", "big5", "gb18030", "binary"} {
			all = append(all, plantest.MariaDB.WithSQLMode(mode).WithCharset(charset))
		}
	}
	return all
}

// TestBlind: a session in modes that nobody knows gets no text through that names
// something protected in any of them. That it gets the others through is what
// keeps it usable.
func TestBlind(t *testing.T) {
	p := New(Options{Names: protects{"patient"}})
	for text, forwarded := range map[string]bool{
		"SELECT 1":                            true,
		"SHOW WARNINGS":                       true,
		"SELECT @@warning_count, ROW_COUNT()": true,
		"SELECT 'patient'":                    true,
		"SELECT '' FROM patient":              false,
		`SELECT "patient"`:                    false,
		`SELECT a FROM "patient"`:             false,
		`SELECT '\', a FROM patient -- '`:     false,
		`SELECT '\\', 'a'`:                    false,
		"SELECT [patient]":                    false,
		"SELECT '\x815c', a FROM t":           false,
		"SELECT `a`":                          false,
	} {
		var fp sql.Fingerprinter
		got := p.PlanBlind(&fp, []byte(text), plantest.MariaDB, "")
		if (Is[*Forward](got)) != forwarded {
			t.Errorf("%q: %v", text, got.ActionName())
		}
		if !forwarded && got.Refusal() == nil {
			t.Errorf("%q: refused without a reason", text)
		}
		for _, m := range readings() {
			if read := p.Plan(&fp, []byte(text), m, ""); Is[*Forward](got) && !Is[*Forward](read) {
				t.Errorf("%q: forwarded, but refused when read in modes %b", text, m)
			}
		}
	}
	var fp sql.Fingerprinter
	if got := p.PlanBlind(&fp, []byte(`SELECT "x"`), plantest.MariaDB, ""); !errors.Is(got.Refusal(), sqlerr.StatementUnread()) || !got.Statements[0].Effects.Stale {
		t.Errorf("%+v", got)
	}
	if got := New(Options{}).PlanBlind(&fp, []byte(`SELECT "x"`), plantest.MariaDB, ""); !Is[*Forward](got) {
		t.Error("a text is refused though nothing is protected")
	}
}
