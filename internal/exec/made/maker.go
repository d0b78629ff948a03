package made

import (
	"tunic/internal/binding"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/value"
)

// Maker makes rows to be inserted of values that come from elsewhere: it converts each
// to its column's type, as the server does when it stores it.
type Maker struct {
	Binder  *binding.Binder
	Columns []*binding.Column // that the rows are for
	Cuts    []bool            // see CutsAsCopy; nil if nothing is cut so
	Values  []byte            // of Current
	Current eval.Row          // the row that is being made, good until the next one
}

// NewMaker makes rows of the statement under way.
func NewMaker(b *binding.Binder, run *recipe.Run, columns []*binding.Column) Maker {
	m := Maker{Binder: b}
	for _, i := range run.Added().Into {
		m.Columns = append(m.Columns, columns[i])
	}
	return m
}

// Begin begins a row.
func (m *Maker) Begin() {
	m.Values, m.Current = append(m.Values[:0], 0), m.Current[:0] // one byte: what is empty is not nil
}

// Assign converts a value to its column's type; nil for NULL, which a column that is
// AUTO_INCREMENT keeps: the server has a number for it.
func (m *Maker) Assign(i int, source *value.Source) ([]byte, error) {
	c, b := m.Columns[i], m.Binder
	if source.Form == value.FormNull && c.AutoIncrement {
		return nil, nil
	}
	if binding.HasBlank(&c.Type, source) {
		return nil, binding.ErrBlank
	}
	begin := len(m.Values)
	var outcome value.Outcome
	m.Values, outcome = value.Assign(m.Values, &c.Type, source, &b.Env.Value)
	v := m.Values[begin:len(m.Values):len(m.Values)]
	if outcome.Null {
		v = nil
	}
	if raised := outcome.Conditions(); len(raised) > 0 {
		for n := range raised {
			if m.Cuts != nil && m.Cuts[i] && raised[n].Code == value.TooLong {
				raised[n].Code = value.Truncated
			}
		}
		if err := b.Raise(&outcome, &binding.Operand{Column: c, Use: recipe.Assign}, 0); err != nil {
			return nil, err
		}
	}
	if c.ValidJSON && v != nil {
		return v, b.Document(c, v)
	}
	return v, nil
}

// CutsAsCopy reports whether MySQL copies values of one type into a column of another
// without looking at them: one that is cut is then said to be truncated, not too long.
func CutsAsCopy(from, to *value.Type, flavor value.Flavor) bool {
	alike := from.Kind == to.Kind && (from.Kind == value.VarChar || from.Kind == value.Char || from.Kind == value.VarBinary || from.Kind == value.Binary)
	return alike && flavor == value.MySQL && (from.Collation == to.Collation || from.Collation != nil && to.Collation != nil && from.Collation.Charset == to.Collation.Charset)
}
