// Package cost measures what tunic does with one value: to seal it, to open it, and to make
// its token in each layer that its type can have; and with a record of a family, to seal it and to open it.
//
// Nothing of a server or a client is in it, so that the figures tell what of a statement's
// time is cryptography and nothing else, and a change of a scheme shows at once. A value is
// measured as a session has it: in its canonical form, by the columns that package crypt
// makes, into a buffer that has room.
//
// Each measurement goes in the same number of pieces, of as many operations as stay shorter than what
// a busy scheduler gives a process at a time: the median of the pieces is hardly moved by what else
// the machine does. Rounds go through all measurements one after the other, as the other
// benchmarks do. Allocations are those of the whole process, which does nothing else then.
package cost
