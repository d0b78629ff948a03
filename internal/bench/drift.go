package bench

import "math"

// Memory that settles within settleSamples of a run and then stays is what a hop
// needs; memory that goes on growing is a leak. Only runs that go on for at least as
// long again can tell one from the other.
const settleSamples = 10

// drift returns by how much memory moved away from where it had settled, as a share
// of that; false if the run was too short to tell.
func drift(samples []float64) (share float64, known bool) {
	if len(samples) < 2*settleSamples {
		return 0, false
	}
	settled := samples[settleSamples-1]
	for _, s := range samples[settleSamples:] {
		share = max(share, math.Abs(s-settled)/settled)
	}
	return share, settled > 0
}
