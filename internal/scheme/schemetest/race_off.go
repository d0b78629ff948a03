//go:build !race

package schemetest

// raceDetector says that the race detector watches.
const raceDetector = false
