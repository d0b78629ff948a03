package figure

import "math"

// SettleSamples are those of a run within which memory may settle. What then stays is what a hop
// needs; memory that goes on growing is a leak. Only runs that go on for at least as
// long again can tell one from the other.
const SettleSamples = 10

// Drift returns by how much memory moved away from where it had settled, as a share
// of that; false if the run was too short to tell.
func Drift(samples []float64) (share float64, known bool) {
	if len(samples) < 2*SettleSamples {
		return 0, false
	}
	settled := samples[SettleSamples-1]
	for _, s := range samples[SettleSamples:] {
		share = max(share, math.Abs(s-settled)/settled)
	}
	return share, settled > 0
}
