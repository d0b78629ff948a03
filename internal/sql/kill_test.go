package sql

import "testing"

func TestKilledQuery(t *testing.T) {
	for text, want := range map[string]uint64{
		"KILL QUERY 5": 5, "kill soft query 17": 17, "KILL HARD QUERY /* x */ 3;": 3,
		"KILL 5": 0, "KILL CONNECTION 5": 0, "KILL QUERY USER app": 0, "KILL QUERY ID 5": 0, "KILL QUERY 1+4": 0, "KILL QUERY 1.5": 0, "SELECT 5": 0,
	} {
		all, err := Parse([]byte(text), MariaDB)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		if got, ok := all[0].KilledQuery(); got*map[bool]uint64{true: 1}[ok] != want || ok != (want > 0) {
			t.Errorf("%s: %d, %t, want %d", text, got, ok, want)
		}
	}
}
