package binding

import (
	"tunic/internal/environment"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/value"
)

// Added are rows of an INSERT that come from elsewhere than its text, as many as are sent
// at once: values of the columns that they are for, in their canonical forms.
type Added struct {
	Columns []*Column
	Rows    []eval.Row
}

// take is the value of a cell.
func (a *Added) take(v *Bound, cell, row int) error {
	canonical := a.Rows[row][cell]
	if canonical == nil {
		v.reach = isNull
		return nil
	}
	v.canonical = append(v.canonical, canonical...)
	return nil
}

// write appends the value of a cell as a literal from which the server makes the same
// value of the column's type again.
func (a *Added) write(dst []byte, cell, row int, env *environment.Environment) ([]byte, error) {
	canonical := a.Rows[row][cell]
	if canonical == nil {
		return append(dst, "NULL"...), nil
	}
	return env.AppendKept(dst, &a.Columns[cell].Type, canonical)
}

// Drawn are the values of sequences that the rows of an INSERT have, of each one those of
// the elements that its row stands for. They are taken before the rows are written: a
// statement that fails may have taken some that a plain server would not have.
type Drawn [][]value.Source

// drawnOf is the value of a parameter that is one of a sequence.
func (b *Binder) drawnOf(param, element int) (value.Source, bool) {
	n := param - recipe.FirstSequence
	if n < 0 || n >= len(b.Drawn) || element >= len(b.Drawn[n]) {
		return value.Source{}, false
	}
	return b.Drawn[n][element], true
}
