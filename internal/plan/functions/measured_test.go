package functions

import (
	"strings"
	"testing"

	"tunic/internal/eval/supported"
	"tunic/internal/value"
)

// lacked are what both servers compute as tunic does and what is no function of theirs in every version: operators, and
// functions that a server which is served lacks.
const lacked = "between case collate div in json_overlaps json_value like regexp truth when"

// TestBuiltInHasWhatIsMeasured: a function that both servers compute as tunic does is known to be theirs. Of one that is
// not, the server is asked each time.
func TestBuiltInHasWhatIsMeasured(t *testing.T) {
	without := map[string]bool{}
	for name := range strings.FieldsSeq(lacked) {
		without[name] = true
	}
	for key := range supported.All() {
		name := strings.ToLower(key.Operation)
		onBoth := key.Flavor == value.MariaDB && supported.Is(value.MySQL, key.Operation, key.Operands)
		if isName(name) && onBoth && IsBuiltIn(name) == without[name] {
			t.Errorf("%s: say in builtInNames that every server has it, or in lacked that some has not", name)
			without[name] = !without[name] // once
		}
	}
}

// isName reports whether an operation of the list may be called as a function.
func isName(operation string) bool {
	return strings.IndexFunc(operation, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' }) < 0
}
