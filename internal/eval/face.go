package eval

import (
	"tunic/internal/eval/aggregate"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
)

// What is compiled here is told of by scopes of package compilation, run by package program, and accumulated by package aggregate; whoever uses them needs to
// import this package alone.
type (
	// Scope tells Compile what the names and bind variables of an expression are.
	Scope = compilation.Scope
	// Filler is a Scope with numbers that servers may fill up with zeros.
	Filler = compilation.Filler
	// Finer is a Scope with decimal columns that have more digits than their types.
	Finer = compilation.Finer
	// Defaulter is a Scope that knows what DEFAULT(c) is.
	Defaulter = compilation.Defaulter
	// ZeroNuller is a Scope with columns of which servers take the zero date for NULL.
	ZeroNuller = compilation.ZeroNuller
	// Drawer is a Scope that says whether functions are computed that draw.
	Drawer = compilation.Drawer
	// Session is what of a session changes the meaning of an expression.
	Session = program.Session
	// Expression is a compiled expression.
	Expression = program.Expression
	// Inputs is what a run is given beside rows.
	Inputs = program.Inputs
	// Run is one execution of an expression, for one goroutine.
	Run = program.Run
	// Row is one row: the canonical form of every column, nil for NULL.
	Row = program.Row
	// Result is the value of an expression for a row.
	Result = program.Result
	// Truth is the value of a condition.
	Truth = program.Truth
	// Aggregate is a compiled aggregate function.
	Aggregate = aggregate.Aggregate
	// Accumulation is one execution of an aggregate, for one goroutine and any number of groups.
	Accumulation = aggregate.Accumulation
	// Group is what has been accumulated of the rows of one group.
	Group = aggregate.Group
)

// The truths.
const (
	False   = program.False
	True    = program.True
	Unknown = program.Unknown
)

// ErrShape says that a bind has another form than the one the expression was compiled for.
var ErrShape = program.ErrShape
