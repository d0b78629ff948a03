package supported

import (
	_ "embed"
	"strings"
	"sync"

	"tunic/internal/value"
)

// supportedTSV is the list, written by TestSupported of package eval from the servers
// themselves.
//
//go:embed supported.tsv
var supportedTSV string

// Key is an operation on operands on one flavor.
type Key struct {
	Flavor              value.Flavor
	Operation, Operands string
}

// All is the whole list.
var All = sync.OnceValue(func() map[Key]bool { return Read(supportedTSV) })

// Read reads a list that is written as the file is.
func Read(list string) map[Key]bool {
	all := map[Key]bool{}
	flavors := [...][]value.Flavor{{value.MariaDB, value.MySQL}, {value.MariaDB}, {value.MySQL}}
	for line := range strings.Lines(list) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(field) != 2+len(flavors) {
			continue
		}
		for i, on := range flavors {
			for last := range strings.FieldsSeq(field[2+i]) {
				for _, f := range on {
					all[Key{f, field[0], joinOperands(field[1], last)}] = true
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

// Is reports whether the list has an operation. TiDB is not measured: what
// it computes is what MySQL does.
func Is(f value.Flavor, operation, operands string) bool {
	if f == value.TiDB {
		f = value.MySQL
	}
	return All()[Key{f, operation, operands}]
}
