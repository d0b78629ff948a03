//go:build !race

package value

const raceDetector = false
