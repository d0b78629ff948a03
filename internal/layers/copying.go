package layers

import (
	"bytes"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// A table with rows comes to be protected by columns that copy its plain ones
// (catalog.Column.Copies). Rows from before get the forms of what they have in the clear.

// CanCopy reports whether the values of a plain column of a type can be copied exactly: as
// a client is shown them, they are what the server keeps, and a literal of them is the same
// value again. A number in binary may be rounded on its way, a TIMESTAMP is one of two
// moments in an hour of the year, the year 0 is written as 2000 is, and labels, bits and documents are kept otherwise than
// they are shown.
func CanCopy(t *value.Type) bool {
	switch k := t.Kind; {
	case k == value.Float, k == value.Double, k == value.Timestamp, k == value.Bit, k == value.Year:
		return false
	default:
		return k.IsText() || k.IsBytes() || k.IsNumber() || k == value.Date || k == value.Time || k == value.DateTime
	}
}

// copyingTarget is what rows are to get of a column that copies another one. env is of the
// session that has one converted.
func copyingTarget(t *catalog.Table, c *catalog.Column, ring *crypt.Ring, env *value.Env) (x target, err error) {
	x = target{read: &t.Columns[t.Column(c.Copies)], sealed: c.Name}
	for _, l := range c.Layers {
		x.tokens = append(x.tokens, tokenOf(c, &l))
	}
	if !x.read.Protected() {
		x.plain = canonicalOf(&x.read.Type)
	} else {
		x.convert = Converter(&x.read.Type, &c.Type, env)
		x.opens, err = ring.Column(x.read)
	}
	if err == nil {
		x.makes, err = ring.Column(c)
	}
	return x, err
}

// selected is the expression that reads what the target has: text of a plain column as the
// bytes that it is.
func (x *target) selected() string {
	if x.plain != nil {
		return selectedPlain(x.read.Name, &x.read.Type)
	}
	return quoteName(x.read.Name)
}

// selectedPlain is the expression that reads a column in the clear.
func selectedPlain(name string, t *value.Type) string {
	if t.Kind.IsText() {
		return "CAST(" + quoteName(name) + " AS BINARY)"
	}
	return quoteName(name)
}

// shownOf is a value in canonical form as a session of settings is shown it of a plain column:
// of the types of CanCopy the server makes the same value of that again.
func shownOf(t *value.Type, canonical []byte) []byte {
	if t.Kind.IsText() || t.Kind.IsBytes() {
		return append([]byte{}, canonical...)
	}
	return value.AppendText([]byte{}, t, canonical, &value.Env{})
}

// canonicalOf makes canonical forms of the values of a plain column, as they are shown in a
// session of settings. Whatever the column holds is a value of its type, that of a date
// which is none included.
func canonicalOf(t *value.Type) func(cell []byte) ([]byte, error) {
	if t.Kind.IsText() || t.Kind.IsBytes() {
		return func(cell []byte) ([]byte, error) { return append([]byte{}, cell...), nil }
	}
	env := &value.Env{}
	ascii, _ := charset.Lookup(value.MySQL, "latin1_swedish_ci") // as numbers and times are shown
	return func(cell []byte) ([]byte, error) {
		source := value.StringSource(cell, ascii)
		out, outcome := value.Assign([]byte{}, t, &source, env)
		if outcome.Null || len(outcome.Conditions()) > 0 || !bytes.Equal(value.AppendText(nil, t, out, env), cell) {
			return nil, ErrConversion
		}
		return out, nil
	}
}
