package layers

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strconv"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// named has the error of a value say of which column it is.
func named(c *catalog.Column, read func(cell []byte) ([]byte, error)) func(cell []byte) ([]byte, error) {
	return func(cell []byte) ([]byte, error) {
		canonical, err := read(cell)
		if errors.Is(err, ErrConversion) {
			return nil, &UnshadowedError{Column: c.Name}
		}
		return canonical, err
	}
}

// UnshadowedError is an [ErrConversion] of a plain column: it has a value which is not that of its type, such
// as a date that does not exist, or the bound of a FLOAT(M,D), so that it would be another one if it were
// written again.
type UnshadowedError struct{ Column string }

func (e *UnshadowedError) Error() string {
	return "column " + e.Column + " has a value that would be another one if it were written again: change the value, or leave the column out"
}

func (*UnshadowedError) Unwrap() error { return ErrConversion }

// selectedPlain is the expression that reads a column in the clear: text as the bytes that it is.
func selectedPlain(name string, t *value.Type) string {
	switch column, k := identifier.Quoted(name), t.Kind; {
	case k.IsText():
		return "CAST(" + column + " AS BINARY)"
	case k.IsNumbered():
		return "CAST(" + column + " AS UNSIGNED)"
	case doubled(k):
		return column + " * 1e0" // a sum with 0 would be 0 of -0
	case t.Zerofill:
		return column + " + 0" // the text protocol has the zeros, the binary one none in front of an integer
	default:
		return column
	}
}

// storedPlain is the expression that a column in the clear is set to; form is what shownOf
// makes, as bytes.
func storedPlain(form string, t *value.Type) string {
	if t.Kind.IsNumbered() {
		return "CAST(" + form + " AS UNSIGNED)"
	}
	return form
}

// shownOf is a value in canonical form as selectedPlain reads it of a plain column in a session
// of settings, but for the notation of a DOUBLE: of the types of CanShadow the server makes the
// same value of that again.
func shownOf(t *value.Type, canonical []byte) []byte {
	switch k := t.Kind; {
	case k.IsText(), k.IsBytes():
		return append([]byte{}, canonical...)
	case k.IsNumbered():
		return strconv.AppendUint(nil, binary.BigEndian.Uint64(canonical), 10)
	case doubled(k):
		return strconv.AppendFloat(nil, value.DoubleOf(t, canonical), 'e', -1, 64)
	}
	unfilled := *t
	unfilled.Zerofill = false
	return value.AppendText([]byte{}, &unfilled, canonical, &value.Env{})
}

// isShown reports whether a column in the clear has what shownOf has made.
func isShown(t *value.Type, want, have []byte) bool {
	if want == nil || have == nil || !doubled(t.Kind) {
		return bytes.Equal(want, have) && (want == nil) == (have == nil)
	}
	f, err := strconv.ParseFloat(string(have), 64)
	return err == nil && bytes.Equal(want, strconv.AppendFloat(nil, f, 'e', -1, 64))
}

// canonicalOf makes canonical forms of the values of a plain column, as selectedPlain reads them
// in a session of settings. Whatever the column holds is a value of its type, that of a date
// which is none included. One that would not be the same again if it were written is
// ErrConversion.
func canonicalOf(t *value.Type) func(cell []byte) ([]byte, error) {
	switch k := t.Kind; {
	case k.IsText(), k.IsBytes():
		return func(cell []byte) ([]byte, error) { return append([]byte{}, cell...), nil }
	case k.IsNumbered():
		return func(cell []byte) ([]byte, error) {
			n, err := strconv.ParseUint(string(cell), 10, 64)
			if err != nil || !numbers(t, n) {
				return nil, ErrConversion
			}
			return binary.BigEndian.AppendUint64(nil, n), nil
		}
	}
	env := &value.Env{} // MySQL's: MariaDB has no -0, and never shows one
	if t.Kind == value.Timestamp {
		env = &value.Env{Flavor: value.MariaDB, Version: longMoments}
	}
	ascii, _ := charset.Lookup(value.MySQL, "latin1_swedish_ci") // as numbers and times are shown
	return func(cell []byte) ([]byte, error) {
		source := value.StringSource(cell, ascii)
		out, outcome := value.Assign([]byte{}, t, &source, env)
		if outcome.Null || len(outcome.Conditions()) > 0 || !isShown(t, shownOf(t, out), cell) {
			return nil, ErrConversion
		}
		return out, nil
	}
}

// longMoments is the version of MariaDB since which a TIMESTAMP is one of twice as many years.
const longMoments = 110500

// numbers reports whether a number is that of a value of a type that is read as one. The ENUM of
// number 0 has no label.
func numbers(t *value.Type, n uint64) bool {
	const first, last = 1901, 2155
	switch t.Kind {
	case value.Enum:
		return n <= uint64(len(t.Labels))
	case value.Set:
		return n>>len(t.Labels) == 0
	case value.Bit:
		return n>>t.Length == 0
	default:
		return n == 0 || n >= first && n <= last
	}
}

// widthOf is how many bytes a value that is not long may have, about.
func widthOf(t *value.Type) int {
	const number, character = 16, 4
	if t.Kind.IsText() || t.Kind.IsBytes() {
		return number + character*t.Length
	}
	return number
}

// longMin is how many characters a column that is long has at least.
const longMin = 1 << 12

// isLong says that a sealed form may be longer than a row.
func isLong(t *value.Type) bool {
	switch t.Kind {
	case value.Text, value.MediumText, value.LongText, value.Blob, value.MediumBlob, value.LongBlob, value.JSON, value.Vector:
		return true
	case value.Char, value.VarChar, value.Binary, value.VarBinary:
		return t.Length > longMin
	default:
		return t.Kind.IsGeometry()
	}
}

// CanShadow reports whether the values of a plain column of a type can be copied exactly: as
// they are read here (selectedPlain), they are what the server keeps, and what is written of
// them (shownOf, storedPlain) is the same value again.
func CanShadow(t *value.Type) bool {
	k := t.Kind
	if k == value.Year && t.Length == shortYear {
		return false // 00 is a year, and none
	}
	return k.IsText() || k.IsBytes() || k.IsNumber() || k.IsTemporal() || k == value.Enum || k == value.Set
}

// shortYear is the width of a YEAR(2), of which servers show two digits. MySQL has none since 5.7.5.
const shortYear = 2

// doubled reports whether a kind is read as a DOUBLE, of which servers show all digits. Of a
// FLOAT they show six, and of one of (M,D) as many as it has behind its point.
func doubled(k value.Kind) bool { return k == value.Float || k == value.Double }
