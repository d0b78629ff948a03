// Package refusal says no in the words of SQL.
//
// What is not known to come out as on the server is refused, and most of the code
// that compiles expressions is about where that is so. A refusal that is made here
// names an operation: a function or an operator, as the client wrote it, sometimes
// with what about its operands is not known. It never has a value, the name of a
// column or text of the statement, for it is logged and counted.
//
// An expression that has no case in any family of functions is refused by its kind
// alone. NameOf finds what that kind is called: functions that are called like all
// others have their name in the tree, those with a grammar of their own are asked
// what they were called, and of operators the name of their node is spelled as
// words.
//
// Values that lie outside of what is known are refused while rows are evaluated, by
// a run of package program. Which operation is computed on which operands at all is
// said by package supported.
package refusal
