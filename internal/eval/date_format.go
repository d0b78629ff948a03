package eval

import "strconv"

// Names of months and days where lc_time_names is en_US.
var (
	monthNames = [...]string{
		"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
		"November", "December",
	}
	dayNames = [...]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
)

func monthName(k *clock) string { return monthNames[k.Month-1] }
func dayName(k *clock) string   { return dayNames[k.weekday()] }

// letters is how many letters of a name its short form has.
const letters = 3

// compileName makes DAYNAME and MONTHNAME.
func compileName(of func(k *clock) string) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		if err := c.allow(name, args...); err != nil {
			return nil, err
		}
		ev, as, err := c.day(args[0], name)
		if err != nil {
			return nil, err
		}
		if !c.session.EnglishNames {
			return nil, refuse(name + " in another language")
		}
		return c.strict(name, c.formattedShape(9), args, []evaluator{ev}, func(in []*datum, out *datum) bool {
			k := unpack(as, in[0].n)
			if !k.isDate() {
				return false
			}
			out.b = append(out.b[:0], of(&k)...)
			return true
		}), nil
	}
}

// formattedShape is that of text made of dates: the connection's. To MariaDB it is a
// number without a fraction.
func (c *compiler) formattedShape(chars int) shape {
	return shape{
		class: classText, chars: chars, collation: c.session.Collation, coercible: coercibleLiteral,
		textOnly: c.session.isMariaDB(),
	}
}

// specifier is what stands for a %x of a format.
type specifier struct {
	needs  need
	append func(dst []byte, k *clock) []byte
}

// need is what a specifier needs of what is formatted, each more than the one
// before: a time, the fields of a date, a date of the calendar, and names for it.
type need uint8

const (
	needsTime need = iota
	needsFields
	needsDate
	needsNames
)

// specifiers are those of DATE_FORMAT (MySQL manual, "Date and Time Functions"). A
// letter that is none of them stands for itself.
var specifiers = [256]specifier{
	'a': {needsNames, func(dst []byte, k *clock) []byte { return append(dst, dayName(k)[:letters]...) }},
	'b': {needsNames, func(dst []byte, k *clock) []byte { return append(dst, monthName(k)[:letters]...) }},
	'c': {needsFields, func(dst []byte, k *clock) []byte { return appendPadded(dst, k.Month, 1) }},
	'D': {needsFields, appendOrdinal},
	'd': {needsFields, func(dst []byte, k *clock) []byte { return appendPadded(dst, k.Day, 2) }},
	'e': {needsFields, func(dst []byte, k *clock) []byte { return appendPadded(dst, k.Day, 1) }},
	'f': {needsTime, func(dst []byte, k *clock) []byte { return appendPadded(dst, k.Micro, 6) }},
	'H': {needsTime, func(dst []byte, k *clock) []byte { return appendPadded(dst, k.Hour, 2) }},
	'h': {needsTime, appendHour12},
	'I': {needsTime, appendHour12},
	'i': {needsTime, func(dst []byte, k *clock) []byte { return appendPadded(dst, k.Minute, 2) }},
	'j': {needsDate, func(dst []byte, k *clock) []byte { return appendPadded(dst, k.dayOfYear(), 3) }},
	'k': {needsTime, func(dst []byte, k *clock) []byte { return appendPadded(dst, k.Hour, 1) }},
	'l': {needsTime, func(dst []byte, k *clock) []byte { return appendPadded(dst, k.hour12(), 1) }},
	'M': {needsNames, func(dst []byte, k *clock) []byte { return append(dst, monthName(k)...) }},
	'm': {needsFields, func(dst []byte, k *clock) []byte { return appendPadded(dst, k.Month, 2) }},
	'p': {needsTime, appendHalf},
	'r': {needsTime, func(dst []byte, k *clock) []byte {
		return appendHalf(append(appendMinutes(appendHour12(dst, k), k), ' '), k)
	}},
	'S': {needsTime, appendSecond},
	's': {needsTime, appendSecond},
	'T': {needsTime, func(dst []byte, k *clock) []byte { return appendMinutes(appendPadded(dst, k.Hour, 2), k) }},
	'U': {needsDate, weekSpecifier(0)},
	'u': {needsDate, weekSpecifier(weekFromMonday)},
	'V': {needsDate, weekSpecifier(weekOfYears)},
	'v': {needsDate, weekSpecifier(weekISO)},
	'W': {needsNames, func(dst []byte, k *clock) []byte { return append(dst, dayName(k)...) }},
	'w': {needsDate, func(dst []byte, k *clock) []byte { return appendPadded(dst, (k.weekday()+1)%7, 1) }},
	'X': {needsDate, yearSpecifier(weekOfYears)},
	'x': {needsDate, yearSpecifier(weekISO)},
	'Y': {needsFields, func(dst []byte, k *clock) []byte { return appendPadded(dst, k.Year, 4) }},
	'y': {needsFields, func(dst []byte, k *clock) []byte { return appendPadded(dst, k.Year%100, 2) }},
}

