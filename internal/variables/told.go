package variables

import (
	"strconv"
	"strings"

	"tunic/internal/binding"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	collations "tunic/internal/value/charset"
	"tunic/internal/wire"
)

// variableColumns is how many columns the server is asked for each variable.
const variableColumns = 4

// question asks the server for expressions without a table.
func question(expressions []string) []byte {
	text := []byte("SELECT ")
	for i, v := range expressions {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(text, v+", "+v+" IS NULL, CAST("+v+" AS BINARY), COLLATION("+v+")"...)
	}
	return append(text, " LIMIT 1"...)
}

// answer are the values of so many expressions as the server has answered the question for them.
func answer(flavor value.Flavor, expressions int, columns []wire.ColumnDefinition, rows [][]string) (all []binding.Variable, err error) {
	if len(rows) != 1 || len(columns) != variableColumns*expressions {
		return nil, untold()
	}
	all = make([]binding.Variable, expressions)
	for i := range all {
		at := i * variableColumns
		if all[i], err = toldVariable(flavor, &columns[at], rows[0][at+1] == "1", rows[0][at+2], rows[0][at+3]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// untold refuses what the server does not answer for.
func untold() error { return sqlerr.StatementRefused("a user variable that the server does not tell") }

// toldVariable is a variable as the server has told it.
func toldVariable(flavor value.Flavor, c *wire.ColumnDefinition, null bool, text, collation string) (binding.Variable, error) {
	v := binding.Variable{Null: null}
	v.Source.Variable = true
	refused := sqlerr.StatementRefused("a user variable of a type that tunic does not know")
	var err error
	switch c.Type {
	case wire.TypeLongLong, wire.TypeLong, wire.TypeNewDecimal, wire.TypeDouble: // a character of the connection's may be wide
		text = strings.ReplaceAll(text, "\x00", "")
	default:
	}
	switch c.Type {
	case wire.TypeLongLong, wire.TypeLong:
		if v.Source.Form = value.FormInt; c.Flags&value.FlagUnsigned != 0 {
			v.Source.Form = value.FormUint
		}
		if !null {
			v.Source.Number, err = parseInteger(text)
		}
	case wire.TypeNewDecimal:
		v.Source.Form, v.Source.Bytes = value.FormDecimal, []byte(text)
	case wire.TypeDouble:
		if v.Source.Form = value.FormDouble; !null {
			var f float64
			f, err = strconv.ParseFloat(text, 64)
			v.Source.Number = value.DoubleSource(f).Number
		}
	default:
		v.Source.Form, v.Source.Bytes = value.FormString, []byte(text)
		if collation == "binary" || null {
			break
		}
		known, ok := collations.Lookup(flavor, collation)
		if !ok {
			return v, refused
		}
		v.Source.Collation = known
	}
	if err != nil {
		return v, refused
	}
	return v, nil
}

// parseInteger reads an integer with a sign or without.
func parseInteger(text string) (uint64, error) {
	if strings.HasPrefix(text, "-") {
		n, err := strconv.ParseInt(text, 10, 64)
		return uint64(n), err
	}
	return strconv.ParseUint(text, 10, 64)
}
