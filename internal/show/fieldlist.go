package show

import (
	"tunic/internal/catalog"
	"tunic/internal/value"
)

// Fields are the columns of a protected table for COM_FIELD_LIST.
type Fields struct{ *table }

// NewFields reads them. The error is one of the catalog.
func NewFields(t *catalog.Table, f value.Flavor) (*Fields, error) {
	s, err := read(t, f)
	return &Fields{s}, err
}

// Layer reports whether a name is that of the column of a layer, or of a fence.
func (f *Fields) Layer(name string) bool { return f.hides(name) }

// Place is where a column stands among the logical ones; behind all of them if it is none.
func (f *Fields) Place(name string) int { return f.place(name) }

// Protected is a protected column by its name, nil if there is none of it.
func (f *Fields) Protected(name string) *catalog.Column {
	if field := f.protected(name); field != nil {
		return field.column
	}
	return nil
}

// Default is what COM_FIELD_LIST tells as a column's default: a constant, or what
// stands where none is given; ok is false for NULL.
func (f *Fields) Default(c *catalog.Column) (canonical []byte, ok bool) {
	switch {
	case c.Default.Kind == catalog.DefaultValue:
		return c.Default.Canonical, true
	case c.Type.NotNull:
		return value.AppendImplicitDefault(nil, &c.Type), true
	}
	return nil, false
}
