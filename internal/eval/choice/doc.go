// Package choice compiles what chooses among values: CASE, IF, COALESCE, NULLIF,
// GREATEST, LEAST, FIELD and ELT.
//
// # The type in common
//
// Whatever is chosen, the result has one type, and it is common to all of the values
// (MySQL manual, "Flow Control Functions"). Shapes are merged one after the other, and
// each value is evaluated as the result. An operation is asked for in the list for every
// pair of values: what is exact for each two is exact for all.
//
// It is here that servers show what a type does not say. MySQL keeps the digits that a
// chosen decimal has and shows those of the common type, or gives it these: such a node
// is NumberOnly or Uneven, and what writes or divides it has to ask. Integers with and
// without a sign that are computed have as many digits as the server likes; they are
// refused.
//
// # What is evaluated
//
// A choice evaluates its conditions in order, and only the value that is chosen, as the
// servers do: what warns in a value that is not chosen is not said.
package choice
