// Package literal reads the constants of a statement: what a literal of its tree supplies, as a value.Source, and the
// static type that a literal or a parameter has in an expression.
//
// Both depend on the session: its collation is that of text which has none of its own, its flavor decides what a
// hexadecimal literal is and how many digits a parameter's fraction has, its modes which dates are some. What is no
// constant that both the servers and this package know is refused, by its kind and never with its text.
//
// The package stands on package value for sources, on ast for literals, and on program for what a session is. It knows
// no scopes and no compiler: where a constant stands, and what becomes of it, is not its concern.
package literal
