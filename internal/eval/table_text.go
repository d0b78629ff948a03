package eval

import (
	"tunic/internal/eval/characters"
	"tunic/internal/value/charset"
)

// textFunctions are the functions of text that are called by a name.
func textFunctions() map[string]function {
	return map[string]function{
		"bit_length":      takes(1, 1, compileLength(func(_ *charset.Charset, s []byte) int { return 8 * len(s) })),
		"concat":          takes(1, -1, compileConcat),
		"concat_ws":       takes(2, -1, compileConcatWS),
		"length":          takes(1, 1, compileLength(byteLength)),
		"char_length":     takes(1, 1, compileLength((*charset.Charset).CharLen)),
		"left":            takes(2, 2, compilePart(characters.Left)),
		"right":           takes(2, 2, compilePart(characters.Right)),
		"lower":           takes(1, 1, compileCase(false)),
		"upper":           takes(1, 1, compileCase(true)),
		"replace":         takes(3, 3, compileReplace),
		"reverse":         takes(1, 1, compileReverse),
		"strcmp":          takes(2, 2, compileStrcmp),
		"lpad":            takes(2, 3, compilePad(true)),
		"rpad":            takes(2, 3, compilePad(false)),
		"repeat":          takes(2, 2, compileRepeat),
		"space":           takes(1, 1, compileSpace),
		"substring_index": takes(3, 3, compileSubstringIndex),
		"instr":           takes(2, 2, compileInstr),
		"find_in_set":     takes(2, 2, compileFindInSet),
	}
}
