package exec

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

// appendKept appends a value of a plain column as such a literal.
func (e *environment) appendKept(dst []byte, t *value.Type, canonical []byte) ([]byte, error) {
	switch k := t.Kind; {
	case k == value.Enum && binary.BigEndian.Uint64(canonical) == 0:
		return e.appendUnlabelled(dst, t)
	case k.IsNumbered():
		return strconv.AppendUint(dst, binary.BigEndian.Uint64(canonical), 10), nil
	case k == value.Float, k == value.Double:
		return appendDouble(dst, value.DoubleOf(t, canonical))
	case k == value.JSON:
		return appendHex(append(dst, "_utf8mb4 "...), canonical), nil
	case k == value.Timestamp:
		dst, err := e.appendMoment(append(dst, '\''), t, canonical, false)
		return append(dst, '\''), err
	}
	return appendLiteral(dst, t, canonical, &e.value), nil
}

// appendUnlabelled appends the ENUM that has no label. As a number MySQL takes it only with a
// warning, or in no strict sql_mode; MariaDB has no form that it takes without.
func (e *environment) appendUnlabelled(dst []byte, t *value.Type) ([]byte, error) {
	text := t.Unlabelled(&e.value)
	if e.value.Flavor == value.MariaDB || text == nil {
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
func (e *environment) appendMoment(dst []byte, t *value.Type, canonical []byte, param bool) ([]byte, error) {
	text := value.AppendText(nil, t, canonical, &e.value)
	source := value.StringSource(text, e.connection)
	quiet := e.value
	quiet.Ignore = true
	again, outcome := value.Assign(nil, t, &source, &quiet)
	same := bytes.Equal(again, canonical) && (len(outcome.Conditions()) == 0 || isZero(canonical))
	switch {
	case same:
		return append(dst, text...), nil
	case param || e.value.Flavor == value.MariaDB || e.value.Version < offsetsRead:
		return dst, sqlerr.ValueRefused("a TIMESTAMP of an hour that is there twice, as the value of a plain column,")
	}
	utc := e.value
	utc.Location = nil
	return append(value.AppendText(dst, t, canonical, &utc), "+00:00"...), nil
}

// offsetsRead is the first version of MySQL that reads a time zone offset behind a time.
const offsetsRead = 80019

// isZero reports whether all bytes are 0: the zero date.
func isZero(canonical []byte) bool {
	for _, c := range canonical {
		if c != 0 {
			return false
		}
	}
	return true
}

// appendKeptParam is appendKept as a parameter: a number as eight bytes, all others without a
// character set, so that strings are in the column's and the rest is text in ASCII.
func (e *environment) appendKeptParam(dst []byte, t *value.Type, canonical []byte) ([]byte, error) {
	switch k := t.Kind; {
	case k == value.Enum && binary.BigEndian.Uint64(canonical) == 0:
		return dst, errUnlabelled()
	case k.IsNumbered():
		return binary.LittleEndian.AppendUint64(dst, binary.BigEndian.Uint64(canonical)), nil
	case k == value.Float, k == value.Double:
		return appendDouble(dst, value.DoubleOf(t, canonical))
	case k == value.Timestamp:
		return e.appendMoment(dst, t, canonical, true)
	case k.IsText(), k.IsBytes(), k == value.JSON:
		return append(dst, canonical...), nil
	}
	return value.AppendText(dst, t, canonical, &e.value), nil
}
