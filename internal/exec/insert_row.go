package exec

import (
	"tunic/internal/binding"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/value"
)

// rowMaker makes rows to be inserted of values that come from elsewhere: it converts each
// to its column's type, as the server does when it stores it.
type rowMaker struct {
	session *Session
	columns []*binding.Column // that the rows are for
	cuts    []bool            // see cutsAsCopy
	values  []byte
	current eval.Row // the row that is being made, good until the next one
}

// newRowMaker makes rows of the statement under way.
func (w *writer) newRowMaker() rowMaker {
	m := rowMaker{session: w.session}
	for _, i := range w.st.Run.Added().Into {
		m.columns = append(m.columns, w.st.Columns[i])
	}
	return m
}

// begin begins a row.
func (m *rowMaker) begin() {
	m.values, m.current = append(m.values[:0], 0), m.current[:0] // one byte: what is empty is not nil
}

// assign converts a value to its column's type; nil for NULL, which a column that is
// AUTO_INCREMENT keeps: the server has a number for it.
func (m *rowMaker) assign(i int, source *value.Source) ([]byte, error) {
	c, b := m.columns[i], m.session.binder
	if source.Form == value.FormNull && c.AutoIncrement {
		return nil, nil
	}
	if binding.HasBlank(&c.Type, source) {
		return nil, binding.ErrBlank
	}
	begin := len(m.values)
	var outcome value.Outcome
	m.values, outcome = value.Assign(m.values, &c.Type, source, &b.Env.Value)
	v := m.values[begin:len(m.values):len(m.values)]
	if outcome.Null {
		v = nil
	}
	if raised := outcome.Conditions(); len(raised) > 0 {
		for n := range raised {
			if m.cuts != nil && m.cuts[i] && raised[n].Code == value.TooLong {
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

// cutsAsCopy reports whether MySQL copies values of one type into a column of another
// without looking at them: one that is cut is then said to be truncated, not too long.
func cutsAsCopy(from, to *value.Type, flavor value.Flavor) bool {
	alike := from.Kind == to.Kind && (from.Kind == value.VarChar || from.Kind == value.Char || from.Kind == value.VarBinary || from.Kind == value.Binary)
	return alike && flavor == value.MySQL && (from.Collation == to.Collation || from.Collation != nil && to.Collation != nil && from.Collation.Charset == to.Collation.Charset)
}
