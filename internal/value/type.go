package value

import "tunic/internal/value/charset"

// Type is the type of a column: what information_schema.COLUMNS says of it. A
// Type is made once and then only read.
type Type struct {
	Kind Kind
	// Length is, by kind: characters of CHAR and VARCHAR, bytes of BINARY and
	// VARBINARY, digits of DECIMAL, bits of BIT, entries of VECTOR, the width that
	// ZEROFILL fills for integers, and M of FLOAT(M,D) and DOUBLE(M,D), else 0.
	Length int
	// Decimals is the scale of DECIMAL, D of FLOAT(M,D), and the digits of the
	// fraction of TIME, DATETIME and TIMESTAMP.
	Decimals int
	Unsigned bool
	Zerofill bool
	NotNull  bool
	// Collation is that of a text, ENUM or SET column; nil for the binary one.
	Collation *charset.Collation
	// NamedCollation says, of what is computed, that a COLLATE names the collation: to servers it may count for more than that of a
	// column then.
	NamedCollation bool
	// Labels are those of ENUM and SET, in the column's character set.
	Labels [][]byte
	// SRID is that of a spatial column that has one.
	SRID    uint32
	HasSRID bool
}

// fixedPoint reports whether a FLOAT or DOUBLE was declared with (M,D).
func (t *Type) fixedPoint() bool { return t.Length > 0 && (t.Kind == Float || t.Kind == Double) }

// Unfilled is the type without ZEROFILL.
func (t *Type) Unfilled() *Type {
	if !t.Zerofill {
		return t
	}
	other := *t
	other.Zerofill = false
	return &other
}
