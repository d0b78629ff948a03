//go:build race

package schemetest

// raceDetector says that the race detector watches: it makes sync.Pool forget
// things at random, so that a pool seems to allocate.
const raceDetector = true
