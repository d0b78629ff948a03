package calendar

import "strconv"

// Names of months and days where lc_time_names is en_US.
var (
	monthNames = [...]string{
		"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
		"November", "December",
	}
	dayNames = [...]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
)

// MonthName is the English name of a month.
func MonthName(k *Clock) string { return monthNames[k.Month-1] }

// DayName is the English name of a day of the week.
func DayName(k *Clock) string { return dayNames[k.weekday()] }

// letters is how many letters of a name its short form has.
const letters = 3

// specifier is what stands for a %x of a format.
type specifier struct {
	needs  Need
	append func(dst []byte, k *Clock) []byte
}

// Need is what a specifier needs of what is formatted, each more than the one
// before: a time, the fields of a date, a date of the calendar, and names for it.
type Need uint8

// What formats need.
const (
	NeedsTime Need = iota
	needsFields
	NeedsDate
	NeedsNames
)

// specifiers are those of DATE_FORMAT (MySQL manual, "Date and Time Functions"). A
// letter that is none of them stands for itself.
var specifiers = [256]specifier{
	'a': {NeedsNames, func(dst []byte, k *Clock) []byte { return append(dst, DayName(k)[:letters]...) }},
	'b': {NeedsNames, func(dst []byte, k *Clock) []byte { return append(dst, MonthName(k)[:letters]...) }},
	'c': {needsFields, func(dst []byte, k *Clock) []byte { return appendPadded(dst, k.Month, 1) }},
	'D': {needsFields, appendOrdinal},
	'd': {needsFields, func(dst []byte, k *Clock) []byte { return appendPadded(dst, k.Day, 2) }},
	'e': {needsFields, func(dst []byte, k *Clock) []byte { return appendPadded(dst, k.Day, 1) }},
	'f': {NeedsTime, func(dst []byte, k *Clock) []byte { return appendPadded(dst, k.Micro, 6) }},
	'H': {NeedsTime, func(dst []byte, k *Clock) []byte { return appendPadded(dst, k.Hour, 2) }},
	'h': {NeedsTime, appendHour12},
	'I': {NeedsTime, appendHour12},
	'i': {NeedsTime, func(dst []byte, k *Clock) []byte { return appendPadded(dst, k.Minute, 2) }},
	'j': {NeedsDate, func(dst []byte, k *Clock) []byte { return appendPadded(dst, k.dayOfYear(), 3) }},
	'k': {NeedsTime, func(dst []byte, k *Clock) []byte { return appendPadded(dst, k.Hour, 1) }},
	'l': {NeedsTime, func(dst []byte, k *Clock) []byte { return appendPadded(dst, k.hour12(), 1) }},
	'M': {NeedsNames, func(dst []byte, k *Clock) []byte { return append(dst, MonthName(k)...) }},
	'm': {needsFields, func(dst []byte, k *Clock) []byte { return appendPadded(dst, k.Month, 2) }},
	'p': {NeedsTime, appendHalf},
	'r': {NeedsTime, func(dst []byte, k *Clock) []byte {
		return appendHalf(append(appendMinutes(appendHour12(dst, k), k), ' '), k)
	}},
	'S': {NeedsTime, appendSecond},
	's': {NeedsTime, appendSecond},
	'T': {NeedsTime, func(dst []byte, k *Clock) []byte { return appendMinutes(appendPadded(dst, k.Hour, 2), k) }},
	'U': {NeedsDate, weekSpecifier(0)},
	'u': {NeedsDate, weekSpecifier(weekFromMonday)},
	'V': {NeedsDate, weekSpecifier(WeekOfYears)},
	'v': {NeedsDate, weekSpecifier(weekISO)},
	'W': {NeedsNames, func(dst []byte, k *Clock) []byte { return append(dst, DayName(k)...) }},
	'w': {NeedsDate, func(dst []byte, k *Clock) []byte { return appendPadded(dst, (k.weekday()+1)%7, 1) }},
	'X': {NeedsDate, yearSpecifier(WeekOfYears)},
	'x': {NeedsDate, yearSpecifier(weekISO)},
	'Y': {needsFields, func(dst []byte, k *Clock) []byte { return appendPadded(dst, k.Year, 4) }},
	'y': {needsFields, func(dst []byte, k *Clock) []byte { return appendPadded(dst, k.Year%100, 2) }},
}

// SpecifierChars is more than any specifier becomes.
const SpecifierChars = 11

func appendPadded(dst []byte, n, width int) []byte {
	for limit := 10; width > 1; width-- {
		if n < limit {
			for range width - 1 {
				dst = append(dst, '0')
			}
			break
		}
		limit *= 10
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

func (c *Clock) hour12() int { return (c.Hour%24+11)%12 + 1 }

func appendHour12(dst []byte, k *Clock) []byte { return appendPadded(dst, k.hour12(), 2) }
func appendSecond(dst []byte, k *Clock) []byte { return appendPadded(dst, k.Second, 2) }

func appendMinutes(dst []byte, k *Clock) []byte {
	dst = appendPadded(append(dst, ':'), k.Minute, 2)
	return appendPadded(append(dst, ':'), k.Second, 2)
}

func appendHalf(dst []byte, k *Clock) []byte {
	if k.Hour%24 < 12 {
		return append(dst, "AM"...)
	}
	return append(dst, "PM"...)
}

// appendOrdinal writes 1st, 2nd, 3rd, 4th.
func appendOrdinal(dst []byte, k *Clock) []byte {
	dst = appendPadded(dst, k.Day, 1)
	suffix := "th"
	if k.Day/10 != 1 {
		switch k.Day % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return append(dst, suffix...)
}

func weekSpecifier(m WeekMode) func(dst []byte, k *Clock) []byte {
	return func(dst []byte, k *Clock) []byte {
		week, _ := k.Week(m)
		return appendPadded(dst, week, 2)
	}
}

func yearSpecifier(m WeekMode) func(dst []byte, k *Clock) []byte {
	return func(dst []byte, k *Clock) []byte {
		_, year := k.Week(m)
		return appendPadded(dst, year, 4)
	}
}

// AppendFormatted appends a date and time as the format has it; ok is false if the
// format needs more than is allowed, or than the date has.
func AppendFormatted(dst []byte, k *Clock, format []byte, most Need) (_ []byte, ok bool) {
	for len(format) > 0 {
		c := format[0]
		format = format[1:]
		if c != '%' || len(format) == 0 {
			dst = append(dst, c)
			continue
		}
		c, format = format[0], format[1:]
		s := &specifiers[c]
		switch {
		case s.append == nil:
			dst = append(dst, c)
			continue
		case s.needs > most, s.needs >= NeedsDate && !k.IsDate():
			return dst, false
		}
		dst = s.append(dst, k)
	}
	return dst, true
}
