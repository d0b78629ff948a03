package charset

import "testing"

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		flavor  Flavor
		charset string
		def     string
		bin     string
	}{
		{MariaDB, "utf8mb4", "utf8mb4_general_ci", "utf8mb4_bin"},
		{MySQL, "UTF8MB4", "utf8mb4_0900_ai_ci", "utf8mb4_bin"},
		{MariaDB, "utf8", "utf8mb3_general_ci", "utf8mb3_bin"},
		{MySQL, "latin1", "latin1_swedish_ci", "latin1_bin"},
		{TiDB, "utf8mb4", "utf8mb4_bin", "utf8mb4_bin"},
		{MySQL, "binary", "binary", "binary"},
	} {
		set, ok := CharsetByName(c.flavor, c.charset)
		if !ok || set.Default().Name != c.def || set.Bin().Name != c.bin {
			t.Errorf("%s %s: default %v, bin %v", c.flavor, c.charset, set.Default(), set.Bin())
		}
		if byName, ok := Lookup(c.flavor, c.def); !ok || byName != set.Default() {
			t.Errorf("%s: the name of %s gives another collation", c.flavor, c.def)
		}
	}
	for _, f := range []Flavor{0, MariaDB, MySQL, TiDB, 9} {
		if c, ok := Lookup(f, "klingon_ci"); ok || c != nil {
			t.Errorf("%s has klingon_ci", f)
		}
	}
}
