//go:build !race

package racetest

// On says that the race detector watches. It allocates by itself, it makes sync.Pool forget things at
// random, and it takes many times the memory of what it watches.
const On = false
