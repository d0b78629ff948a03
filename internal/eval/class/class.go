package class

import (
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// Class is how a node computes: its type as far as it decides which code runs.
type Class uint8

// The classes. Those of a group share a representation in a datum.
const (
	Null Class = iota

	Int // n is an int64; comparisons and logic have it too

	Uint // n is a uint64
	Year
	Bit

	Decimal // d

	Float // n has the bits of a double
	Double

	Text  // b is characters
	Bytes // b is bytes
	Hex   // a literal: b is bytes, and a number where one is wanted

	Date // n is packed as package value has it
	Time
	DateTime
	Timestamp // n is in UTC

	Enum // n is the index
	Set  // n has the bits
	JSON // b is a document in UTF-8
	Other
	classEnd
)

var classNames = [classEnd]string{
	"null", "int", "uint", "year", "bit", "decimal", "float", "double", "text", "bytes", "hex",
	"date", "time", "datetime", "timestamp", "enum", "set", "json", "other",
}

func (c Class) String() string { return classNames[c] }

// IsInteger reports whether values are integers.
func (c Class) IsInteger() bool { return c >= Int && c <= Bit }

// IsUnsigned reports whether values are integers without a sign.
func (c Class) IsUnsigned() bool { return c >= Uint && c <= Bit }

// IsReal reports whether values are doubles.
func (c Class) IsReal() bool { return c == Float || c == Double }

// IsString reports whether values are text or bytes.
func (c Class) IsString() bool { return c == Text || c == Bytes || c == Hex }

// IsTemporal reports whether values are dates or times.
func (c Class) IsTemporal() bool { return c >= Date && c <= Timestamp }

// HasDate reports whether values are dates, with a time or without.
func (c Class) HasDate() bool { return c.IsTemporal() && c != Time }

// classOf is the class of a column.
func classOf(t *value.Type) Class {
	k := t.Kind
	switch {
	case k.IsInteger() && t.Unsigned:
		return Uint
	case k.IsInteger():
		return Int
	case k.IsText():
		return Text
	case k.IsBytes():
		return Bytes
	}
	if c, ok := classOfKind[k]; ok {
		return c
	}
	return Other
}

var classOfKind = map[value.Kind]Class{
	value.Decimal: Decimal, value.Float: Float, value.Double: Double,
	value.Bit: Bit, value.Year: Year,
	value.Date: Date, value.Time: Time, value.DateTime: DateTime, value.Timestamp: Timestamp,
	value.Enum: Enum, value.Set: Set, value.JSON: JSON,
}

// ScaleFree is the scale of a double that is written with the digits it has.
const ScaleFree = 31

// Coercibility says whose collation counts where two strings meet: the lower one
// (MySQL manual, "Collation Coercibility in Expressions").
type Coercibility uint8

// Whose collation counts, from the first to the last.
const (
	CoercibleExplicit Coercibility = 0
	CoercibleColumn   Coercibility = 2
	CoercibleSystem   Coercibility = 3
	CoercibleDocument Coercibility = 3 // text that functions of JSON make: its collation, a binary one, goes before that of literals
	CoercibleLiteral  Coercibility = 4
	CoercibleNumber   Coercibility = 5
	CoercibleNull     Coercibility = 6
)

// Shape is the static type of a node.
type Shape struct {
	Class Class
	// Digits is the precision of a decimal, and of an integer as one.
	Digits int
	// Scale is the digits after the point: of a decimal, of the fraction of a time,
	// of a double if not scaleFree.
	Scale int
	// Chars is the longest text in characters, of bytes in bytes.
	Chars     int
	Collation *charset.Collation // of text; nil for bytes
	Coercible Coercibility
	// Named is set for a column that an inner query has made, and has named the collation of: servers may take it for what was
	// computed, with a collation that is named, or for a column.
	Named    bool
	Nullable bool
	// TextOnly is set for text that may stand for a number, a date or a label: as a
	// number the servers compute with what it stands for, so it has none here.
	TextOnly bool
	// Opaque is set for a document that has values of SQL's own types in it, which its
	// text does not show.
	Opaque bool
	// Extracted is set for what JSON_EXTRACT finds, which MariaDB compares as no other
	// text.
	Extracted bool
	// NumberOnly is the same for numbers of several types, as text.
	NumberOnly bool
	// Uneven is set for a decimal of several types that MySQL shows with the digits of its
	// own type, and divides with those that it happens to have.
	Uneven bool
}

// integerDigits are the decimal digits of integer kinds, as the servers count
// them for results.
var integerDigits = map[value.Kind][2]int{
	value.TinyInt: {3, 3}, value.SmallInt: {5, 5}, value.MediumInt: {7, 8}, value.Int: {10, 10}, value.BigInt: {19, 20},
}

// OfColumn is the static type of a column.
func OfColumn(t *value.Type) Shape {
	s := Shape{Class: classOf(t), Chars: t.Length, Nullable: !t.NotNull, Coercible: CoercibleNumber}
	switch s.Class {
	case Int, Uint:
		s.Digits = integerDigits[t.Kind][0]
		if t.Unsigned {
			s.Digits = integerDigits[t.Kind][1]
		}
	case Year:
		s.Digits = 4
	case Bit:
		s.Digits = 20
	case Decimal:
		s.Digits, s.Scale = t.Length, t.Decimals
	case Float, Double:
		if s.Scale = ScaleFree; t.Length > 0 {
			s.Scale = t.Decimals
		}
	case Time, DateTime, Timestamp:
		s.Scale = t.Decimals
	case Text:
		s.Collation, s.Coercible, s.Named = t.Collation, CoercibleColumn, t.NamedCollation
	case Enum, Set:
		s.Collation, s.Coercible = t.Collation, CoercibleColumn
		s.Digits = labelChars(t)
	case Bytes:
		s.Coercible = CoercibleColumn
	case JSON:
		s.Collation, s.Coercible = documentCollation(), CoercibleColumn
	default:
	}
	return s
}

// documentCollation is that of a column of documents.
func documentCollation() *charset.Collation {
	collation, _ := charset.Lookup(value.MySQL, "utf8mb4_bin")
	return collation
}

// labelChars is how long a value of labels is as text at most, which for MariaDB is how many
// digits it has as a number.
func labelChars(t *value.Type) int {
	most, all := 0, max(len(t.Labels)-1, 0)
	for _, l := range t.Labels {
		n := len(l)
		if t.Collation != nil {
			n = t.Collation.Charset.CharLen(l)
		}
		most, all = max(most, n), all+n
	}
	if t.Kind == value.Set {
		return all
	}
	return most
}
