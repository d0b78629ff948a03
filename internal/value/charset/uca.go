package charset

import "vitess.io/vitess/go/mysql/collations/colldata"

// ucaWeigher is a collation of the Unicode collation algorithm with the tables
// of the library.
type ucaWeigher struct {
	lib   colldata.Collation
	codec codec
}

// appendWeights gives the library only what it takes for characters: it stops at
// the first it does not know, and two strings that differ behind it would be one.
func (w *ucaWeigher) appendWeights(dst, s []byte) []byte {
	return w.lib.WeightString(dst, s, 0)
}
