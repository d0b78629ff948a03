package difftest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/wire"
)

func TestParseScript(t *testing.T) {
	main := SessionSpec{Name: "main"}
	tests := []struct {
		name, text string
		want       []Step
	}{
		{"statements", "# comment\nSELECT 1;\n\nSELECT\n  -- 2\n  2;", []Step{
			{SQL: "SELECT 1", Line: 2, Session: main},
			{SQL: "SELECT\n  -- 2\n  2", Line: 4, Session: main},
		}},
		{"delimiter", "-- delimiter $$\nBEGIN; END$$\n-- delimiter ;\nSELECT 1;", []Step{
			{SQL: "BEGIN; END", Line: 2, Session: main},
			{SQL: "SELECT 1", Line: 4, Session: main},
		}},
		{"errors", "-- error 1064\nA;\n-- error mysql 3819\nB;\n-- dies\nC;\n-- dies mysql\nD;", []Step{
			{SQL: "A", Line: 2, Session: main, Errors: map[string]uint16{"mariadb": 1064, "mysql": 1064}},
			{SQL: "B", Line: 4, Session: main, Errors: map[string]uint16{"mysql": 3819}},
			{SQL: "C", Line: 6, Session: main, Dies: "any"},
			{SQL: "D", Line: 8, Session: main, Dies: "mysql"},
		}},
		{"parameters", "-- name twice\n-- ordered\n-- params int:-1 null string:\"a b\"*2\n-- again int:2 null string:x\nA;", []Step{{
			SQL: "A", Line: 5, Session: main, Name: "twice", Ordered: true,
			Executions: []Execution{
				{Text: `int:-1 null string:"a b"*2`, Params: []Param{
					{Type: wire.TypeLong, Value: []byte{255, 255, 255, 255}},
					{Type: wire.TypeNull, Null: true},
					{Type: wire.TypeString, Value: []byte("\x06a ba b")},
				}},
				{SameTypes: true, Text: "int:2 null string:x", Params: []Param{
					{Type: wire.TypeLong, Value: []byte{2, 0, 0, 0}},
					{Type: wire.TypeNull, Null: true},
					{Type: wire.TypeString, Value: []byte("\x01x")},
				}},
			},
		}}},
		{"bytes", `-- send "SELECT '\xe4" "b"*3 "'"`, []Step{{SQL: "SELECT '\xe4bbb'", Line: 1, Session: main}}},
		{"commands", "-- error 1047\n-- command raw \"\\x00 x\"\n-- command field-list t n%", []Step{
			{Kind: StepCommand, Command: []string{"raw", "\x00 x"}, Line: 2, Session: main, Errors: map[string]uint16{"mariadb": 1047, "mysql": 1047}},
			{Kind: StepCommand, Command: []string{"field-list", "t", "n%"}, Line: 3, Session: main},
		}},
		{"sessions", "-- session a user=u collation=8\nA;\n-- session main\nB;\n-- session a\nC;", []Step{
			{SQL: "A", Line: 2, Session: SessionSpec{Name: "a", User: "u", Collation: 8}},
			{SQL: "B", Line: 4, Session: main},
			{SQL: "C", Line: 6, Session: SessionSpec{Name: "a", User: "u", Collation: 8}},
		}},
		{"background", "-- background\nA;\n-- session b\n-- await main\n-- session main\n-- reap", []Step{
			{SQL: "A", Line: 2, Session: main, Background: true},
			{Kind: StepAwait, Target: "main", Line: 4, Session: SessionSpec{Name: "b"}},
			{Kind: StepReap, Line: 6, Session: main},
		}},
		{"file", "-- file flavor mysql\n-- file normalise index-use\n-- normalise decoy numbers\nA;", []Step{
			{SQL: "A", Line: 4, Session: main, Rules: []string{"index-use", "decoy", "numbers"}},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			script, err := ParseScript("some.test", test.text)
			if err != nil {
				t.Fatal(err)
			}
			for i := range test.want {
				test.want[i].File = "some.test"
			}
			if diff := cmp.Diff(test.want, script.Steps); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseScriptRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1":                                     `some.test:1: statement without ";"`,
		"-- nonsense\nSELECT 1;":                       `some.test:1: unknown directive "nonsense"`,
		"SELECT 1;\n-- name last":                      "directives after the last step",
		"-- name a\nA;\n-- name a\nB;":                 "name a stands at lines [2 4]",
		"-- flavor oracle\nA;":                         `flavor "oracle"`,
		"-- error many\nA;":                            "some.test:1:",
		"-- error mysql\nA;":                           "some.test:1:",
		"-- normalise everything\nA;":                  `no rule is named "everything"`,
		"-- again int:1\nA;":                           "must come with their types",
		"-- params int:many\nA;":                       "some.test:1:",
		"-- params colour:red\nA;":                     "some.test:1:",
		"-- session":                                   "want a session's name",
		"-- session a colour=red":                      `unknown option "colour"`,
		"-- session a user=u\nA;\n-- session a user=v": "session a has its options already",
		"-- command dance":                             `unknown command "dance"`,
		"-- dies slowly\nA;":                           `flavor "slowly"`,
		"A;\n-- file flavor mysql":                     "file options stand before the first step",
		"-- file configs nothere":                      `no configuration is named "nothere"`,
		"-- background\nA;\nB;\n-- reap":               "some.test:3: session main has a background step on mariadb that nobody has reaped, of line 2",
		"-- background\nA;\n-- await main\n-- reap":    "some.test:3: session main has a background step",
		"-- background\nA;\n-- background\nB;":         "some.test:4: session main has a background step",
		"-- reap":                                      "session main has no background step to reap",
		"-- background\nA;\n-- reap\n-- reap":          "some.test:4: session main has no background step to reap on mariadb",
		"-- background\nA;\n-- flavor mysql\n-- reap":  "some.test:2: nobody reaps this background step",
		"-- flavor mysql\n-- background\nA;\n-- reap":  "some.test:4: session main has no background step to reap on mariadb",
		"-- background\nA;":                            "some.test:2: nobody reaps",
		"-- send unquoted":                             "want a quoted string",
	} {
		if _, err := ParseScript("some.test", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// statementsMin is less than the corpus has, and more than it may ever shrink to.
const statementsMin = 1000

// TestCorpusIsLarge counts what the oracle knows to ask.
func TestCorpusIsLarge(t *testing.T) {
	scripts, err := LoadCorpus("testdata/corpus")
	if err != nil {
		t.Fatal(err)
	}
	for _, flavor := range flavors {
		if n := len(distinct(scripts, flavor)); n < statementsMin {
			t.Errorf("%d distinct statements for %s, want %d", n, flavor, statementsMin)
		}
	}
}
