// Package racetest tells tests whether the race detector watches, and lets those that it could find
// nothing in leave its run. It stands on nothing, and decides nothing about which tests those are: each
// says so in its first line.
package racetest

import "testing"

// InOrder skips a test that does one thing after the other where -short asks for what the race detector
// can find: it would take the detector's time and show it nothing. Such a test runs without the detector.
func InOrder(t testing.TB) {
	t.Helper()
	if On && testing.Short() {
		t.Skip("one thing after the other: it runs without the race detector")
	}
}
