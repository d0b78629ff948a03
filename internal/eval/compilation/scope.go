package compilation

import (
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Scope tells Compile what the names and bind variables of an expression are.
type Scope interface {
	// Column returns the index of a column in the rows to come, and its type.
	Column(name *ast.ColName) (index int, t *value.Type, err error)
	// Bind returns the index of a bind variable among the binds to come, and one
	// source that it may have. Its form decides the type, as does the scale of a
	// decimal; the value decides nothing. A Run whose source is of another form
	// fails with ErrShape, and the expression is to be compiled anew.
	Bind(a *ast.Argument) (index int, example value.Source, err error)
	// Items does the same for a bind variable that stands for the items of IN: the
	// index is one of Inputs.Lists, and the examples are those of a statement.
	Items(a *ast.Argument) (index int, examples []value.Source, err error)
}

// Filler is a Scope with numbers of which it is not known whether servers fill them up with zeros
// where they are text: results of MIN and MAX of ZEROFILL columns.
type Filler interface {
	MayFill(index int) bool
}

// Finer is a Scope with decimal columns whose canonical forms have more digits after
// the point than their types.
type Finer interface {
	// Digits is how many the column has; false if as many as its type.
	Digits(index int) (int, bool)
}

// A Defaulter is a Scope that knows what columns are given where a statement gives them
// nothing: what DEFAULT(c) is. Other Scopes have none of it.
type Defaulter interface {
	// Default is the canonical form of a column's default, nil for NULL, and the column's
	// type. Defaults that are expressions, or the clock, are errors.
	Default(column string) (t *value.Type, canonical []byte, err error)
}

// ZeroNuller is a Scope with columns that may be NULL in its rows, and of which servers take
// the zero date for NULL all the same.
type ZeroNuller interface {
	// ZeroIsNull says so of a column, which is a DATE or DATETIME.
	ZeroIsNull(index int) bool
}

// A Drawer is a Scope that says whether functions are computed that draw another value
// with each evaluation: UUID, RAND and RANDOM_BYTES. Whoever evaluates has to do it as
// often as the server would, once for each row that is written, and where the value
// is used twice it has to be the same. Other Scopes have none of them.
type Drawer interface{ Draws() bool }
