package figure

import "math"

// ChanceLevel is how often samples of one mean are taken for such of two.
const ChanceLevel = 0.01

// Differ tells whether two samples come from different means, by Welch's t-test
// (unequal variances) at 1 %, two-sided. The level is low because a comparison asks
// the question hundreds of times; a sample of one is never enough.
func Differ(a, b []float64) bool {
	if len(a) < 2 || len(b) < 2 {
		return false
	}
	meanA, errorA := meanAndError(a)
	meanB, errorB := meanAndError(b)
	sum := errorA + errorB
	if sum == 0 {
		return meanA != meanB
	}
	t := math.Abs(meanA-meanB) / math.Sqrt(sum)
	freedom := sum * sum / (errorA*errorA/float64(len(a)-1) + errorB*errorB/float64(len(b)-1))
	return t > criticalT(freedom)
}

// meanAndError returns the mean and the square of its standard error.
func meanAndError(values []float64) (mean, squaredError float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		squaredError += (v - mean) * (v - mean) / (n - 1) / n
	}
	return mean, squaredError
}

// criticalValues are the 99.5 % quantiles of Student's t for 1 to 30 degrees of
// freedom.
var criticalValues = [...]float64{
	63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.250, 3.169,
	3.106, 3.055, 3.012, 2.977, 2.947, 2.921, 2.898, 2.878, 2.861, 2.845,
	2.831, 2.819, 2.807, 2.797, 2.787, 2.779, 2.771, 2.763, 2.756, 2.750,
}

// criticalT rounds the degrees of freedom down, which errs towards "no difference".
func criticalT(freedom float64) float64 {
	whole := int(math.Floor(freedom + 1e-9))
	return criticalValues[min(max(whole, 1), len(criticalValues))-1]
}
