package figure

import (
	"math"
	"slices"
)

// Stat is what a few repeated measurements come to. With three to five rounds the
// extremes say more than a standard deviation would.
type Stat struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// NewStat returns nil for no values.
func NewStat(values []float64) *Stat {
	if len(values) == 0 {
		return nil
	}
	return &Stat{Median: Median(values), Min: slices.Min(values), Max: slices.Max(values)}
}

// Spread is half the distance between the extremes, as a share of the median.
func (s Stat) Spread() float64 {
	if s.Median == 0 {
		return 0
	}
	return (s.Max - s.Min) / 2 / math.Abs(s.Median)
}

// Median of a non-empty slice.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
