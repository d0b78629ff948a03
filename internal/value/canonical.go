package value

// FixedBytes is the length of every canonical form of a type, 0 where the forms
// differ in length. It is the second column of the table in the package comment.
func FixedBytes(t *Type) int {
	switch {
	case t.Kind == Decimal:
		return decimalBytes(t.Length)
	case t.Kind == Binary:
		return t.Length
	case t.Kind == UUID, t.Kind == INET6:
		return 16
	case t.Kind == INET4:
		return 4
	case t.Kind.IsNumber(), t.Kind.IsTemporal(), t.Kind == Enum, t.Kind == Set:
		return 8
	}
	return 0
}
