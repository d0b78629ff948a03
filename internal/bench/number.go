package bench

import (
	"fmt"
	"strconv"
)

// absent stands for a number there is none of.
const absent = "–"

// shown formats the median; absent for nil.
func shown(s *Stat, format func(float64) string) string {
	if s == nil {
		return absent
	}
	return format(s.Median)
}

// spreadText formats the spread; empty for nil.
func spreadText(s *Stat) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("±%.0f%%", 100*s.Spread())
}

func decimals(n int) func(float64) string {
	return func(v float64) string { return strconv.FormatFloat(v, 'f', n, 64) }
}

// grouped formats a whole number with commas between its thousands, and a small
// one with a decimal, so that 3.4 TPS does not become 3.
func grouped(v float64) string {
	if v < 100 && v != float64(int64(v)) {
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	digits := strconv.FormatFloat(v, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
