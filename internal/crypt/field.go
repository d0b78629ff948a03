package crypt

import (
	"math/big"

	"tunic/internal/record"
	"tunic/internal/value"
)

// wordBytes is the size of the canonical form of most numbers and times.
const wordBytes = 8

// integerBytes are what integers are stored in.
var integerBytes = map[value.Kind]int{
	value.TinyInt: 1, value.SmallInt: 2, value.MediumInt: 3, value.Int: 4, value.BigInt: 8,
}

// Bytes of the packed forms of dates and times that are zeros (package value, clock.go): those of a time behind a date,
// and of a fraction; and in front of a TIME.
const (
	timeZeros     = value.DayShift / 8
	fractionZeros = 3
	timeHead      = 2
)

// fieldOf is what a record has of the canonical forms of a type: of numbers and times no more bytes than it needs.
//
//	type                         bytes
//	TINYINT to BIGINT            1, 2, 3, 4, 8
//	DECIMAL(p, s)                as many as the largest number of p digits needs, and its sign
//	FLOAT, DOUBLE                4, 8
//	YEAR                         2
//	BIT(n), SET of n labels      n / 8, rounded up
//	ENUM                         1, 2 with more than 255 labels
//	DATE                         3
//	DATETIME, TIMESTAMP          5, with a fraction 8
//	TIME                         3, with a fraction 6
//	all others                   the canonical form
func fieldOf(t *value.Type) record.Field {
	size := value.FixedBytes(t)
	if size == 0 {
		return record.Field{Longest: value.CanonicalMax(t)}
	}
	f := record.Field{Size: size}
	switch k := t.Kind; {
	case k.IsInteger():
		f.Head, f.Signed = wordBytes-integerBytes[k], !t.Unsigned
	case k == value.Decimal:
		f.Head, f.Signed = size-decimalBytes(t.Length), true
	case k == value.Float:
		f.Head = wordBytes / 2
	case k == value.Year:
		f.Head = wordBytes - 2
	case k == value.Bit:
		f.Head = wordBytes - (t.Length+7)/8
	case k == value.Set:
		f.Head = wordBytes - (len(t.Labels)+7)/8
	case k == value.Enum && len(t.Labels) < 1<<8:
		f.Head = wordBytes - 1
	case k == value.Enum:
		f.Head = wordBytes - 2
	case k == value.Date:
		f.Tail = timeZeros
	case (k == value.DateTime || k == value.Timestamp) && t.Decimals == 0:
		f.Tail = fractionZeros
	case k == value.Time:
		f.Head, f.Signed = timeHead, true
		if t.Decimals == 0 {
			f.Tail = fractionZeros
		}
	}
	return f
}

// decimalBytes are those of a number of so many digits, with its sign.
func decimalBytes(digits int) int {
	const ten = 10
	largest := new(big.Int).Exp(big.NewInt(ten), big.NewInt(int64(digits)), nil)
	return largest.Sub(largest, big.NewInt(1)).BitLen()/8 + 1
}
