// Package compilation has what belongs to the compilation of one expression: what every
// family of functions needs, and none of them alone.
//
// A Compilation knows the Scope that the names of the expression are from and the session
// it is compiled for, and it numbers what a run will have: slots, constants, lists of
// items, and what is built once a run. It knows no family of functions. Whoever begins
// one (package eval) says how an expression of any kind is compiled; a function that has
// a grammar of its own compiles its operands by Compile and All, and so a family needs
// no other one for what may stand in its arguments.
//
//	New ──► Compilation ── Compile, All ──► nodes of operands
//	             │ Allow                    is it known to be exact on them
//	             │ Slot, State, Fix, AtStart what a run has for it
//	             │ Convert, Once, PerRow, Quiet  evaluators around evaluators
//	             ▼ Write
//	       program.Expression
//
// # Families
//
// A Function is called by a name, with arguments that have been compiled. A family has a
// table of them, made by a function of its package, and package eval makes one table of
// all. Nothing is registered when packages are initialised, and no table changes.
//
// # What is allowed
//
// Allow refuses an operation that the list of package supported does not have for the
// classes of its operands, before anything is made of them. It also watches the operands:
// servers differ in whether they compute the second operand of something that is NULL by
// the first, so a run refuses where the second would have warned.
//
// # Refusals
//
// A compilation has three ways to say no. An error is returned where one can be. Refuse
// notes one where a coercion is asked for in the middle of an expression, and the whole
// expression is refused by it in the end. And a run refuses values of which the result is
// not known.
package compilation
