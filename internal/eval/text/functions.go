package text

import (
	"tunic/internal/eval/characters"
	"tunic/internal/eval/compilation"
	"tunic/internal/value/charset"
)

// Functions are the functions of text that are called by a name.
func Functions() map[string]compilation.Function {
	return map[string]compilation.Function{
		"bit_length":      compilation.Takes(1, 1, compileLength(func(_ *charset.Charset, s []byte) int { return 8 * len(s) })),
		"concat":          compilation.Takes(1, -1, compileConcat),
		"concat_ws":       compilation.Takes(2, -1, compileConcatWS),
		"length":          compilation.Takes(1, 1, compileLength(byteLength)),
		"char_length":     compilation.Takes(1, 1, compileLength((*charset.Charset).CharLen)),
		"left":            compilation.Takes(2, 2, compilePart(characters.Left)),
		"right":           compilation.Takes(2, 2, compilePart(characters.Right)),
		"lower":           compilation.Takes(1, 1, compileCase(false)),
		"upper":           compilation.Takes(1, 1, compileCase(true)),
		"replace":         compilation.Takes(3, 3, compileReplace),
		"reverse":         compilation.Takes(1, 1, compileReverse),
		"strcmp":          compilation.Takes(2, 2, compileStrcmp),
		"lpad":            compilation.Takes(2, 3, compilePad(true)),
		"rpad":            compilation.Takes(2, 3, compilePad(false)),
		"repeat":          compilation.Takes(2, 2, compileRepeat),
		"space":           compilation.Takes(1, 1, compileSpace),
		"substring_index": compilation.Takes(3, 3, compileSubstringIndex),
		"instr":           compilation.Takes(2, 2, compileInstr),
		"find_in_set":     compilation.Takes(2, 2, compileFindInSet),
	}
}
