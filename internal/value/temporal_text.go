package value

// appendDate appends YYYY-MM-DD.
func appendDate(dst []byte, c *Clock) []byte {
	dst = append2(append2(dst, c.Year/100), c.Year%100)
	dst = append2(append(dst, '-'), c.Month)
	return append2(append(dst, '-'), c.Day)
}

// appendClock appends hh:mm:ss with so many digits of fraction.
func appendClock(dst []byte, c *Clock, digits int) []byte {
	if c.Negative {
		dst = append(dst, '-')
	}
	if c.Hour > 99 {
		dst = append(dst, byte('0'+c.Hour/100))
	}
	dst = append2(dst, c.Hour%100)
	dst = append2(append(dst, ':'), c.Minute)
	dst = append2(append(dst, ':'), c.Second)
	return appendFraction(dst, c.Micro, digits)
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
