//go:build !race

package sandbox

// raceDetector is off in this build.
const raceDetector = false
