package exec

import (
	"tunic/internal/environment"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/value"
)

// added are rows of an INSERT that come from elsewhere than its text, as many as are sent
// at once: values of the columns that they are for, in their canonical forms.
type added struct {
	columns []*column
	rows    []eval.Row
}

// take is the value of a cell.
func (a *added) take(v *bound, cell, row int) error {
	canonical := a.rows[row][cell]
	if canonical == nil {
		v.reach = isNull
		return nil
	}
	v.canonical = append(v.canonical, canonical...)
	return nil
}

// write appends the value of a cell as a literal from which the server makes the same
// value of the column's type again.
func (a *added) write(dst []byte, cell, row int, env *environment.Environment) ([]byte, error) {
	canonical := a.rows[row][cell]
	if canonical == nil {
		return append(dst, "NULL"...), nil
	}
	return env.AppendKept(dst, &a.columns[cell].Type, canonical)
}

// defaultOf is the value of a column that a row has none for. What there is to say of it
// servers say once.
func (b *binder) defaultOf(v *bound, o *operand, element int) error {
	if b.added == nil || element == 0 && b.row <= 1 {
		return b.defaulted(v, o, element)
	}
	notices := b.notices
	err := b.defaulted(v, o, element)
	if err == nil {
		b.notices = notices
	}
	return err
}

// drawn are the values of sequences that the rows of an INSERT have, of each one those of
// the elements that its row stands for. They are taken before the rows are written: a
// statement that fails may have taken some that a plain server would not have.
type drawn [][]value.Source

// drawnOf is the value of a parameter that is one of a sequence.
func (b *binder) drawnOf(param, element int) (value.Source, bool) {
	n := param - recipe.FirstSequence
	if n < 0 || n >= len(b.drawn) || element >= len(b.drawn[n]) {
		return value.Source{}, false
	}
	return b.drawn[n][element], true
}
