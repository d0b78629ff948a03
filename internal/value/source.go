package value

import (
	"math"

	"tunic/internal/value/charset"
)

// Form is how a statement writes a value. The same number is stored differently
// when it is written as 2.5, 2.5e0 or '2.5'.
type Form uint8

// The forms.
const (
	FormNull Form = iota
	// FormInt is an integer literal, a TINYINT to BIGINT parameter, TRUE or FALSE.
	FormInt
	// FormUint is one above 9223372036854775807, or an UNSIGNED parameter.
	FormUint
	// FormDecimal is a literal with a point and no exponent, an integer of more
	// than 64 bits, or a DECIMAL parameter: Bytes is its text.
	FormDecimal
	// FormDouble is a literal with an exponent, or a DOUBLE or FLOAT parameter.
	FormDouble
	// FormString is characters in the character set of Collation.
	FormString
	// FormHex is 0x41, and in MySQL x'41' too: bytes, or a number where one is
	// wanted.
	FormHex
	// FormBit is b'101'. Bytes has it, padded with zero bits at the front.
	FormBit
	// FormHexString is x'41' of MariaDB: bytes, never a number.
	FormHexString
	// FormDate is DATE'2020-01-02' or a DATE parameter; Number is its packed form.
	FormDate
	// FormTime is TIME'10:11:12' or a TIME parameter; Number is its packed form.
	FormTime
	// FormDateTime is TIMESTAMP'2020-01-02 10:11:12' or a DATETIME or TIMESTAMP
	// parameter; Number is its packed form.
	FormDateTime
)

// Source is a value as a statement supplies it. The bytes belong to the
// statement.
type Source struct {
	Form  Form
	Param bool // came as a parameter of the binary protocol
	Truth bool // is TRUE or FALSE, which are numbers but where documents are made
	// Variable says that it is the value of a user variable, whose collation counts as
	// much as that of a column.
	Variable bool
	// System says that it is what the session says of itself, as USER(): its collation
	// counts for less than that of a column, and more than that of a literal.
	System bool
	// Fraction is the number of digits after the point of FormTime and
	// FormDateTime, 0 to 6.
	Fraction uint8
	// Number is the integer, the bits of the double, or the packed temporal.
	Number uint64
	Bytes  []byte
	// Collation is that of FormString; its character set is what counts for
	// storing, its order for comparing. Nil is that of binary strings.
	Collation *charset.Collation
}

// charset is the character set of FormString.
func (s *Source) charset(f Flavor) *charset.Charset {
	if s.Collation == nil {
		return binaryCharsets[f]
	}
	return s.Collation.Charset
}

// NullSource returns NULL.
func NullSource() Source { return Source{} }

// IntSource returns an integer.
func IntSource(i int64) Source { return Source{Form: FormInt, Number: uint64(i)} }

// UintSource returns an unsigned integer. One that fits into 63 bits is the same
// literal as the signed one.
func UintSource(u uint64) Source {
	if u <= math.MaxInt64 {
		return Source{Form: FormInt, Number: u}
	}
	return Source{Form: FormUint, Number: u}
}

// BoolSource returns TRUE or FALSE, which are 1 and 0.
func BoolSource(b bool) Source {
	s := IntSource(0)
	if s.Truth = true; b {
		s.Number = 1
	}
	return s
}

// DecimalSource returns an exact number from the text of a literal without an
// exponent, with a sign if it has one.
func DecimalSource(text []byte) Source { return Source{Form: FormDecimal, Bytes: text} }

// DoubleSource returns an approximate number.
func DoubleSource(f float64) Source { return Source{Form: FormDouble, Number: math.Float64bits(f)} }

// StringSource returns characters.
func StringSource(b []byte, c *charset.Collation) Source {
	return Source{Form: FormString, Bytes: b, Collation: c}
}

// HexSource returns a hexadecimal literal that may be a number.
func HexSource(b []byte) Source { return Source{Form: FormHex, Bytes: b} }

// BitSource returns a bit literal: its bits in whole bytes, the first of them
// padded with zeros at its front.
func BitSource(b []byte) Source { return Source{Form: FormBit, Bytes: b} }

// HexStringSource returns a hexadecimal literal that is a string of bytes.
func HexStringSource(b []byte) Source { return Source{Form: FormHexString, Bytes: b} }

// DateSource returns a date in packed form.
func DateSource(packed int64) Source { return Source{Form: FormDate, Number: uint64(packed)} }

// TimeSource returns a time in packed form, with so many digits of fraction.
func TimeSource(packed int64, fraction uint8) Source {
	return Source{Form: FormTime, Number: uint64(packed), Fraction: fraction}
}

// DateTimeSource returns a date and time in packed form, with so many digits of
// fraction.
func DateTimeSource(packed int64, fraction uint8) Source {
	return Source{Form: FormDateTime, Number: uint64(packed), Fraction: fraction}
}

func (s *Source) double() float64 { return math.Float64frombits(s.Number) }

// isNumber reports whether the source is a number where one is wanted.
func (s *Source) isNumber() bool {
	switch s.Form {
	case FormInt, FormUint, FormDecimal, FormDouble, FormHex, FormBit:
		return true
	default:
		return false
	}
}

// word is the word of MariaDB's messages for a temporal source.
func (s *Source) word() string {
	switch s.Form {
	case FormDate:
		return temporalWord(Date)
	case FormTime:
		return temporalWord(Time)
	default:
		return temporalWord(DateTime)
	}
}
