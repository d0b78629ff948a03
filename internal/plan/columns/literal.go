package columns

import "tunic/internal/value"

// Keeps reports whether a value of a plain column, as it is fetched, is written as a literal of
// which the server makes the same value again.
func Keeps(k value.Kind) bool {
	switch k {
	case value.Float, value.Double, value.Timestamp, value.Bit, value.Set, value.Enum:
		return true
	default:
		return k.Locates()
	}
}
