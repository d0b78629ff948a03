// Package arithmetic compiles operators and functions of numbers.
//
// An operator is one of integers, of decimals or of doubles, by the classes of its
// operands, and so is what it may fail with: integers and doubles that go beyond their
// range are an error of the server's own, a decimal beyond what the servers compute
// exactly is refused, and a division by zero is NULL with a condition. Both operands are
// evaluated whatever the first one is, because the second may warn; of bit operators
// alone the servers stop at a NULL.
//
//	operators.go  which arithmetic it is; doubles
//	exact.go      decimals and integers
//	unary.go      bits, and operators of one operand
//	number.go     ABS, ROUND, FLOOR, MOD, POW and their kin
//
// What is computed on values is in packages number and decimal; here are the types of
// results, and what about them is not known to be the server's.
//
// Logarithms, exponentials and trigonometry are missing. Their last bit is that of the C
// library that the server was built with, and of the instructions its processor has. Of
// powers those are computed whose value is a double exactly.
package arithmetic
