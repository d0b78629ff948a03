package binding

import (
	"math"
	"strconv"
	"strings"

	"tunic/internal/eval/decimal"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// LimitOf is the number of rows that a value means behind LIMIT: of one behind USING, or of a parameter of an
// execution. MariaDB makes a number of every value. MySQL takes integers and NULL, of parameters also texts that
// are integers, and has errors for what else there is. A value that the server is not to get in the clear is left
// as it is.
func LimitOf(v Variable, flavor value.Flavor, parameter bool) (Variable, error) {
	if v.Secret || v.Key || !v.Null && v.Source.Form == value.FormUint {
		return v, nil
	}
	n, ok := int64(0), true
	switch s := &v.Source; {
	case v.Null:
	case s.Form == value.FormInt:
		n = int64(s.Number)
		if n < 0 && flavor != value.MariaDB && !parameter {
			return v, &sqlerr.Error{Number: 1690, State: "22003", Message: "unsigned integer value is out of range in 'EXECUTE'"}
		}
	case flavor != value.MariaDB:
		u, err := strconv.ParseUint(string(s.Bytes), 10, 63)
		n, ok = int64(u), err == nil && parameter && s.Form == value.FormString
	case s.Form == value.FormDouble:
		f := math.Float64frombits(s.Number)
		if parameter {
			f = math.RoundToEven(f)
		}
		n, ok = int64(f), math.Abs(f) < 1<<63
	case s.Form == value.FormDecimal:
		var d decimal.Number
		if ok = d.SetText(s.Bytes); ok {
			n, ok = d.Int64()
		}
	default:
		n, ok = leadingInteger(string(s.Bytes))
	}
	switch {
	case ok && n >= 0:
		return Variable{Source: value.Source{Form: value.FormUint, Number: uint64(n)}, From: v.From}, nil
	case parameter:
		return v, WrongArguments()
	default:
		return v, WrongUsing()
	}
}

// WrongUsing is what servers say of more or fewer values behind USING than parameters, and of values that a
// parameter cannot take.
func WrongUsing() *sqlerr.Error {
	return &sqlerr.Error{Number: 1210, State: "HY000", Message: "Incorrect arguments to EXECUTE"}
}

// leadingInteger is the integer that a text begins with, 0 if it begins otherwise.
func leadingInteger(text string) (n int64, ok bool) {
	text = strings.TrimLeft(text, " \t\n\v\f\r")
	end := 0
	for end < len(text) && (text[end]-'0' <= 9 || end == 0 && (text[0] == '-' || text[0] == '+')) {
		end++
	}
	if text = text[:end]; strings.Trim(text, "+-") == "" {
		return 0, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}
