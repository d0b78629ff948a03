package eval

import (
	_ "embed"
	"strings"
	"sync"

	"tunic/internal/value"
)

// supportedTSV is the list of what is computed, written by TestSupported from the
// servers themselves. A line has an operation, the classes of its operands but the
// last, and the classes of last operands with which it is exact: on both flavors,
// on MariaDB alone, on MySQL alone. What it does not have is refused. A class with
// an apostrophe is that of a constant.
//
//go:embed supported.tsv
var supportedTSV string

// supportedKey is an operation on operands on one flavor.
type supportedKey struct {
	flavor              value.Flavor
	operation, operands string
}

var supportedKeys = sync.OnceValue(func() map[supportedKey]bool { return readSupported(supportedTSV) })

func readSupported(list string) map[supportedKey]bool {
	all := map[supportedKey]bool{}
	flavors := [...][]value.Flavor{{value.MariaDB, value.MySQL}, {value.MariaDB}, {value.MySQL}}
	for line := range strings.Lines(list) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(field) != 2+len(flavors) {
			continue
		}
		for i, on := range flavors {
			for last := range strings.FieldsSeq(field[2+i]) {
				for _, f := range on {
					all[supportedKey{f, field[0], joinOperands(field[1], last)}] = true
				}
			}
		}
	}
	return all
}

func joinOperands(first, last string) string {
	if first == "" {
		return last
	}
	return first + ", " + last
}

// supported reports whether the list has an operation. TiDB is not measured: what
// it computes is what MySQL does.
func supported(f value.Flavor, operation, operands string) bool {
	if f == value.TiDB {
		f = value.MySQL
	}
	return supportedKeys()[supportedKey{f, operation, operands}]
}
