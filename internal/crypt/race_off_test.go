//go:build !race

package crypt

const raceDetector = false
