package sql

import "testing"

func TestRenames(t *testing.T) {
	for text, want := range map[string]bool{
		"HANDLER t OPEN":                  false,
		"HANDLER shop.t OPEN":             false,
		"HANDLER shop.`t` OPEN AS T":      false,
		"HANDLER t READ FIRST":            false,
		"HANDLER t READ `PRIMARY` >= (1)": false,
		"HANDLER t CLOSE":                 false,
		"SELECT 1 FROM t AS h":            false,
		"HANDLER t OPEN AS h":             true,
		"HANDLER shop.t OPEN h":           true,
		"/* x */ HANDLER t OPEN `open`":   true,
		"HANDLER t OPEN h h":              true,
		"HANDLER t OPEN AS":               true,
		"HANDLER 1":                       true,
	} {
		read, err := Parse([]byte(text), 0)
		if err != nil || len(read) != 1 {
			t.Fatalf("%s: %d, %v", text, len(read), err)
		}
		if got := read[0].Renames(); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
