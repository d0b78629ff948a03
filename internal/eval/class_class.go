package eval

import (
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// class is how a node computes: its type as far as it decides which code runs.
type class uint8

// The classes. Those of a group share a representation in a datum.
const (
	classNull class = iota

	classInt // n is an int64; comparisons and logic have it too

	classUint // n is a uint64
	classYear
	classBit

	classDecimal // d

	classFloat // n has the bits of a double
	classDouble

	classText  // b is characters
	classBytes // b is bytes
	classHex   // a literal: b is bytes, and a number where one is wanted

	classDate // n is packed as package value has it
	classTime
	classDateTime
	classTimestamp // n is in UTC

	classEnum // n is the index
	classSet  // n has the bits
	classJSON // b is a document in UTF-8
	classOther
	classEnd
)

var classNames = [classEnd]string{
	"null", "int", "uint", "year", "bit", "decimal", "float", "double", "text", "bytes", "hex",
	"date", "time", "datetime", "timestamp", "enum", "set", "json", "other",
}

func (c class) String() string { return classNames[c] }

func (c class) isInteger() bool  { return c >= classInt && c <= classBit }
func (c class) isUnsigned() bool { return c >= classUint && c <= classBit }
func (c class) isReal() bool     { return c == classFloat || c == classDouble }
func (c class) isString() bool   { return c == classText || c == classBytes || c == classHex }
func (c class) isTemporal() bool { return c >= classDate && c <= classTimestamp }
func (c class) hasDate() bool    { return c.isTemporal() && c != classTime }

// classOf is the class of a column.
func classOf(t *value.Type) class {
	k := t.Kind
	switch {
	case k.IsInteger() && t.Unsigned:
		return classUint
	case k.IsInteger():
		return classInt
	case k.IsText():
		return classText
	case k.IsBytes():
		return classBytes
	}
	if c, ok := classOfKind[k]; ok {
		return c
	}
	return classOther
}

var classOfKind = map[value.Kind]class{
	value.Decimal: classDecimal, value.Float: classFloat, value.Double: classDouble,
	value.Bit: classBit, value.Year: classYear,
	value.Date: classDate, value.Time: classTime, value.DateTime: classDateTime, value.Timestamp: classTimestamp,
	value.Enum: classEnum, value.Set: classSet, value.JSON: classJSON,
}

// scaleFree is the scale of a double that is written with the digits it has.
const scaleFree = 31

// coercibility says whose collation counts where two strings meet: the lower one
// (MySQL manual, "Collation Coercibility in Expressions").
type coercibility uint8

const (
	coercibleExplicit coercibility = 0
	coercibleColumn   coercibility = 2
	coercibleSystem   coercibility = 3
	coercibleLiteral  coercibility = 4
	coercibleNumber   coercibility = 5
	coercibleNull     coercibility = 6
)

// shape is the static type of a node.
type shape struct {
	class class
	// digits is the precision of a decimal, and of an integer as one.
	digits int
	// scale is the digits after the point: of a decimal, of the fraction of a time,
	// of a double if not scaleFree.
	scale int
	// chars is the longest text in characters, of bytes in bytes.
	chars     int
	collation *charset.Collation // of text; nil for bytes
	coercible coercibility
	nullable  bool
	// textOnly is set for text that may stand for a number, a date or a label: as a
	// number the servers compute with what it stands for, so it has none here.
	textOnly bool
	// opaque is set for a document that has values of SQL's own types in it, which its
	// text does not show.
	opaque bool
	// extracted is set for what JSON_EXTRACT finds, which MariaDB compares as no other
	// text.
	extracted bool
	// numberOnly is the same for numbers of several types, as text.
	numberOnly bool
	// uneven is set for a decimal of several types that MySQL shows with the digits of its
	// own type, and divides with those that it happens to have.
	uneven bool
}

// integerDigits are the decimal digits of integer kinds, as the servers count
// them for results.
var integerDigits = map[value.Kind][2]int{
	value.TinyInt: {3, 3}, value.SmallInt: {5, 5}, value.MediumInt: {7, 8}, value.Int: {10, 10}, value.BigInt: {19, 20},
}

// shapeOfColumn is the static type of a column.
func shapeOfColumn(t *value.Type) shape {
	s := shape{class: classOf(t), chars: t.Length, nullable: !t.NotNull, coercible: coercibleNumber}
	switch s.class {
	case classInt, classUint:
		s.digits = integerDigits[t.Kind][0]
		if t.Unsigned {
			s.digits = integerDigits[t.Kind][1]
		}
	case classYear:
		s.digits = 4
	case classBit:
		s.digits = 20
	case classDecimal:
		s.digits, s.scale = t.Length, t.Decimals
	case classFloat, classDouble:
		if s.scale = scaleFree; t.Length > 0 {
			s.scale = t.Decimals
		}
	case classTime, classDateTime, classTimestamp:
		s.scale = t.Decimals
	case classText:
		s.collation, s.coercible = t.Collation, coercibleColumn
	case classEnum, classSet:
		s.collation, s.coercible = t.Collation, coercibleColumn
		s.digits = labelChars(t)
	case classBytes:
		s.coercible = coercibleColumn
	case classJSON:
		s.collation, s.coercible = documentCollation(), coercibleColumn
	default:
	}
	return s
}

// documentCollation is that of a column of documents.
func documentCollation() *charset.Collation {
	collation, _ := charset.Lookup(value.MySQL, "utf8mb4_bin")
	return collation
}
