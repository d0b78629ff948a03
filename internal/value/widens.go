package value

import "slices"

// Widens reports whether every value of one type is a value of the other, with the same
// canonical form.
func Widens(from, to *Type) bool {
	switch {
	case from.Kind.IsInteger() && to.Kind.IsInteger():
		return from.Unsigned == to.Unsigned && from.Kind <= to.Kind
	case from.Kind.IsText() && to.Kind.IsText():
		return from.Collation.Charset.Name == to.Collation.Charset.Name && (from.Kind == Char) == (to.Kind == Char) &&
			fitsIn(from, to) && (from.Collation.PadSpace == to.Collation.PadSpace)
	case from.Kind != to.Kind:
		return false
	case from.Kind == Decimal:
		return from.Decimals == to.Decimals && from.Unsigned == to.Unsigned && from.Length <= to.Length && FixedBytes(from) == FixedBytes(to)
	case from.Kind == Enum || from.Kind == Set:
		return from.Collation.Charset.Name == to.Collation.Charset.Name && len(from.Labels) <= len(to.Labels) &&
			slices.EqualFunc(from.Labels, to.Labels[:len(from.Labels)], slices.Equal)
	case from.Kind == VarBinary || from.Kind == Bit:
		return from.Length <= to.Length
	}
	return from.Length == to.Length && from.Decimals == to.Decimals && from.Unsigned == to.Unsigned &&
		from.HasSRID == to.HasSRID && from.SRID == to.SRID
}

// fitsIn says that every text of a type is short enough for another.
func fitsIn(from, to *Type) bool {
	counted := func(t *Type) bool { return t.Kind == Char || t.Kind == VarChar }
	if counted(from) && counted(to) {
		return from.Length <= to.Length
	}
	if !counted(from) && counted(to) {
		return false
	}
	return CanonicalMax(from) <= CanonicalMax(to)
}

// CanonicalMax is the most bytes of a canonical form of a type whose forms differ.
func CanonicalMax(t *Type) int {
	switch t.Kind {
	case Char, VarChar:
		return t.Length * t.Collation.Charset.BytesMax
	case VarBinary:
		return t.Length
	case TinyText, TinyBlob:
		return 1<<8 - 1
	case Text, Blob:
		return 1<<16 - 1
	case MediumText, MediumBlob:
		return 1<<24 - 1
	case Vector:
		return 4 * t.Length
	case Binary:
		return 0
	default:
		return 1<<32 - 1 // LONGTEXT, LONGBLOB, JSON, shapes
	}
}
