package definition

import (
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// TestShort: 255 characters are short in whatever character set, and a document is not.
func TestShort(t *testing.T) {
	for _, c := range []struct {
		typ, collation string
		short          bool
	}{
		{"bigint", "utf8mb4_bin", true},
		{"decimal(65,30)", "utf8mb4_bin", true},
		{"datetime(6)", "utf8mb4_bin", true},
		{"binary(255)", "utf8mb4_bin", true},
		{"char(255)", "utf8mb4_bin", true},
		{"varchar(255)", "utf8mb4_bin", true},
		{"varchar(255)", "utf32_bin", true},
		{"varchar(256)", "utf8mb4_bin", false},
		{"varchar(340)", "utf8mb3_bin", true},
		{"varchar(341)", "utf8mb3_bin", false},
		{"varchar(1020)", "latin1_bin", true},
		{"varchar(1021)", "latin1_bin", false},
		{"varbinary(1020)", "utf8mb4_bin", true},
		{"varbinary(1021)", "utf8mb4_bin", false},
		{"tinytext", "utf8mb4_bin", true},
		{"tinyblob", "utf8mb4_bin", true},
		{"text", "utf8mb4_bin", false},
		{"blob", "utf8mb4_bin", false},
		{"json", "utf8mb4_bin", false},
		{"point", "utf8mb4_bin", false},
		{"vector(255)", "utf8mb4_bin", true},
		{"vector(256)", "utf8mb4_bin", false},
	} {
		collation, known := charset.Lookup(charset.MySQL, c.collation)
		if !known {
			t.Fatal(c.collation)
		}
		typ, err := value.Parse(c.typ, collation)
		if err != nil {
			t.Fatal(c.typ, err)
		}
		column := catalog.Column{Name: "c", Type: *typ, Protection: policy.Protection{Protected: true}}
		if got := isShort(&column); got != c.short {
			t.Errorf("%s %s: short %v, want %v", c.typ, c.collation, got, c.short)
		}
		if column.Protection.Protected = false; isShort(&column) {
			t.Errorf("%s: a plain column is in no family", c.typ)
		}
	}
}
