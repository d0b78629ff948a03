package choice

import "tunic/internal/eval/compilation"

// Functions are those that choose among their arguments.
func Functions() map[string]compilation.Function {
	return map[string]compilation.Function{
		"if":       compilation.Takes(3, 3, compileIf),
		"ifnull":   compilation.Takes(2, 2, compileCoalesce),
		"coalesce": compilation.Takes(1, -1, compileCoalesce),
		"nvl":      compilation.Takes(2, 2, compileNVL),
		"nvl2":     compilation.Takes(3, 3, compileNVL2),
		"nullif":   compilation.Takes(2, 2, compileNullIf),
		"greatest": compilation.Takes(2, -1, compileExtreme),
		"least":    compilation.Takes(2, -1, compileExtreme),
		"field":    compilation.Takes(2, -1, compileWhich),
		"elt":      compilation.Takes(2, -1, compileElt),
	}
}
