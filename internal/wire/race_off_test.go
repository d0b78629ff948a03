//go:build !race

package wire_test

// raceDetector says that the race detector watches, under which pools forget.
const raceDetector = false
