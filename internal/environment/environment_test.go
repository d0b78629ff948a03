package environment

import (
	"math"
	"strings"
	"testing"
	"time"

	"tunic/internal/backend"
	"tunic/internal/sql"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// usual is what a server tells of a session that has set nothing.
func usual() backend.Environment {
	return backend.Environment{
		SQLMode: "STRICT_TRANS_TABLES,NO_ZERO_IN_DATE", Client: "utf8mb4", Collation: "utf8mb4_general_ci", Results: "utf8mb4", ResultsID: 45,
		TimeZone: "+00:00", Moment: time.Unix(1_700_000_000, 0), Fixed: true, PacketBytes: 1 << 20, NoticesMax: 64,
		DivPrecision: 4, Names: "en_US", SelectMost: math.MaxUint64, Notes: true,
	}
}

// learned is the environment of such a session, after a change of what is told.
func learned(modes sql.Modes, change func(*backend.Environment)) (*Environment, error) {
	told := usual()
	if change != nil {
		change(&told)
	}
	var e Environment
	err := e.Learn(told, modes, &Zones{}, func(string, int) ([]string, error) { return make([]string, 10_000), nil })
	return &e, err
}

func TestLearn(t *testing.T) {
	e, err := learned(0, func(told *backend.Environment) { told.SQLMode += ",NO_BACKSLASH_ESCAPES" })
	if err != nil {
		t.Fatal(err)
	}
	if e.Begin(); !e.Value.Now.Equal(time.Unix(1_700_000_000, 0)) {
		t.Errorf("the client's time is %v", e.Value.Now)
	}
	if !e.Value.Strict() || strings.Contains(e.UnstrictMode, "STRICT") || !e.Has("NO_ZERO_IN_DATE") || e.Has("NO_ZERO") {
		t.Errorf("sql_mode is %q, without its strictness %q", e.SQLMode, e.UnstrictMode)
	}
	s := e.EvalSession()
	if s.Flavor != value.MySQL || !s.NoBackslashEscapes || s.NoUnsignedSubtraction || s.Collation != e.Connection || !s.EnglishNames {
		t.Errorf("%+v", s)
	}
	if as := e.DescribeAs(); as.Client != "utf8mb4" || as.Connection != "utf8mb4_general_ci" || as.SQLMode != e.SQLMode {
		t.Errorf("%+v", as)
	}
	if !e.InUTF8() || e.Limited || e.Zone != "" {
		t.Errorf("UTF-8 %v, limited %v, zone %q", e.InUTF8(), e.Limited, e.Zone)
	}
}

// TestLearnRefuses: a session of which something is not known is not served by what is likely.
func TestLearnRefuses(t *testing.T) {
	for name, change := range map[string]func(*backend.Environment){
		"empty strings":     func(told *backend.Environment) { told.SQLMode = "EMPTY_STRING_IS_NULL" },
		"auto is null":      func(told *backend.Environment) { told.AutoIsNull = true },
		"old dates":         func(told *backend.Environment) { told.OldDates = true },
		"client's set":      func(told *backend.Environment) { told.Client = "klingon" },
		"collation":         func(told *backend.Environment) { told.Collation = "klingon_ci" },
		"wide results":      func(told *backend.Environment) { told.Results = "utf16" },
		"wide connection":   func(told *backend.Environment) { told.Collation = "utf16_general_ci" },
		"set of no results": func(told *backend.Environment) { told.Results = "klingon" },
	} {
		if _, err := learned(0, change); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	e, err := learned(0, func(told *backend.Environment) { told.TimeZone = "Nowhere/Atall" })
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Serves(&value.Type{Kind: value.Timestamp}); err == nil {
		t.Error("a TIMESTAMP in a zone that is not known")
	}
	if err := e.Serves(&value.Type{Kind: value.DateTime}); err != nil {
		t.Error(err)
	}
}

// TestLiterals: what is written reads as the same value, whatever the session has set.
func TestLiterals(t *testing.T) {
	latin1, _ := charset.CharsetByName(value.MySQL, "latin1")
	e, err := learned(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	eight := []byte{0, 0, 0, 0, 0, 0, 0, 5}
	for _, c := range [...]struct {
		t         value.Type
		canonical []byte
		want      string
	}{
		{value.Type{Kind: value.VarChar, Collation: latin1.Default()}, []byte("a'b"), "_latin1 x'612762'"},
		{value.Type{Kind: value.VarBinary}, []byte{0, 0xff}, "x'00ff'"},
		{value.Type{Kind: value.Bit, Length: 3}, eight, "5"},
		{value.Type{Kind: value.Enum, Labels: [][]byte{[]byte("a"), []byte("b"), []byte("c"), []byte("d"), []byte("e")}}, eight, "5"},
		{value.Type{Kind: value.JSON}, []byte("{}"), "_utf8mb4 x'7b7d'"},
	} {
		got, err := e.AppendKept(nil, &c.t, c.canonical)
		if err != nil || string(got) != c.want {
			t.Errorf("%v: %s, %v; want %s", c.t.Kind, got, err, c.want)
		}
	}
	if got := e.AppendStored(nil, nil); string(got) != "NULL" {
		t.Errorf("%s", got)
	}
	if got := e.AppendForm(nil, []byte{1, '\''}); string(got) != "x'0127'" {
		t.Errorf("%s", got)
	}
	long := e.AppendForm(nil, make([]byte, stringBytes))
	if !strings.HasPrefix(string(long[:16]), "_binary '") {
		t.Errorf("%s", long[:16])
	}
	if _, err := AppendDouble(nil, math.Inf(1)); err == nil {
		t.Error("a number that is infinite")
	}
	if got := AppendEscaped(nil, []byte("a\x01\xff")); string(got) != `a\x01\xFF` {
		t.Errorf("%s", got)
	}
}
