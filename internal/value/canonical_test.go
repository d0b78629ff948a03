package value

import (
	"testing"

	"tunic/internal/value/charset"
)

// TestFixedBytes: the lengths of canonical forms are stored for good.
func TestFixedBytes(t *testing.T) {
	utf8mb4, _ := charset.Lookup(charset.MySQL, "utf8mb4_bin")
	for _, c := range []struct {
		column string
		want   int
	}{
		{"tinyint", 8},
		{"bigint unsigned", 8},
		{"float", 8},
		{"double", 8},
		{"bit(3)", 8},
		{"year", 8},
		{"decimal(18,4)", 8},
		{"decimal(19,4)", 16},
		{"decimal(38,0)", 16},
		{"decimal(39,0)", 32},
		{"decimal(65,30)", 32},
		{"date", 8},
		{"time(6)", 8},
		{"datetime(3)", 8},
		{"timestamp", 8},
		{"enum('a')", 8},
		{"set('a')", 8},
		{"binary(5)", 5},
		{"uuid", 16},
		{"inet6", 16},
		{"inet4", 4},
		{"char(5)", 0},
		{"varchar(5)", 0},
		{"text", 0},
		{"varbinary(5)", 0},
		{"blob", 0},
		{"json", 0},
		{"point", 0},
		{"vector(2)", 0},
	} {
		column, err := Parse(c.column, utf8mb4)
		if err != nil {
			t.Fatal(err)
		}
		if got := FixedBytes(column); got != c.want {
			t.Errorf("%s: %d, want %d", c.column, got, c.want)
		}
	}
}
