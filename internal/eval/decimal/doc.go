// Package decimal computes with exact numbers as the servers do: DECIMAL, and what comes of it.
//
// A Number is an integer of 320 bits over a power of ten. Most that are met have one word, and for these there are
// short ways. It is a plain value: copying it copies the number, and nothing but division by more than 64 bits and
// the way to a double of many digits allocates.
//
// The package knows the limits of the servers and the digits that they compute of a quotient. It knows no types: how
// many digits a result is shown with is its caller's to say, and so is whether a number that has no room is an error
// or a refusal. A method that returns false has found no room. It stands on nothing of the house; the canonical form
// that it reads and writes is the one that package value has for columns.
package decimal
