package eval

import (
	"maps"

	"tunic/internal/eval/arithmetic"
	"tunic/internal/eval/choice"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/date"
	"tunic/internal/eval/drawing"
	"tunic/internal/eval/encoding"
	"tunic/internal/eval/predicate"
	"tunic/internal/eval/text"
)

// functions are the functions that are called by a name: those of every family.
var functions = tableOf(choice.Functions(), predicate.Functions(), arithmetic.Functions(), text.Functions(), encoding.Functions(), date.Functions(), drawing.Functions())

// tableOf makes one table of those of the families. A name is in one of them.
func tableOf(families ...map[string]compilation.Function) map[string]compilation.Function {
	all := map[string]compilation.Function{}
	for _, family := range families {
		maps.Copy(all, family)
	}
	return all
}

// synonyms are second names of functions, and the names under which the tables and the list of
// what is supported have them.
var synonyms = map[string]string{
	"octet_length": "length", "character_length": "char_length", "lcase": "lower", "ucase": "upper",
	"ceil": "ceiling", "dayofmonth": "day", "power": "pow",
}
