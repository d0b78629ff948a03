package account

import (
	"strings"
	"testing"

	"tunic/internal/catalog"
)

// TestShowCreate: the counter stands where servers show it.
func TestShowCreate(t *testing.T) {
	table := &catalog.Table{Definition: "CREATE TABLE `t` (\n  `a` int\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"}
	if got := ShowCreate(table, 1); got != table.Definition {
		t.Errorf("without rows: %s", got)
	}
	if got := ShowCreate(table, 7); !strings.HasSuffix(got, ") ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4") {
		t.Errorf("with rows: %s", got)
	}
}
