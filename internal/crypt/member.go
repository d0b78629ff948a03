package crypt

import "tunic/internal/value"

// MemberBytes is how many bytes a form of a family has of a value of a type; length is that of the value, of types whose values
// have no width in common.
func MemberBytes(t *value.Type, length int) int {
	f := fieldOf(t)
	if f.Size == 0 {
		return f.LengthBytes() + length
	}
	return f.Size - f.Head - f.Tail
}
