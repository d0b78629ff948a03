package build

import (
	"fmt"
	"strings"
	"testing"

	"tunic/internal/plan/plantest"
)

// TestHeldOfMany: of a statement with very many equalities, none of whose rows are held to others, a plan is made as soon as of others.
func TestHeldOfMany(t *testing.T) {
	c := plantest.Tables(t)
	for tables, want := range map[int]bool{2: true, 6: true, 24: false} {
		text := "SELECT t0.guest FROM seat t0"
		for i := 1; i < tables; i++ {
			text += fmt.Sprintf(" LEFT JOIN seat t%d ON t%d.hall = t0.hall", i, i)
			for j := 1; j < i; j++ {
				text += fmt.Sprintf(" AND t%d.hall = t%d.hall", i, j)
			}
		}
		text += " WHERE t0.guest LIKE 'a%'"
		run, err := buildText(c, text)
		if err != nil {
			t.Fatalf("%d tables: %v", tables, err)
		}
		if got := strings.Contains(run.String(), "held to"); got != want {
			t.Errorf("%d tables: rows are held to others: %t, want %t", tables, got, want)
		}
	}
}
