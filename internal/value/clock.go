package value

// Clock is a date, a time or both, field by field, as text and the binary
// protocol have them. Hours beyond 23 are a TIME's.
type Clock struct {
	Year, Month, Day     int
	Hour, Minute, Second int
	Micro                int
	Negative             bool
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

	// DayShift is how many low bits of a packed date and time are the time.
	DayShift = hourShift + 5
)

// PackDateTime packs a date and time.
func (c *Clock) PackDateTime() int64 {
	date := int64(c.Year*13+c.Month)<<5 | int64(c.Day)
	return date<<DayShift | c.PackClock()
}

// PackClock packs the hours and what is below them.
func (c *Clock) PackClock() int64 {
	seconds := int64(c.Hour)<<12 | int64(c.Minute)<<6 | int64(c.Second)
	return seconds<<microBits | int64(c.Micro)
}

// PackTime packs a TIME, with its sign.
func (c *Clock) PackTime() int64 {
	if p := c.PackClock(); !c.Negative {
		return p
	}
	return -c.PackClock()
}

// UnpackDateTime is the clock of a packed date and time.
func UnpackDateTime(p int64) (c Clock) {
	date := int(p >> DayShift)
	c.Day = date & 31
	c.Year, c.Month = (date>>5)/13, (date>>5)%13
	c.unpackClock(p & (1<<DayShift - 1))
	return c
}

// UnpackTime is the clock of a packed TIME.
func UnpackTime(p int64) (c Clock) {
	if p < 0 {
		c.Negative, p = true, -p
	}
	c.unpackClock(p)
	return c
}

func (c *Clock) unpackClock(p int64) {
	c.Micro = int(p & (1<<microBits - 1))
	p >>= microBits
	c.Second, c.Minute, c.Hour = int(p&63), int(p>>6&63), int(p>>12)
}

// isZeroDate reports whether the date is 0000-00-00.
func (c *Clock) isZeroDate() bool { return c.Year|c.Month|c.Day == 0 }

// isZeroClock reports whether it is midnight.
func (c *Clock) isZeroClock() bool { return c.Hour|c.Minute|c.Second|c.Micro == 0 }

func (c *Clock) isZero() bool { return c.isZeroDate() && c.isZeroClock() }

// inRange reports whether every field of a date and time can be written.
func (c *Clock) inRange() bool {
	return c.Year <= yearMax && c.Month <= 12 && c.Day <= 31 && c.Hour <= 23 &&
		c.Minute <= 59 && c.Second <= 59 && c.Micro <= microsMax
}

var monthDays = [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// dayExists reports whether the month has the day. Zeros are the caller's
// question.
func (c *Clock) dayExists() bool {
	if c.Month == 0 || c.Day <= monthDays[c.Month-1] {
		return true
	}
	return c.Month == 2 && c.Day == 29 && isLeap(c.Year)
}

func isLeap(year int) bool {
	return year%4 == 0 && (year%100 != 0 || year%400 == 0 && year != 0)
}

// addSecond moves the clock to its next second; the hour may reach 24.
func (c *Clock) addSecond() {
	if c.Second++; c.Second < 60 {
		return
	}
	c.Second = 0
	if c.Minute++; c.Minute < 60 {
		return
	}
	c.Minute = 0
	c.Hour++
}

// nextDay moves a date whose hours have reached 24 to the next day; there is
// none for a date with zeros, nor after the last.
func (c *Clock) nextDay() bool {
	if c.Hour < 24 {
		return true
	}
	if c.Month == 0 || c.Day == 0 {
		return false
	}
	c.Hour -= 24
	next := addDays(*c, 1)
	if next.Year > yearMax {
		return false
	}
	*c = next
	return true
}

// microUnits are the microseconds of the last digit of a fraction of so many
// digits.
var microUnits = [...]int{1000000, 100000, 10000, 1000, 100, 10, 1}

// cutFraction drops digits of the fraction beyond so many.
func (c *Clock) cutFraction(digits int) { c.Micro -= c.Micro % microUnits[digits] }

// roundFraction rounds the fraction to so many digits, half up; nanos are the
// nanoseconds below the microsecond. The second may carry into hour 24 and
// beyond.
func (c *Clock) roundFraction(digits, nanos int) {
	unit := microUnits[digits]
	rest := (c.Micro%unit)*1000 + nanos
	c.Micro -= c.Micro % unit
	if rest < unit*500 {
		return
	}
	if c.Micro += unit; c.Micro > microsMax {
		c.Micro = 0
		c.addSecond()
	}
}

// limitTime cuts a TIME to ±838:59:59, in MariaDB with all digits of a fraction,
// and reports whether it was beyond.
func (c *Clock) limitTime(env *Env) bool {
	limit := 0
	if env.Flavor == MariaDB {
		limit = microsMax
	}
	beyond := c.Hour > hoursMax || c.Hour == hoursMax && c.Minute == 59 && c.Second == 59 && c.Micro > limit
	if beyond {
		c.Hour, c.Minute, c.Second, c.Micro = hoursMax, 59, 59, limit
	}
	return beyond
}
