package eval

import (
	"strings"

	"tunic/internal/eval/characters"
	"tunic/internal/value/charset"
)

// builtins are the functions that are called by a name.
var builtins = map[string]builtin{}

func init() {
	for name, f := range map[string]builtin{
		"if":       {3, 3, compileIf},
		"ifnull":   {2, 2, compileCoalesce},
		"coalesce": {1, -1, compileCoalesce},
		"isnull":   {1, 1, compileIsNull},
		"nvl":      {2, 2, compileNVL},
		"nvl2":     {3, 3, compileNVL2},
		"nullif":   {2, 2, compileNullIf},
		"greatest": {2, -1, compileExtreme},
		"least":    {2, -1, compileExtreme},

		"concat":           {1, -1, compileConcat},
		"concat_ws":        {2, -1, compileConcatWS},
		"length":           {1, 1, compileLength(byteLength)},
		"octet_length":     {1, 1, compileLength(byteLength)},
		"char_length":      {1, 1, compileLength((*charset.Charset).CharLen)},
		"character_length": {1, 1, compileLength((*charset.Charset).CharLen)},
		"left":             {2, 2, compilePart(characters.Left)},
		"right":            {2, 2, compilePart(characters.Right)},
		"lower":            {1, 1, compileCase(false)},
		"lcase":            {1, 1, compileCase(false)},
		"upper":            {1, 1, compileCase(true)},
		"ucase":            {1, 1, compileCase(true)},
		"replace":          {3, 3, compileReplace},
		"reverse":          {1, 1, compileReverse},
		"strcmp":           {2, 2, compileStrcmp},

		"abs":      {1, 1, compileAbs},
		"floor":    {1, 1, compileWhole(false)},
		"ceil":     {1, 1, compileWhole(true)},
		"ceiling":  {1, 1, compileWhole(true)},
		"round":    {1, 2, compileRound(false)},
		"truncate": {2, 2, compileRound(true)},
		"mod":      {2, 2, compileMod},
		"sign":     {1, 1, compileSign},
		"sqrt":     {1, 1, compileSqrt},
	} {
		builtins[name] = f
	}
}

func byteLength(_ *charset.Charset, s []byte) int { return len(s) }

// synonyms are functions with a second name, under which the list has them.
var synonyms = map[string]string{
	"octet_length": "length", "character_length": "char_length", "lcase": "lower", "ucase": "upper",
	"ceil": "ceiling", "dayofmonth": "day",
}

func upper(name string) string { return strings.ToUpper(name) }
