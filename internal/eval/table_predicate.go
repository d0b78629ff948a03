package eval

// predicateFunctions are those that are predicates under the name of a function.
func predicateFunctions() map[string]function {
	return map[string]function{
		"isnull": takes(1, 1, compileIsNull),
	}
}
