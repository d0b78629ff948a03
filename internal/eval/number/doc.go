// Package number computes with integers of 64 bits and with doubles as the operators and functions of the servers do.
//
// An integer is Signed here: 64 bits and a sign, so that what has a sign and what has none meet without a loss; whether
// the result fits into its type is asked at the end. Doubles are computed with where every library and every processor
// comes to the same bits: sums, products, roundings to digits, and powers that are doubles exactly. Logarithms,
// exponentials and trigonometry are not here, because their last bit is that of a C library.
//
// The package stands on nothing of the house. It says what went wrong as an Outcome, and leaves to its caller whether
// that is NULL, a warning, an error or a refusal. Numbers with digits after the point are in package decimal.
package number
