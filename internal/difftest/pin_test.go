package difftest

import (
	"strings"
	"testing"
)

func TestPins(t *testing.T) {
	pins, err := ParsePins("pins.txt", `
# a comment
mariadb  text*  kill/self   warnings.*  the reason why
*        *      show/*      replies     another
mysql    *      never/seen  *           a third
`)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		flavor, config, step, field string
		line                        int // 0: not tolerated
	}{
		{"mariadb", "text-eof", "kill/self", "warnings.0.rows", 3},
		{"mysql", "text", "kill/self", "warnings.0.rows", 0},
		{"mariadb", "prepared", "kill/self", "warnings.0.rows", 0},
		{"mariadb", "text", "kill/other", "warnings.0.rows", 0},
		{"mariadb", "text", "kill/self", "query.0.rows", 0},
		{"mysql", "cursor", "show/anything", "replies", 4},
		{"mysql", "cursor", "show/", "replies", 4},
		{"mysql", "cursor", "showing/anything", "replies", 0},
	}
	for _, test := range tests {
		got := 0
		if pin := pins.Match(test.flavor, test.config, test.step, test.field); pin != nil {
			got = pin.Line
		}
		if got != test.line {
			t.Errorf("%+v: matched line %d", test, got)
		}
	}
	if stale := pins.Stale("mysql"); len(stale) != 1 || stale[0].Line != 5 {
		t.Errorf("stale on mysql: %v", stale)
	}
	if stale := pins.Stale("mariadb"); len(stale) != 0 {
		t.Errorf("stale on mariadb: %v", stale)
	}
	if pins.List[0].Reason != "the reason why" {
		t.Errorf("reason %q", pins.List[0].Reason)
	}
}

func TestPinsRefuse(t *testing.T) {
	for text, want := range map[string]string{
		"mysql * kill/self replies":         "pins.txt:1: want flavor",
		"\nmysql * [ replies and a reason":  "pins.txt:2: pattern [",
		"# fine\n* * a/b [x-] and a reason": "pins.txt:2: pattern [x-]",
	} {
		if _, err := ParsePins("pins.txt", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestPinsTolerate shows that a pin lets its difference pass, and no other.
func TestPinsTolerate(t *testing.T) {
	pins, err := ParsePins("pins.txt", "* * a/step query.0.x reason")
	if err != nil {
		t.Fatal(err)
	}
	r := &Runner{Flavor: "mysql", Pins: pins, report: &Report{}}
	step := &Step{Name: "step"}
	if !r.note("a", &Config{}, step, []Difference{{Field: "query.0.x"}}) {
		t.Error("the pinned difference failed")
	}
	if r.note("a", &Config{}, step, []Difference{{Field: "query.0.x"}, {Field: "query.0.y"}}) {
		t.Error("a difference without a pin passed")
	}
	if r.report.Tolerated != 2 || len(r.report.Failures) != 1 || len(r.report.Failures[0].Differences) != 1 {
		t.Errorf("report %+v", r.report)
	}
}
