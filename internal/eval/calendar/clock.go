package calendar

import (
	"time"

	"tunic/internal/value"
)

// Clock is a date, a time or both, field by field.
type Clock struct{ value.Clock }

// Packed is a date and time as a column has it.
func (c *Clock) Packed() uint64 { return uint64(c.PackDateTime()) }

// PackedTime is a time as a column has it.
func (c *Clock) PackedTime() uint64 { return uint64(c.PackTime()) }

// UnpackDateTime reads what Packed has made.
func UnpackDateTime(p uint64) Clock { return Clock{value.UnpackDateTime(int64(p))} }

// UnpackTime reads what PackedTime has made.
func UnpackTime(p uint64) Clock { return Clock{value.UnpackTime(int64(p))} }

// ClockOf is a moment on the clocks of its zone.
func ClockOf(t time.Time) Clock {
	return Clock{value.Clock{
		Year: t.Year(), Month: int(t.Month()), Day: t.Day(),
		Hour: t.Hour(), Minute: t.Minute(), Second: t.Second(), Micro: t.Nanosecond() / 1000,
	}}
}

// Time is the moment at which the clocks of a zone show this.
func (c *Clock) Time(zone *time.Location) time.Time {
	return time.Date(c.Year, time.Month(c.Month), c.Day, c.Hour, c.Minute, c.Second, c.Micro*1000, zone)
}

// IsDate reports whether a date is one of the calendar: neither zero nor with a
// zero in it, nor one as 31 February, which a column has under ALLOW_INVALID_DATES.
func (c *Clock) IsDate() bool {
	return c.Year > 0 && c.Month > 0 && c.Day > 0 && (c.Day <= daysShortest || c.Day <= daysOfMonth(c.Year, c.Month))
}

// daysShortest are days that every month has.
const daysShortest = 28

// weekday counts from Monday, which is 0.
func (c *Clock) weekday() int { return (c.Days() + 5) % 7 }

func (c *Clock) dayOfYear() int { return c.Days() - yearStart(c.Year) + 1 }

// Days is the number of the day, as TO_DAYS counts.
func (c *Clock) Days() int {
	day := time.Date(c.Year, time.Month(c.Month), c.Day, 0, 0, 0, 0, time.UTC)
	return int(day.Unix()/secondsOfDay) + daysOfEpoch
}

const (
	// daysOfEpoch is TO_DAYS('1970-01-01').
	daysOfEpoch = 719528
	// daysFirst and daysLast are those of 0001-01-01 and 9999-12-31.
	daysFirst    = 366
	daysLast     = 3652424
	secondsOfDay = 86400
	// MicrosOfSecond are the microseconds of a second.
	MicrosOfSecond = 1000000
	microsOfDay    = secondsOfDay * MicrosOfSecond
)

// yearStart is the number of a year's first day. Year 0 of the servers has 365.
func yearStart(year int) int {
	if year == 0 {
		return 1
	}
	past := year - 1
	return 365*year + past/4 - past/100 + past/400 + 1
}

// clockOfDay is midnight of a day by its number.
func clockOfDay(days int) Clock {
	return ClockOf(time.Unix(int64(days-daysOfEpoch)*secondsOfDay, 0).UTC())
}

// Micros is the time of a clock in microseconds, with its sign.
func (c *Clock) Micros() int64 {
	seconds := int64(c.Hour)*3600 + int64(c.Minute)*60 + int64(c.Second)
	n := seconds*MicrosOfSecond + int64(c.Micro)
	if c.Negative {
		return -n
	}
	return n
}

// Moment is a date and time in microseconds from the first day of the count.
func (c *Clock) Moment() int64 { return int64(c.Days())*microsOfDay + c.Micros() }

// clockOfMoment is the inverse of moment; false beyond the years 1 to 9999.
func clockOfMoment(n int64) (Clock, bool) {
	days := int(n / microsOfDay)
	if n < 0 || days < daysFirst || days > daysLast {
		return Clock{}, false
	}
	k := clockOfDay(days)
	k.setMicros(n % microsOfDay)
	return k, true
}

func (c *Clock) setMicros(n int64) {
	if c.Negative = n < 0; c.Negative {
		n = -n
	}
	c.Micro = int(n % MicrosOfSecond)
	seconds := int(n / MicrosOfSecond)
	c.Hour, c.Minute, c.Second = seconds/3600, seconds/60%60, seconds%60
}

// timeMax is the longest TIME in microseconds: 838:59:59.
const timeMax = (838*3600 + 59*60 + 59) * MicrosOfSecond

// clockOfMicros is a TIME of so many microseconds; false beyond the longest.
func clockOfMicros(n int64) (k Clock, ok bool) {
	k.setMicros(n)
	return k, n >= -timeMax && n <= timeMax
}

// addMonths moves to the same day of another month, or to its last; false beyond
// the years 1 to 9999.
func (c *Clock) addMonths(n int64) (Clock, bool) {
	months := int64(c.Year)*12 + int64(c.Month-1) + n
	if months < 12 || months >= 10000*12 {
		return Clock{}, false
	}
	out := *c
	out.Year, out.Month = int(months/12), int(months%12)+1
	out.Day = min(out.Day, daysOfMonth(out.Year, out.Month))
	return out, true
}

func daysOfMonth(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// WeekMode is the mode of WEEK (MySQL manual, "Date and Time Functions"): three
// bits.
type WeekMode int

// Of a mode: weeks begin on Monday, those before the first of a year belong to the
// year before, and the first is the one with four days in the year or, with the bit
// the other way around for weeks that begin on Sunday, the one that begins in it.
const (
	weekFromMonday WeekMode = 1
	WeekOfYears    WeekMode = 2
	weekFlip       WeekMode = 4

	weekISO WeekMode = weekFromMonday | WeekOfYears
)

// firstWeek is the number of the day on which the first week of a year begins.
func (m WeekMode) firstWeek(year int) int {
	start := yearStart(year)
	weekday := (start + 5) % 7
	if m&weekFromMonday == 0 {
		weekday = (weekday + 1) % 7
	}
	beginsInYear := (m&weekFromMonday == 0) == (m&weekFlip == 0)
	if weekday == 0 || !beginsInYear && weekday < 4 {
		return start - weekday
	}
	return start + 7 - weekday
}

// Week is the week of a date, and the year that it belongs to.
func (c *Clock) Week(m WeekMode) (week, year int) {
	day, year := c.Days(), c.Year
	if day < m.firstWeek(year) {
		if m&WeekOfYears == 0 {
			return 0, year
		}
		year--
	} else if m&WeekOfYears != 0 && day >= m.firstWeek(year+1) {
		year++
	}
	return (day-m.firstWeek(year))/7 + 1, year
}
