package arithmetic

import (
	"math"

	"tunic/internal/eval/compilation"
)

// Functions are the functions of numbers that are called by a name.
func Functions() map[string]compilation.Function {
	return map[string]compilation.Function{
		"abs":       compilation.Takes(1, 1, compileAbs),
		"floor":     compilation.Takes(1, 1, compileWhole(false)),
		"ceiling":   compilation.Takes(1, 1, compileWhole(true)),
		"round":     compilation.Takes(1, 2, compileRound(false)),
		"truncate":  compilation.Takes(2, 2, compileRound(true)),
		"mod":       compilation.Takes(2, 2, compileMod),
		"sign":      compilation.Takes(1, 1, compileSign),
		"sqrt":      compilation.Takes(1, 1, compileSqrt),
		"pow":       compilation.Takes(2, 2, compilePower),
		"degrees":   compilation.Takes(1, 1, compileUnits(180/math.Pi)),
		"radians":   compilation.Takes(1, 1, compileUnits(math.Pi/180)),
		"pi":        compilation.Takes(0, 0, compilePi),
		"bit_count": compilation.Takes(1, 1, compileBitCount),
	}
}
