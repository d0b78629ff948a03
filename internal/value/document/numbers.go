package document

import "strconv"

// AppendAlike appends a document in which numbers that are equal as doubles are written
// alike: 1, 1.0 and 1e0. MySQL has documents for equal that differ in nothing else, if
// their numbers are equal exactly.
func (v *Value) AppendAlike(dst []byte) []byte {
	v.walk(func(x *Value) {
		if x.Kind == Number {
			f := x.Float()
			if f == 0 {
				f = 0 // of -0 too
			}
			x.Raw = strconv.AppendFloat(nil, f, 'g', -1, 64)
		}
	})
	return v.Append(dst)
}
