package change

import (
	"bytes"
	"slices"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/recipe"
)

// Beside is a recipe.Beside made ready.
type Beside struct {
	*recipe.Beside
	Fills   []Slot // its slots
	changed []int  // where the columns are in the rows that are read
	full    []int
}

// Columns looks up the columns of tables whose rows a statement writes beside others; nil without any.
func Columns(st *binding.Statement, forms binding.FormsOf) (beside map[*catalog.Table][]*binding.Column, err error) {
	take := func(w *recipe.Write) (err error) {
		for i := range w.Beside {
			t := w.Beside[i].Table
			if beside == nil {
				beside = map[*catalog.Table][]*binding.Column{}
			}
			if beside[t], err = st.ColumnsOf(forms, t); err != nil {
				return err
			}
		}
		return nil
	}
	if rewrite := st.Run.Rewrite(); rewrite != nil {
		return beside, take(rewrite.Write)
	}
	for _, t := range st.Run.Targets() {
		if err := take(t.Write); err != nil {
			return nil, err
		}
	}
	return beside, nil
}

// ready makes one ready.
func (o *Of) ready(of *recipe.Beside) Beside {
	b := Beside{Beside: of}
	for _, s := range of.Slots {
		columns := o.Rows.Columns
		if s.Of.Kind == recipe.FromSet {
			columns = o.Beside[of.Table]
		}
		b.Fills = append(b.Fills, Slot{
			Column: columns[s.Column], At: o.Rows.FetchedAt(s.From), Form: s.Form, Layer: s.Layer, Of: s.Of,
		})
	}
	for _, i := range of.Changed {
		b.changed = append(b.changed, o.Rows.FetchedAt(i))
	}
	for _, i := range of.Full {
		b.full = append(b.full, o.Rows.FetchedAt(i))
	}
	return b
}

// Concerns reports whether rows that refer to a row have to follow it. to is nil if it is
// deleted.
func (b *Beside) Concerns(row, to eval.Row) bool {
	if to == nil {
		return true
	}
	if slices.ContainsFunc(b.full, func(at int) bool { return to[at] == nil }) {
		return false
	}
	return slices.ContainsFunc(b.changed, func(at int) bool {
		return (to[at] == nil) != (row[at] == nil) || !bytes.Equal(to[at], row[at])
	})
}
