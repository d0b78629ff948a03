package value

import (
	"math"
	"strconv"
)

// The server prints a double with the fewest digits that read back as the same,
// a FLOAT with at most six digits, in plain notation unless the point would be
// far outside of the digits, and in as many characters as there is room for
// (MySQL source documentation, "my_gcvt").
const (
	floatDigits   = 6
	doubleDigits  = 17
	pointFarthest = 15 // the point is written out within so many places
)

// Widths that never bind.
const fullWidth = 400

// appendShortest appends a double as the server writes it where there is room.
func appendShortest(dst []byte, f float64) []byte {
	dst, _ = appendGeneral(dst, f, doubleDigits, fullWidth)
	return dst
}

// appendGeneral appends f with at most so many significant digits in at most
// width characters. fits is false if even its order of magnitude does not fit.
func appendGeneral(dst []byte, f float64, digits, width int) (out []byte, fits bool) {
	start := len(dst)
	if math.Signbit(f) {
		dst = append(dst, '-')
		if f < 0 {
			width--
		}
	}
	most := start + width + len(dst) - start
	f = math.Abs(f)
	if f == 0 {
		return append(dst, '0'), true
	}
	var room [32]byte
	n := significant(room[:0], f, min(digits, width))
	if plainNotation(len(n.digits), n.point, width) {
		dst, fits = n.appendPlain(dst, f, width)
	} else {
		dst, fits = n.appendExponential(dst, f, width)
	}
	return dst[:min(len(dst), most)], fits
}

// digitString is a positive number as digits without trailing zeros: so many of
// them stand before the point.
type digitString struct {
	digits []byte
	point  int
}

// significant returns f with at most so many digits, fewer if they read back as
// f.
func significant(room []byte, f float64, most int) digitString {
	if f == 0 {
		return digitString{}
	}
	text := strconv.AppendFloat(room[:0], f, 'e', -1, 64)
	if n := parseExponential(text); len(n.digits) <= max(most, 1) {
		return n
	}
	return parseExponential(strconv.AppendFloat(room[:0], f, 'e', max(most, 1)-1, 64))
}

// parseExponential takes "d.ddde±nn" apart, in place.
func parseExponential(text []byte) (n digitString) {
	n.digits = text[:0]
	i := 0
	for ; text[i] != 'e'; i++ {
		if text[i] != '.' {
			n.digits = append(n.digits, text[i])
		}
	}
	for _, b := range text[i+2:] {
		n.point = n.point*10 + int(b-'0')
	}
	if text[i+1] == '-' {
		n.point = -n.point
	}
	n.point++
	n.trim()
	return n
}

func (n *digitString) trim() {
	for len(n.digits) > 0 && n.digits[len(n.digits)-1] == '0' {
		n.digits = n.digits[:len(n.digits)-1]
	}
}

// exponentDigits counts the digits of the exponent, as the server estimates
// them before it knows the exponent's sign.
func exponentDigits(point int) int {
	switch {
	case point >= 101 || point <= -99:
		return 3
	case point >= 11 || point <= -9:
		return 2
	}
	return 1
}

// plainNotation decides between 0.00012 and 1.2e-4: plain if all digits fit and
// the point is near, or if cutting digits costs less that way.
func plainNotation(digits, point, width int) bool {
	length := digits + 1
	switch {
	case point <= 0:
		length = digits - point + 2
	case point >= digits:
		length = point
	}
	if length <= width {
		return point > -pointFarthest && (point <= pointFarthest || digits > point)
	}
	nothingPlain := point <= 0 && width <= 2-point && width >= 3+exponentDigits(point)
	return !nothingPlain && point <= width && point >= -2
}

