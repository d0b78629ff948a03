package exec

import (
	"tunic/internal/environment"
	"tunic/internal/eval"
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
