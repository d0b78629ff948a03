// Package uuid reads, writes and makes UUIDs as the servers do: as text in three forms, as 16 bytes with the parts of
// the time in the order of their weight or not, and new ones of version 1 (RFC 9562, 5.1).
//
// The package knows bytes, and a clock and a random node of this process. It stands on the standard library alone.
package uuid
