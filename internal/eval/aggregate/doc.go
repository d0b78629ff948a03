// Package aggregate accumulates what COUNT, SUM, AVG, MIN, MAX, GROUP_CONCAT and their kin make of the rows of a group.
//
//	Aggregate ── Start(Inputs) ──► Accumulation ── Add(Group, Row) ──► Result(Group)
//	                                            ── Remove(Group, Row)  where that is exact
//
// An Aggregate has been compiled and is shared; an Accumulation is one execution of it; a Group is what has been seen of
// one group, so that any number of them are accumulated side by side. What one function does is a Family, which keeps
// nothing of its own. A Group says how much memory it holds beside itself, for whoever accounts for it.
//
// The package stands on package program, whose runs compute the arguments and the sorting of a GROUP_CONCAT, on class
// and decimal for what is summed, and on json for objects. It knows no trees and no compiler: which functions there are,
// of which arguments, and of what type their results are is decided in package eval.
package aggregate
