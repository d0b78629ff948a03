// Package program runs expressions that have been compiled, and knows nothing of how they were.
//
// An Expression is a tree of closures over numbered slots: each Node has its static shape and an Evaluator. A Run is one
// execution of it. It owns the slots, an arena for text, and what operators keep from one row to the next; it collects
// the warnings that the server would raise, and ends an evaluation with an error of the server's or with a refusal.
//
//	Expression ── Start(Inputs) ──► Run ── Eval(Row) ──► Result ──► canonical form, value.Source
//	                                    ── Truth(Row) ─► True, False, Unknown
//
// A Datum is the value of a Node; which of its fields counts is a matter of the Node's class. What an Evaluator returns
// is the run's and good until it is called again. Numbers, dates, comparisons and logic allocate nothing.
//
// The package stands on package class for shapes, and on decimal, number and calendar for what a Datum can hold. It
// knows no trees, no scopes and no list of what is supported: that is the compiler's, in package eval, which sets the
// fields of what is here. Others see them, too, and leave them alone.
package program
