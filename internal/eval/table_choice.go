package eval

// choiceFunctions are those that choose among their arguments.
func choiceFunctions() map[string]function {
	return map[string]function{
		"if":       takes(3, 3, compileIf),
		"ifnull":   takes(2, 2, compileCoalesce),
		"coalesce": takes(1, -1, compileCoalesce),
		"nvl":      takes(2, 2, compileNVL),
		"nvl2":     takes(3, 3, compileNVL2),
		"nullif":   takes(2, 2, compileNullIf),
		"greatest": takes(2, -1, compileExtreme),
		"least":    takes(2, -1, compileExtreme),
		"field":    takes(2, -1, compileWhich),
		"elt":      takes(2, -1, compileElt),
	}
}
