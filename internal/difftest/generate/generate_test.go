package generate

import (
	"reflect"
	"strings"
	"testing"
)

func TestSameSeedSameWorkload(t *testing.T) {
	for seed := range uint64(20) {
		a, b := New(seed, 100), New(seed, 100)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("seed %d makes two workloads", seed)
		}
		if len(a.Statements) != 100 {
			t.Errorf("seed %d makes %d statements", seed, len(a.Statements))
		}
	}
	if reflect.DeepEqual(New(1, 100).Statements, New(2, 100).Statements) {
		t.Error("two seeds make one workload")
	}
}

// TestEveryFormIsDrawn: what is never drawn is never compared.
func TestEveryFormIsDrawn(t *testing.T) {
	wanted := []string{
		"INSERT INTO", "INSERT IGNORE", "REPLACE", "ON DUPLICATE KEY", "UPDATE t SET", "DELETE FROM", "SELECT *", "GROUP BY",
		"DISTINCT", "HAVING", "LIMIT", "BETWEEN", " IN (", "NOT IN", "LIKE", "IS NULL", "<=>", "SUM(", "AVG(", "MIN(", "COUNT(DISTINCT", "ROLLBACK",
		"ALTER TABLE", "CONCAT(", "UNIQUE KEY", "NOT (", "sql_mode", "?",
	}
	for _, k := range kinds {
		wanted = append(wanted, k.declared)
	}
	var all strings.Builder
	for seed := range uint64(60) {
		for _, s := range New(seed, 150).Statements {
			all.WriteString(s.SQL + "\n")
			if marks, params := strings.Count(s.SQL, "?"), len(strings.Fields(s.Params)); marks > params {
				t.Errorf("%s: %d parameters", s.SQL, params)
			}
		}
	}
	for _, form := range wanted {
		if !strings.Contains(all.String(), form) {
			t.Errorf("no statement has %s", form)
		}
	}
}
