package columns

import "tunic/internal/value"

// Keeps reports whether a value of a plain column, as it is fetched, is written as a literal of
// which the server makes the same value again.
func Keeps(k value.Kind) bool {
	switch k {
	case value.Float, value.Double, value.Timestamp, value.Bit, value.Set, value.Enum:
		return true
	default:
		return Locates(k)
	}
}

// Locates reports whether a value of a plain column finds its row again as a
// literal. A FLOAT may be rounded on its way, and a TIMESTAMP is compared in local
// time, in which an hour of the year is there twice.
func Locates(k value.Kind) bool {
	switch {
	case k == value.Float, k == value.Double, k == value.Timestamp, k == value.Bit, k == value.Set, k == value.Enum:
		return false
	case k.IsNumber(), k.IsTemporal(), k.IsText(), k.IsBytes():
		return true
	default:
		return k == value.UUID || k == value.INET4 || k == value.INET6
	}
}