// appendPlain writes the number with its point; digits behind it that do not fit
// are rounded away.
func (n digitString) appendPlain(dst []byte, f float64, width int) (out []byte, fits bool) {
	fits = true
	if n.point < len(n.digits) {
		width--
	}
	if n.point <= 0 {
		width -= 1 - n.point
	}
	if width < len(n.digits) {
		if width < n.point {
			fits, width = false, n.point
		}
		var room [400]byte
		n = fixedDigits(room[:0], f, width-n.point)
	}
	if len(n.digits) == 0 {
		return append(dst, '0'), fits
	}
	if n.point <= 0 {
		dst = appendByte(append(dst, '0', '.'), '0', -n.point)
		return append(dst, n.digits...), fits
	}
	if n.point >= len(n.digits) {
		dst = append(dst, n.digits...)
		return appendByte(dst, '0', n.point-len(n.digits)), fits
	}
	dst = append(append(dst, n.digits[:n.point]...), '.')
	return append(dst, n.digits[n.point:]...), fits
}

// fixedDigits returns f rounded to so many places behind the point, or before
// it if negative.
func fixedDigits(room []byte, f float64, places int) (n digitString) {
	text := strconv.AppendFloat(room[:0], f, 'f', max(places, 0), 64)
	n.digits = text[:0]
	n.point = len(text)
	for i, b := range text {
		if b == '.' {
			n.point = i
			continue
		}
		n.digits = append(n.digits, b)
	}
	for len(n.digits) > 0 && n.digits[0] == '0' {
		n.digits = n.digits[1:]
		n.point--
	}
	n.trim()
	return n
}

// appendExponential writes d.ddde-n; there is no plus.
func (n digitString) appendExponential(dst []byte, f float64, width int) (out []byte, fits bool) {
	exponent := n.point - 1
	width -= 1 + exponentDigits(n.point)
	if exponent < 0 {
		width--
	}
	if len(n.digits) > 1 {
		width--
	}
	fits = width > 0
	width = max(width, 0)
	if width < len(n.digits) {
		var room [32]byte
		n = significant(room[:0], f, width)
		exponent = n.point - 1
	}
	dst = append(dst, n.digits[0])
	if len(n.digits) > 1 {
		dst = append(append(dst, '.'), n.digits[1:]...)
	}
	return strconv.AppendInt(append(dst, 'e'), int64(exponent), 10), fits
}

func appendByte(dst []byte, b byte, n int) []byte {
	for range n {
		dst = append(dst, b)
	}
	return dst
}

// appendPadded appends a number that is not negative, with zeros in front up to
// a width.
func appendPadded(dst []byte, n, width int) []byte {
	start := len(dst)
	dst = strconv.AppendInt(dst, int64(n), 10)
	return padLeft(dst, start, width)
}

// padLeft puts zeros before what dst has from start on.
func padLeft(dst []byte, start, width int) []byte {
	missing := width - (len(dst) - start)
	if missing <= 0 {
		return dst
	}
	dst = appendByte(dst, '0', missing)
	copy(dst[start+missing:], dst[start:])
	for i := range missing {
		dst[start+i] = '0'
	}
	return dst
}

// appendFixed appends f with so many digits after the point: those of the
// shortest form, filled up with zeros, or rounded if there are more. What is
// rounded to zero has no sign.
func appendFixed(dst []byte, f float64, places int) []byte {
	var room [400]byte
	n := significant(room[:0], math.Abs(f), doubleDigits)
	if len(n.digits)-n.point > places {
		n = fixedDigits(room[:0], math.Abs(f), places)
	}
	if math.Signbit(f) && (f == 0 || len(n.digits) > 0) {
		dst = append(dst, '-')
	}
	return n.appendPlaces(dst, places)
}

// appendPlaces writes digits around a point, with zeros where there are none.
func (n digitString) appendPlaces(dst []byte, places int) []byte {
	for i := range max(n.point, 0) {
		dst = append(dst, n.at(i))
	}
	if n.point <= 0 {
		dst = append(dst, '0')
	}
	if places == 0 {
		return dst
	}
	dst = append(dst, '.')
	for i := n.point; i < n.point+places; i++ {
		dst = append(dst, n.at(i))
	}
	return dst
}

func (n digitString) at(i int) byte {
	if i >= 0 && i < len(n.digits) {
		return n.digits[i]
	}
	return '0'
}