// specifierChars is more than any specifier becomes.
const specifierChars = 11

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

func (c *clock) hour12() int { return (c.Hour%24+11)%12 + 1 }

func appendHour12(dst []byte, k *clock) []byte { return appendPadded(dst, k.hour12(), 2) }
func appendSecond(dst []byte, k *clock) []byte { return appendPadded(dst, k.Second, 2) }

func appendMinutes(dst []byte, k *clock) []byte {
	dst = appendPadded(append(dst, ':'), k.Minute, 2)
	return appendPadded(append(dst, ':'), k.Second, 2)
}

func appendHalf(dst []byte, k *clock) []byte {
	if k.Hour%24 < 12 {
		return append(dst, "AM"...)
	}
	return append(dst, "PM"...)
}

// appendOrdinal writes 1st, 2nd, 3rd, 4th.
func appendOrdinal(dst []byte, k *clock) []byte {
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

func weekSpecifier(m weekMode) func(dst []byte, k *clock) []byte {
	return func(dst []byte, k *clock) []byte {
		week, _ := k.week(m)
		return appendPadded(dst, week, 2)
	}
}

func yearSpecifier(m weekMode) func(dst []byte, k *clock) []byte {
	return func(dst []byte, k *clock) []byte {
		_, year := k.week(m)
		return appendPadded(dst, year, 4)
	}
}

// appendFormatted appends a date and time as the format has it; ok is false if the
// format needs more than is allowed, or than the date has.
func appendFormatted(dst []byte, k *clock, format []byte, most need) (_ []byte, ok bool) {
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
		case s.needs > most, s.needs >= needsDate && !k.isDate():
			return dst, false
		}
		dst = s.append(dst, k)
	}
	return dst, true
}

// compileFormat makes DATE_FORMAT and TIME_FORMAT. The latter is refused what a time
// does not have, of which servers make one thing and another.
func compileFormat(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	most := needsTime
	if name == "DATE_FORMAT" {
		most = c.formatNeed()
	}
	ev, as, ok := c.moment(args[0], name == "TIME_FORMAT", name)
	if !ok || as == classTime && most > needsTime {
		return nil, refuse(name)
	}
	return c.formatted(name, args, ev, as, most)
}

// formatNeed is what dates may be asked for in this session.
func (c *compiler) formatNeed() need {
	if c.session.EnglishNames {
		return needsNames
	}
	return needsDate
}

// formatted makes text of a date or time, the first argument, in the format that is
// the second.
func (c *compiler) formatted(name string, args []*node, ev evaluator, as class, most need) (*node, error) {
	s := c.formattedShape(specifierChars * c.textChars(args[1]))
	if !isSelfSynchronizing(s.collation.Charset) || args[1].class == classNull || isWide(args[1]) {
		return nil, refuse(name)
	}
	format, err := c.inCharset(args[1], s.collation.Charset, name)
	if err != nil {
		return nil, err
	}
	return c.strict(name, s, args, []evaluator{ev, format}, func(in []*datum, out *datum) (ok bool) {
		if out.null = len(in[1].b) == 0; out.null {
			return true
		}
		k := unpack(as, in[0].n)
		out.b = out.b[:0]
		if k.Negative {
			out.b = append(out.b, '-')
		}
		out.b, ok = appendFormatted(out.b, &k, in[1].b, most)
		return ok
	}), nil
}

// isWide reports whether a node is text in a character set whose characters have two bytes or more. MySQL
// reads a format byte by byte, whatever set it is in.
func isWide(n *node) bool { return n.class == classText && n.collation.Charset.BytesMin > 1 }
