//go:build !race

package charset

const raceDetector = false
