package eval

import "tunic/internal/eval/compilation"

// predicateFunctions are those that are predicates under the name of a function.
func predicateFunctions() map[string]compilation.Function {
	return map[string]compilation.Function{
		"isnull": compilation.Takes(1, 1, compileIsNull),
	}
}
