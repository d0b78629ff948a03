//go:build !race

package session

// raceEnabled says that the race detector is on, which allocates by itself.
const raceEnabled = false
