// Package arena keeps copies of many rows and keys in few pieces of memory, which cost neither an allocation
// each nor the collector's time, and are freed together. It counts nothing: who keeps rows accounts for them
// with RowBytes and its like. What stays with a session between statements it bounds by KeepMax.
package arena
