package sql

import (
	"testing"
)

func TestKilledQuery(t *testing.T) {
	const none = 1<<64 - 1
	for text, want := range map[string]uint64{
		"KILL QUERY 5": 5, "kill soft query 17": 17, "KILL HARD QUERY /* x */ 3;": 3, "KILL TIDB QUERY 7": 7,
		"KILL QUERY 8646911284551352321": 8646911284551352321, "KILL QUERY ?": 0,
		"KILL 5": none, "KILL CONNECTION 5": none, "KILL TIDB 5": none, "KILL QUERY USER app": none, "KILL QUERY ID 5": none,
		"KILL QUERY 1+4": none, "KILL QUERY ?+1": none, "KILL QUERY 1.5": none, "KILL QUERY @v": none, "KILL QUERY 0": none, "SELECT 5": none,
	} {
		all, err := Parse([]byte(text), MariaDB)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		got, ok := all[0].KilledQuery()
		if !ok {
			got = none
		}
		if got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
