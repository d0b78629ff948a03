package value

// clock is a date, a time or both, field by field, as text and the binary
// protocol have them. Hours beyond 23 are a TIME's.
type clock struct {
	year, month, day     int
	hour, minute, second int
	micro                int
	negative             bool
}

// Limits of the types (MySQL manual, "The DATE, DATETIME, and TIMESTAMP Types",
// "The TIME Type").
const (
	yearMax   = 9999
	hoursMax  = 838
	microsMax = 999999
	// pivotYear is the first of the two-digit years that belong to the 1900s.
	pivotYear = 70
)

// The packed form of a date and time, which sorts as the moments do (MySQL
// source documentation, "TIME_to_longlong_datetime_packed"):
//
//	bits   field
//	17     year * 13 + month
//	5      day
//	5      hour
//	6      minute
//	6      second
//	24     microsecond
//
// A date is that with zeros. A TIME has the hours in ten bits above the minute;
// a negative one is the negated number.
const (
	microBits = 24
	hourShift = microBits + 12
	dayShift  = hourShift + 5
)

func (c *clock) packDateTime() int64 {
	date := int64(c.year*13+c.month)<<5 | int64(c.day)
	return date<<dayShift | c.packClock()
}

func (c *clock) packClock() int64 {
	seconds := int64(c.hour)<<12 | int64(c.minute)<<6 | int64(c.second)
	return seconds<<microBits | int64(c.micro)
}

func (c *clock) packTime() int64 {
	if p := c.packClock(); !c.negative {
		return p
	}
	return -c.packClock()
}

func unpackDateTime(p int64) (c clock) {
	date := int(p >> dayShift)
	c.day = date & 31
	c.year, c.month = (date>>5)/13, (date>>5)%13
	c.unpackClock(p & (1<<dayShift - 1))
	return c
}

func unpackTime(p int64) (c clock) {
	if p < 0 {
		c.negative, p = true, -p
	}
	c.unpackClock(p)
	return c
}

func (c *clock) unpackClock(p int64) {
	c.micro = int(p & (1<<microBits - 1))
	p >>= microBits
	c.second, c.minute, c.hour = int(p&63), int(p>>6&63), int(p>>12)
}

// isZeroDate reports whether the date is 0000-00-00.
func (c *clock) isZeroDate() bool { return c.year|c.month|c.day == 0 }

// isZeroClock reports whether it is midnight.
func (c *clock) isZeroClock() bool { return c.hour|c.minute|c.second|c.micro == 0 }

func (c *clock) isZero() bool { return c.isZeroDate() && c.isZeroClock() }

// inRange reports whether every field of a date and time can be written.
func (c *clock) inRange() bool {
	return c.year <= yearMax && c.month <= 12 && c.day <= 31 && c.hour <= 23 &&
		c.minute <= 59 && c.second <= 59 && c.micro <= microsMax
}

var monthDays = [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// dayExists reports whether the month has the day. Zeros are the caller's
// question.
func (c *clock) dayExists() bool {
	if c.month == 0 || c.day <= monthDays[c.month-1] {
		return true
	}
	return c.month == 2 && c.day == 29 && isLeap(c.year)
}

func isLeap(year int) bool {
	return year%4 == 0 && (year%100 != 0 || year%400 == 0 && year != 0)
}

// addSecond moves the clock to its next second; the hour may reach 24.
func (c *clock) addSecond() {
	if c.second++; c.second < 60 {
		return
	}
	c.second = 0
	if c.minute++; c.minute < 60 {
		return
	}
	c.minute = 0
	c.hour++
}

// nextDay moves a date whose hours have reached 24 to the next day; there is
// none for a date with zeros, nor after the last.
func (c *clock) nextDay() bool {
	if c.hour < 24 {
		return true
	}
	if c.month == 0 || c.day == 0 {
		return false
	}
	c.hour -= 24
	next := addDays(*c, 1)
	if next.year > yearMax {
		return false
	}
	*c = next
	return true
}

// microUnits are the microseconds of the last digit of a fraction of so many
// digits.
var microUnits = [...]int{1000000, 100000, 10000, 1000, 100, 10, 1}

// cutFraction drops digits of the fraction beyond so many.
func (c *clock) cutFraction(digits int) { c.micro -= c.micro % microUnits[digits] }

// roundFraction rounds the fraction to so many digits, half up; nanos are the
// nanoseconds below the microsecond. The second may carry into hour 24 and
// beyond.
func (c *clock) roundFraction(digits, nanos int) {
	unit := microUnits[digits]
	rest := (c.micro%unit)*1000 + nanos
	c.micro -= c.micro % unit
	if rest < unit*500 {
		return
	}
	if c.micro += unit; c.micro > microsMax {
		c.micro = 0
		c.addSecond()
	}
}

// limitTime cuts a TIME to ±838:59:59, in MariaDB with all digits of a fraction,
// and reports whether it was beyond.
func (c *clock) limitTime(env *Env) bool {
	limit := 0
	if env.Flavor == MariaDB {
		limit = microsMax
	}
	beyond := c.hour > hoursMax || c.hour == hoursMax && c.minute == 59 && c.second == 59 && c.micro > limit
	if beyond {
		c.hour, c.minute, c.second, c.micro = hoursMax, 59, 59, limit
	}
	return beyond
}
