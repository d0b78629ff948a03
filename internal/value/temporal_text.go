package value

// appendDate appends YYYY-MM-DD.
func appendDate(dst []byte, c *clock) []byte {
	dst = append2(append2(dst, c.year/100), c.year%100)
	dst = append2(append(dst, '-'), c.month)
	return append2(append(dst, '-'), c.day)
}

// appendClock appends hh:mm:ss with so many digits of fraction.
func appendClock(dst []byte, c *clock, digits int) []byte {
	if c.negative {
		dst = append(dst, '-')
	}
	if c.hour > 99 {
		dst = append(dst, byte('0'+c.hour/100))
	}
	dst = append2(dst, c.hour%100)
	dst = append2(append(dst, ':'), c.minute)
	dst = append2(append(dst, ':'), c.second)
	return appendFraction(dst, c.micro, digits)
}

// appendFraction appends a point and so many digits of the microseconds.
func appendFraction(dst []byte, micro, digits int) []byte {
	if digits == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := microUnits[1]; digits > 0; digits-- {
		dst = append(dst, byte('0'+micro/unit%10))
		unit /= 10
	}
	return dst
}

func append2(dst []byte, n int) []byte { return append(dst, byte('0'+n/10), byte('0'+n%10)) }
