package plan

import (
	"testing"
)

// TestVariablesOfTargets: a user variable that a statement over several tables would write
// into a plain column is one that the server gets as it is, so that one with a value of a
// protected column is refused; in a protected column it is not.
func TestVariablesOfTargets(t *testing.T) {
	c := tables(t)
	for text, want := range map[string]bool{
		"UPDATE person p JOIN sbtest1 s ON s.id = p.id SET p.town = @v":            true,
		"UPDATE person p JOIN sbtest1 s ON s.id = p.id SET p.town = CONCAT(@v, 1)": true,
		"UPDATE person p JOIN sbtest1 s ON s.id = p.id SET p.note = @v":            false,
		"UPDATE person p JOIN sbtest1 s ON s.k = p.age SET p.note = CONCAT(@v, 1)": false,
		"SELECT name FROM person WHERE (name, age) IN ((@v, 1), ('x', 2))":         false,
		"SELECT name FROM person WHERE (town, age) IN ((@v, 1), ('x', 2))":         true,
	} {
		run, err := buildText(c, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if sent := run.SentVariables(); len(sent) > 0 != want {
			t.Errorf("%s: %v are sent, want %v", text, sent, want)
		}
	}
	if _, err := buildText(c, "UPDATE person p JOIN town t ON t.name = p.town SET p.town = CONCAT(t.zip, @v)"); err == nil {
		t.Error("a variable in what is computed for a plain column is not refused")
	}
}
