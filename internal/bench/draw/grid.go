package draw

import "math"

// Colours can be told apart by colour-blind people (Okabe and Ito); the first
// target is grey, since it usually is the others' measure.
var Colours = []string{"#59636e", "#e69f00", "#0072b2", "#009e73", "#d55e00", "#cc79a7", "#56b4e9"}

// The colours of what frames values.
const (
	GridColour  = "#e4e7eb"
	FrameColour = "#8b949e"
)

// RoundStep returns the smallest of 1, 2, 5, 10, 20 … that is not below the value,
// at any power of ten.
func RoundStep(value float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(value)))
	for _, digit := range []float64{1, 2, 5} {
		if digit*power >= value*(1-1e-9) {
			return digit * power
		}
	}
	return 10 * power
}
