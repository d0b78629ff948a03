package notation

import "bytes"

// AppendGrouped appends a number with a comma before every three digits of its
// whole part.
func AppendGrouped(dst, number []byte) []byte {
	if number[0] == '-' {
		dst, number = append(dst, '-'), number[1:]
	}
	whole := number
	if i := bytes.IndexByte(number, '.'); i >= 0 {
		whole = number[:i]
	}
	for i, b := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, b)
	}
	return append(dst, number[len(whole):]...)
}
