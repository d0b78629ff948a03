// Package meter reads what processes use while a benchmark loads them, and where it all ran.
//
// A [Meter] takes the processor time and the memory of a hop and of its server in one interval. A [Profiling] asks a
// tunic for its CPU profile in the same one, and [ReadCosts] says which functions cost most. [Machine] is where a
// benchmark runs; [VersionOf], [GoVersionOf] and [CommitOf] say what a program is.
//
// The package knows processes, files of the system and profiles. It knows no load, no target and no document: what is
// measured, and what becomes of the numbers, is said by package bench.
package meter
