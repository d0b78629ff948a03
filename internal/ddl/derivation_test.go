package ddl

import (
	"slices"
	"testing"

	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// TestWithoutDefault: a column of a query that may be NULL and has no default is found, as each flavor has it of long ones.
func TestWithoutDefault(t *testing.T) {
	for column, flavors := range map[string][]value.Flavor{
		"a INT": {value.MariaDB, value.MySQL}, "a INT NOT NULL": nil, "a INT DEFAULT NULL": nil, "a INT DEFAULT 1": nil, "a INT AS (1)": nil,
		"a TEXT": {value.MariaDB}, "a JSON": {value.MariaDB}, "a MEDIUMBLOB": {value.MariaDB}, "a TEXT NOT NULL": nil,
	} {
		def := parse(t, "CREATE TABLE t ("+column+")", 0).Root().(*ast.CreateTable).TableSpec.Columns[0]
		for _, flavor := range []value.Flavor{value.MariaDB, value.MySQL} {
			if got := (&derivation{flavor, tsql.Modes(0)}).withoutDefault(def); got != slices.Contains(flavors, flavor) {
				t.Errorf("%s, %v: %t", column, flavor, got)
			}
		}
	}
}
