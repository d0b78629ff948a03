package predicate

import "tunic/internal/eval/compilation"

// Functions are those that are predicates under the name of a function.
func Functions() map[string]compilation.Function {
	return map[string]compilation.Function{
		"isnull": compilation.Takes(1, 1, compileIsNull),
	}
}
