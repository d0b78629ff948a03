package supported

import (
	"testing"

	"tunic/internal/value"
)

// TestRead: a line allows for both flavors, for MariaDB, and for MySQL, in this order.
func TestRead(t *testing.T) {
	all := Read("+\tint\tint int'\tbit\tset\nABS\t\tint\t\t\nno line of the list\n")
	for key, want := range map[Key]bool{
		{value.MariaDB, "+", "int, int"}:  true,
		{value.MySQL, "+", "int, int'"}:   true,
		{value.MariaDB, "+", "int, bit"}:  true,
		{value.MySQL, "+", "int, bit"}:    false,
		{value.MySQL, "+", "int, set"}:    true,
		{value.MariaDB, "+", "int, set"}:  false,
		{value.MariaDB, "ABS", "int"}:     true,
		{value.MariaDB, "ABS", "decimal"}: false,
	} {
		if all[key] != want {
			t.Errorf("%v: %v", key, !want)
		}
	}
	if len(all) != 8 {
		t.Errorf("%d keys", len(all))
	}
}

// TestIs: TiDB computes what MySQL does, and what nobody has measured is not in the list.
func TestIs(t *testing.T) {
	for _, f := range []value.Flavor{value.MariaDB, value.MySQL, value.TiDB} {
		if !Is(f, "=", "int, int'") || Is(f, "SLEEP", "int") {
			t.Error(f)
		}
	}
	if Is(value.TiDB, "CAST AS JSON", "text") != Is(value.MySQL, "CAST AS JSON", "text") || Is(value.MariaDB, "CAST AS JSON", "text") {
		t.Error("CAST AS JSON is MySQL's and TiDB's")
	}
}
