package build

import (
	"errors"

	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// ending is how the planning of a statement ends without a plan; nil while it goes on. It is a result and no
// error: what becomes of the statement hangs on it. An error in it is for the client alone, and is not looked at.
type ending struct {
	// refusal is what the client of a statement is told that is refused.
	refusal error
	// wrong is what is wrong with a statement, which is the server's to say: see Builder.wrong.
	wrong string
	// fails is the error of a statement that fails when it is run, and not before: see Builder.fails.
	fails *sqlerr.Error
	// strict says that it fails in a strict sql_mode only.
	strict bool
}

// unknown ends a statement with a name that means nothing in it.
func unknown() *ending { return &ending{wrong: "a name is no column of the table"} }

// beyond refuses a statement that has what is not planned.
func beyond(what string) *ending { return &ending{refusal: &resolve.Beyond{What: what}} }

// refused ends a statement with what another package says of it, nil where that is nothing.
func refused(err error) *ending {
	if err == nil {
		return nil
	}
	return &ending{refusal: err}
}

// refusing is refused, of a call that returns something as well.
func refusing[T any](made T, err error) (T, *ending) { return made, refused(err) }

// isWrong reports whether the statement is wrong.
func (e *ending) isWrong() bool { return e != nil && e.wrong != "" }

// errLeft is the refusal of a statement that is wrong, or fails, where the server is not asked about it.
var errLeft = errors.New("a statement that is wrong")

// told is what the client is told where an ending leads to nothing else, nil for nil.
func (e *ending) told() error {
	switch {
	case e == nil:
		return nil
	case e.refusal != nil:
		return e.refusal
	}
	return errLeft
}

// walk is ast.Walk, up to an ending.
func walk(visit func(ast.Node) (into bool, end *ending), nodes ...ast.Node) (end *ending) {
	_ = ast.Walk(func(n ast.Node) (into bool, _ error) {
		if end == nil {
			into, end = visit(n)
		}
		return into && end == nil, nil
	}, nodes...)
	return end
}
