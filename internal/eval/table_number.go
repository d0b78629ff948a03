package eval

import (
	"math"
)

// numberFunctions are the functions of numbers that are called by a name.
func numberFunctions() map[string]function {
	return map[string]function{
		"abs":       takes(1, 1, compileAbs),
		"floor":     takes(1, 1, compileWhole(false)),
		"ceiling":   takes(1, 1, compileWhole(true)),
		"round":     takes(1, 2, compileRound(false)),
		"truncate":  takes(2, 2, compileRound(true)),
		"mod":       takes(2, 2, compileMod),
		"sign":      takes(1, 1, compileSign),
		"sqrt":      takes(1, 1, compileSqrt),
		"pow":       takes(2, 2, compilePower),
		"degrees":   takes(1, 1, compileUnits(180/math.Pi)),
		"radians":   takes(1, 1, compileUnits(math.Pi/180)),
		"pi":        takes(0, 0, compilePi),
		"bit_count": takes(1, 1, compileBitCount),
	}
}
