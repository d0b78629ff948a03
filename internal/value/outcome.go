package value

import (
	"strconv"

	"tunic/internal/identifier"
)

// Level is the severity of a condition, as in SHOW WARNINGS.
type Level uint8

// The levels.
const (
	Note Level = iota
	Warning
	Error
)

// String returns the word of SHOW WARNINGS.
func (l Level) String() string { return [...]string{"Note", "Warning", "Error"}[l] }

// Code is an error number of the server (MySQL manual, "Server Error Message
// Reference"; MariaDB documentation, "Error Codes").
type Code uint16

// The codes that a value can cause.
const (
	// Unanswerable is no code of a server: what it would do is not known here,
	// and the statement is to be refused.
	Unanswerable Code = 0

	BadNull        Code = 1048 // NULL for a NOT NULL column
	OutOfRange     Code = 1264
	Truncated      Code = 1265
	WrongValue     Code = 1292 // a date or time in strict mode
	BadInstant     Code = 1299 // a local time that the clocks skip
	Unparsable     Code = 1366 // no number, or bytes that are no characters
	TooLong        Code = 1406
	WrongForType   Code = 1411 // MariaDB: a date that cannot be rounded
	BadGeometry    Code = 1416
	BadJSON        Code = 3140
	BadJSONCharset Code = 3144 // bytes are no JSON
	DeepJSON       Code = 3157
	BadSRID        Code = 3643
	FailedCheck    Code = 4025 // MariaDB's check of its JSON
	BadVector      Code = 6136
	Overflow       Code = 1441 // a date beyond 9999-12-31, by rounding
	BadDelimiter   Code = 4095 // MySQL deprecates a delimiter between the fields of a date
	ExtraDelimiter Code = 4096
)

// Condition is one warning or error. It holds no value: What is the word of the
// message for the type ("integer", "datetime"), or "".
type Condition struct {
	Code  Code
	Level Level
	What  string
}

// conditionsMax is the most conditions that one assignment raises.
const conditionsMax = 4

// Outcome is what an assignment came to besides the value.
type Outcome struct {
	Null       bool // the value is NULL; there are no canonical bytes
	n          uint8
	conditions [conditionsMax]Condition
}

// Conditions returns what the server would put into SHOW WARNINGS, in order.
// They are part of o.
func (o *Outcome) Conditions() []Condition { return o.conditions[:o.n] }

// Failed reports whether the statement is to end with an error. No canonical
// bytes have been appended then.
func (o *Outcome) Failed() bool {
	_, failed := o.Err()
	return failed
}

// Err returns the condition that is the statement's error if it fails: the first
// of its level. Others may stand before and behind it in SHOW WARNINGS.
func (o *Outcome) Err() (Condition, bool) {
	for _, c := range o.Conditions() {
		if c.Level == Error {
			return c, true
		}
	}
	return Condition{}, false
}

func (o *Outcome) add(level Level, code Code, what string) {
	if o.n < conditionsMax {
		o.conditions[o.n] = Condition{Code: code, Level: level, What: what}
		o.n++
	}
}

// warn raises a warning, which strict mode makes an error.
func (o *Outcome) warn(env *Env, code Code, what string) {
	if env.Strict() {
		o.add(Error, code, what)
		return
	}
	o.add(Warning, code, what)
}

// fail raises an error in every mode but IGNORE.
func (o *Outcome) fail(env *Env, code Code, what string) {
	if env.Ignore {
		o.add(Warning, code, what)
		return
	}
	o.add(Error, code, what)
}

// noteCut raises a note of a loss that is never an error.
func (o *Outcome) noteCut() { o.add(Note, Truncated, "") }

// Column names a column in a message.
type Column struct{ Schema, Table, Name string }

// AppendMessage appends the server's message for the condition, without the
// value that the server's own has. Rows are counted from 1.
func (c Condition) AppendMessage(dst []byte, env *Env, column Column, row int) []byte {
	switch c.Code {
	case BadNull:
		return append(append(append(dst, "Column '"...), column.Name...), "' cannot be null"...)
	case OutOfRange:
		return appendAtRow(append(dst, "Out of range value"...), column, row)
	case Truncated:
		return appendAtRow(append(dst, "Data truncated"...), column, row)
	case TooLong:
		return appendAtRow(append(dst, "Data too long"...), column, row)
	case BadInstant:
		dst = append(append(append(dst, "Invalid TIMESTAMP value in column '"...), column.Name...), '\'')
		return appendRow(dst, row)
	case BadDelimiter:
		return appendRow(append(dst, "A delimiter in a date or time is deprecated"...), row)
	case ExtraDelimiter:
		return appendRow(append(dst, "A superfluous delimiter in a date or time is deprecated"...), row)
	case WrongForType:
		return append(append(append(dst, "Incorrect "...), c.What...), " value for function round(datetime)"...)
	case Overflow:
		return append(dst, "Datetime function: datetime field overflow"...)
	case BadGeometry:
		return append(dst, "Cannot get geometry object from data you send to the GEOMETRY field"...)
	case BadJSON, BadJSONCharset, DeepJSON, BadSRID, FailedCheck, BadVector:
		return c.appendOther(dst, column)
	default:
		return c.appendIncorrect(dst, env, column, row)
	}
}

// appendOther appends the messages of the kinds that not all servers have. Where a
// message has the reason in the value's own terms (MySQL's of JSON), it is left
// out with the value.
func (c Condition) appendOther(dst []byte, column Column) []byte {
	switch c.Code {
	case BadJSON:
		dst = append(append(append(dst, "Invalid JSON text in value for column '"...), column.Table...), '.')
		return append(append(dst, column.Name...), "'."...)
	case BadJSONCharset:
		return append(dst, "Cannot create a JSON value from a string with CHARACTER SET 'binary'."...)
	case DeepJSON:
		return append(dst, "The JSON document exceeds the maximum depth."...)
	case BadSRID:
		dst = append(append(dst, "The SRID of the geometry does not match the SRID of the column '"...), column.Name...)
		return append(dst, "'."...)
	case FailedCheck:
		dst = append(append(append(append(dst, "CONSTRAINT `"...), column.Table...), '.'), column.Name...)
		dst = append(append(dst, "` failed for `"...), column.Schema...)
		return append(append(append(dst, "`.`"...), column.Table...), '`')
	default:
		return append(dst, "The value cannot be converted to 'vector' type."...)
	}
}

// appendIncorrect appends the message of WrongValue and Unparsable.
func (c Condition) appendIncorrect(dst []byte, env *Env, column Column, row int) []byte {
	dst = append(append(append(dst, "Incorrect "...), c.What...), " value"...)
	if env.Flavor == MariaDB {
		return appendRow(appendFullName(append(dst, " for column "...), column), row)
	}
	return appendAtRow(dst, column, row)
}

func appendAtRow(dst []byte, column Column, row int) []byte {
	dst = append(append(append(dst, " for column '"...), column.Name...), '\'')
	return appendRow(dst, row)
}

func appendRow(dst []byte, row int) []byte {
	return strconv.AppendInt(append(dst, " at row "...), int64(row), 10)
}

// appendFullName appends `schema`.`table`.`name`.
func appendFullName(dst []byte, column Column) []byte {
	for i, name := range [...]string{column.Schema, column.Table, column.Name} {
		if i > 0 {
			dst = append(dst, '.')
		}
		dst = identifier.Append(dst, name)
	}
	return dst
}
