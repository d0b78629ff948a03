//go:build race

package charset

// raceDetector says that the race detector watches. It makes sync.Pool forget,
// so that what is pooled is allocated now and then.
const raceDetector = true
