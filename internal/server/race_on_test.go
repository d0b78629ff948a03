//go:build race

package server

// raceDetector says that the race detector watches, whose memory is many times
// that of what it watches.
const raceDetector = true
