package environment

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// AppendHex appends bytes as a literal.
func AppendHex(dst, b []byte) []byte {
	dst = append(dst, "x'"...)
	return append(hex.AppendEncode(dst, b), '\'')
}

// stringBytes is from where on a stored form is written as a string with escapes: hexadecimal
// digits take twice the room, and what the client's own text just had room for is to fit into
// max_allowed_packet when it is sealed, too.
const stringBytes = 1 << 20

// AppendForm appends a stored form as a literal.
func (e *Environment) AppendForm(dst, form []byte) []byte {
	if len(form) < stringBytes || e.Client.BytesMax > 1 && !strings.HasPrefix(e.Client.Name, "utf8") {
		return AppendHex(dst, form) // in other sets of several bytes a quote may be part of a character
	}
	return sql.AppendString(append(dst, "_binary "...), form, e.Modes)
}

// AppendStored appends what the server has sent.
func (e *Environment) AppendStored(dst, stored []byte) []byte {
	if stored == nil {
		return append(dst, "NULL"...)
	}
	return e.AppendForm(dst, stored)
}

// appendLiteral appends a value of a plain column as a literal that is equal to no
// other value of the column. Text has the column's character set before it, so that
// it compares by the column's collation.
func appendLiteral(dst []byte, t *value.Type, canonical []byte, env *value.Env) []byte {
	switch k := t.Kind; {
	case k.IsText():
		dst = append(append(append(dst, '_'), t.Collation.Charset.Name...), ' ')
		return AppendHex(dst, canonical)
	case k.IsBytes():
		return AppendHex(dst, canonical)
	case k.IsNumber():
		return value.AppendText(dst, t, canonical, env)
	}
	return append(value.AppendText(append(dst, '\''), t, canonical, env), '\'')
}

// AppendDouble appends a number so that it reads as the same.
func AppendDouble(dst []byte, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, IllegalDouble()
	}
	return strconv.AppendFloat(dst, f, 'e', -1, 64), nil
}

// IllegalDouble is what the server says to a number that no DOUBLE holds.
func IllegalDouble() error {
	return &sqlerr.Error{Number: 1367, State: "22007", Message: "Illegal double value found during parsing"}
}
