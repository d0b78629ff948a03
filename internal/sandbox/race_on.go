//go:build race

package sandbox

// raceDetector: a test under the race detector runs a tunic that is under it too,
// or it would look at none of the code it is about.
const raceDetector = true
