// Package explanation is what tunic says to EXPLAIN, as data and in words: how a statement is carried out, each
// part of it and who does that part, and which layers would change it, with their price.
//
// An Explained is made once for a template, by the planner, which asks its own rules: what they answer is a Part with
// the way in which it is done (Does), and no words. Lines says it, for the Run that an execution has chosen. No value
// is in what is said: a literal is a question mark, and what fills a slot is in angle brackets.
//
// The package finds nothing out: not who does a part, and not which layer would help. It knows a Run, the names of
// the table's columns and what a layer costs (PriceOf), and no rule of the planner's.
package explanation
