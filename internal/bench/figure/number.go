package figure

import (
	"fmt"
	"strconv"
)

// Absent stands for a number there is none of.
const Absent = "–"

// Shown formats the median; absent for nil.
func Shown(s *Stat, format func(float64) string) string {
	if s == nil {
		return Absent
	}
	return format(s.Median)
}

// ShownSpread formats the spread; empty for nil.
func ShownSpread(s *Stat) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("±%.0f%%", 100*s.Spread())
}

// Decimals formats numbers with n decimals.
func Decimals(n int) func(float64) string {
	return func(v float64) string { return strconv.FormatFloat(v, 'f', n, 64) }
}

// Grouped formats a whole number with commas between its thousands, and a small
// one with a decimal, so that 3.4 TPS does not become 3.
func Grouped(v float64) string {
	if v < 100 && v != float64(int64(v)) {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	digits := strconv.FormatFloat(v, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
