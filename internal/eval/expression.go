package eval

import (
	"tunic/internal/eval/program"
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

// Compile compiles an expression. The error is a refusal of package sqlerr, an
// error of the server's own that it would give when preparing the statement, or
// what scope returned.
func Compile(e ast.Expr, scope Scope, session program.Session) (*program.Expression, error) {
	return expressionOf(newCompiler(scope, session), e)
}

func expressionOf(c *compiler, e ast.Expr) (*program.Expression, error) {
	root, err := c.compile(e)
	if err != nil {
		return nil, err
	}
	return Finish(c, root)
}

// Finish makes an expression of its root.
func Finish(c *compiler, root *program.Node) (x *program.Expression, err error) {
	if c.refusal != nil {
		return nil, c.refusal
	}
	x = &program.Expression{Root: root, Session: c.session, At: -1}
	if root.Column != nil {
		x.At = root.Index
		x.Result = *root.Column
	} else if x.Result, err = c.resultType(root); err != nil {
		return nil, err
	}
	x.Eager = c.eager // without what only a condition computes: text is a value, and no number
	if x.Truth, x.Refusal = asTruth(c, root); c.refusal != nil {
		x.Truth, x.Refusal = nil, c.refusal
	}
	x.Slots, x.Consts, x.Lists, x.States = c.slots, c.consts, c.lists, c.states
	return x, nil
}

// Finer is a Scope with decimal columns whose canonical forms have more digits after
// the point than their types.
type Finer interface {
	// Digits is how many the column has; false if as many as its type.
	Digits(index int) (int, bool)
}
