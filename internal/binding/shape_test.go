package binding

import (
	"testing"

	"tunic/internal/environment"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// TestAppendFormat: of a format or a time that is described there is what decides its
// length and type, and nothing else.
func TestAppendFormat(t *testing.T) {
	utf8mb4, _ := charset.CharsetByName(value.MySQL, "utf8mb4")
	b := &Binder{Env: &environment.Environment{Client: utf8mb4, Value: value.Env{Flavor: value.MySQL}}}
	for given, want := range map[string]string{
		"%Y-%m-%d %H:%i:%s.%f": "%Y-%m-%d %H:%i:%s.%f",
		"Week %v of %x, 100%%": "xxxx %v xx %x, 111%%",
		"it's \\ secret":       "xxxx x xxxxxx",
		"%Y年":                  "%Yé",
		"100%":                 "111x",
		"%1":                   "x1",
		"-23:59:58.75":         "-11:11:11.11",
		"2024-01-31":           "1111-11-11",
		"":                     "",
	} {
		got := string(b.appendFormat(nil, []byte(given), 0))
		if got != want {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
		if utf8mb4.CharLen([]byte(got)) != utf8mb4.CharLen([]byte(given)) {
			t.Errorf("%q: another length: %q", given, got)
		}
	}
	if one, other := b.appendFormat(nil, []byte("a%Y"), 0), b.appendFormat(nil, []byte("b%Y"), 1); string(one) == string(other) {
		t.Errorf("two formats became one: %q", one)
	}
}

// TestAppendElements: of a format of TO_CHAR there is what the server has to know, and nothing else.
func TestAppendElements(t *testing.T) {
	utf8mb4, _ := charset.CharsetByName(value.MariaDB, "utf8mb4")
	b := &Binder{Env: &environment.Environment{Client: utf8mb4, Value: value.Env{Flavor: value.MariaDB}}}
	for given, want := range map[string]string{
		"YYYY-mm-DD hh24:MI:ss":  "YYYY-mm-DD hh24:MI:ss",
		"YYYYMMDD":               "YYYYMMDD",
		"Month \"of Mary\" A.D.": "Month \"xx xxxx\" A.D.",
		"\"it's \\ 5\" YY":       "\"xx-x - x\" YY",
		"secret 7":               "xxxxxx x",
		"YYYY年":                  "ééééé",
		"":                       "",
	} {
		got := string(b.appendElements(nil, []byte(given), 0))
		if got != want {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
		if utf8mb4.CharLen([]byte(got)) != utf8mb4.CharLen([]byte(given)) {
			t.Errorf("%q: another length: %q", given, got)
		}
	}
}

// TestAppendDigits: a number that is described is as long as one of the client's, and a DOUBLE if that is one.
func TestAppendDigits(t *testing.T) {
	for given, want := range map[string]string{
		"0": "3", "1024": "3333", "12.50": "33.33", ".5": ".3", "0x1aF": "0x333",
		"1e308": "3e003", "1.7976931348623157e308": "3.3333333333333333e003", "1E-300": "3E-003", "2e+5": "3e+3", "1e9": "3e3",
	} {
		if got := string(appendDigits(nil, []byte(given), '3')); got != want {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
	}
}
