package environment

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// What tunic has computed for a plain column goes to the server in a form of which it makes
// the same value of the column's type again, in every sql_mode and time zone: labels and bits
// as their number, a FLOAT with all of its digits. decision 40 has what servers make of them.

// AppendKept appends a value of a plain column as such a literal.
func (e *Environment) AppendKept(dst []byte, t *value.Type, canonical []byte) ([]byte, error) {
	switch k := t.Kind; {
	case k == value.Enum && binary.BigEndian.Uint64(canonical) == 0:
		return e.appendUnlabelled(dst, t)
	case k.IsNumbered():
		return strconv.AppendUint(dst, binary.BigEndian.Uint64(canonical), 10), nil
	case k == value.Float, k == value.Double:
		return AppendDouble(dst, value.DoubleOf(t, canonical))
	case k == value.JSON:
		return AppendHex(append(dst, "_utf8mb4 "...), canonical), nil
	case k == value.Timestamp:
		dst, err := e.appendMoment(append(dst, '\''), t, canonical, false)
		return append(dst, '\''), err
	}
	return appendLiteral(dst, t, canonical, &e.Value), nil
}

// appendUnlabelled appends the ENUM that has no label. As a number MySQL takes it only with a
// warning, or in no strict sql_mode; MariaDB has no form that it takes without.
func (e *Environment) appendUnlabelled(dst []byte, t *value.Type) ([]byte, error) {
	text := t.Unlabelled(&e.Value)
	if e.Value.Flavor == value.MariaDB || text == nil {
		return dst, errUnlabelled()
	}
	return append(append(append(dst, '\''), text...), '\''), nil
}

func errUnlabelled() error {
	return sqlerr.ValueRefused("an ENUM that has none of its labels, as the value of a plain column,")
}

// appendMoment appends a TIMESTAMP, which servers read as local time. In an hour that is there
// twice a year the second one is told by its offset, in a string that MySQL reads since 8.0.19;
// not in a parameter, which it makes a local time first. MariaDB reads none.
func (e *Environment) appendMoment(dst []byte, t *value.Type, canonical []byte, param bool) ([]byte, error) {
	text := value.AppendText(nil, t, canonical, &e.Value)
	source := value.StringSource(text, e.Connection)
	quiet := e.Value
	quiet.Ignore = true
	again, outcome := value.Assign(nil, t, &source, &quiet)
	same := bytes.Equal(again, canonical) && (len(outcome.Conditions()) == 0 || IsZero(canonical))
	switch {
	case same:
		return append(dst, text...), nil
	case param || e.Value.Flavor == value.MariaDB || e.Value.Version < offsetsRead:
		return dst, sqlerr.ValueRefused("a TIMESTAMP of an hour that is there twice, as the value of a plain column,")
	}
	utc := e.Value
	utc.Location = nil
	return append(value.AppendText(dst, t, canonical, &utc), "+00:00"...), nil
}

// offsetsRead is the first version of MySQL that reads a time zone offset behind a time.
const offsetsRead = 80019

// IsZero reports whether all bytes are 0: the zero date.
func IsZero(canonical []byte) bool {
	for _, c := range canonical {
		if c != 0 {
			return false
		}
	}
	return true
}

// AppendKeptParam is AppendKept as a parameter: a number as eight bytes, all others without a
// character set, so that strings are in the column's and the rest is text in ASCII.
func (e *Environment) AppendKeptParam(dst []byte, t *value.Type, canonical []byte) ([]byte, error) {
	switch k := t.Kind; {
	case k == value.Enum && binary.BigEndian.Uint64(canonical) == 0:
		return dst, errUnlabelled()
	case k.IsNumbered():
		return binary.LittleEndian.AppendUint64(dst, binary.BigEndian.Uint64(canonical)), nil
	case k == value.Float, k == value.Double:
		return AppendDouble(dst, value.DoubleOf(t, canonical))
	case k == value.Timestamp:
		return e.appendMoment(dst, t, canonical, true)
	case k.IsText(), k.IsBytes(), k == value.JSON:
		return append(dst, canonical...), nil
	}
	return value.AppendText(dst, t, canonical, &e.Value), nil
}
