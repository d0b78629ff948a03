package eval

import (
	"bytes"
	"slices"
)

// compileStrToDate makes STR_TO_DATE of a constant format, which decides about the
// type. Text is read that has exactly what the format asks for; what else the
// servers read, and what they warn of, is refused.
func compileStrToDate(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	n, format := args[0], args[1]
	if n.class != classText && n.class != classNull || !format.literal || format.class != classText {
		return nil, refuse(name)
	}
	c.pin(format)
	layout, ok := layoutOf(format.example.Bytes)
	if !ok || isWide(n) || isWide(format) {
		return nil, refuse(name)
	}
	return c.strict(name, layout.shape(), args, []evaluator{n.ev, format.ev}, func(in []*datum, out *datum) bool {
		k, ok := layout.read(in[0].b)
		switch {
		case !ok:
			return false
		case layout.has&partsOfDate == 0:
			out.setUint(k.packTime())
		default:
			out.setUint(k.packDateTime())
		}
		return true
	}), nil
}

// parts are what a format has of a date and time.
type parts uint16

const (
	partYear parts = 1 << iota
	partMonth
	partDay
	partHour
	partHour12
	partMinute
	partSecond
	partMicro
	partHalf

	partsOfDate = partYear | partMonth | partDay
)

// layout is a format as it is read: literal bytes and specifiers.
type layout struct {
	steps []layoutStep
	has   parts
}

// layoutStep reads one specifier, or one byte if it has no part.
type layoutStep struct {
	literal byte
	part    parts
	read    func(k *clock, text []byte) (rest []byte, ok bool)
}

// readers are the specifiers that are read.
var readers = map[byte]layoutStep{
	'Y': {part: partYear, read: number(4, 4, func(k *clock) *int { return &k.Year })},
	'y': {part: partYear, read: readShortYear},
	'm': {part: partMonth, read: number(1, 2, func(k *clock) *int { return &k.Month })},
	'c': {part: partMonth, read: number(1, 2, func(k *clock) *int { return &k.Month })},
	'M': {part: partMonth, read: readMonth(false)},
	'b': {part: partMonth, read: readMonth(true)},
	'd': {part: partDay, read: number(1, 2, func(k *clock) *int { return &k.Day })},
	'e': {part: partDay, read: number(1, 2, func(k *clock) *int { return &k.Day })},
	'H': {part: partHour, read: number(1, 2, func(k *clock) *int { return &k.Hour })},
	'k': {part: partHour, read: number(1, 2, func(k *clock) *int { return &k.Hour })},
	'h': {part: partHour12, read: number(1, 2, func(k *clock) *int { return &k.Hour })},
	'I': {part: partHour12, read: number(1, 2, func(k *clock) *int { return &k.Hour })},
	'l': {part: partHour12, read: number(1, 2, func(k *clock) *int { return &k.Hour })},
	'i': {part: partMinute, read: number(1, 2, func(k *clock) *int { return &k.Minute })},
	'S': {part: partSecond, read: number(1, 2, func(k *clock) *int { return &k.Second })},
	's': {part: partSecond, read: number(1, 2, func(k *clock) *int { return &k.Second })},
	'f': {part: partMicro, read: readFraction},
	'p': {part: partHalf, read: readHalf},
}

// shorthands are specifiers that stand for several.
var shorthands = map[byte]string{'T': "%H:%i:%S", 'r': "%I:%i:%S %p"}

// layoutOf reads a format; false for one that is not known, that has a part twice,
// or a date with a part missing.
func layoutOf(format []byte) (l layout, ok bool) {
	for len(format) > 0 {
		c := format[0]
		format = format[1:]
		if c != '%' {
			l.steps = append(l.steps, layoutStep{literal: c})
			continue
		}
		if len(format) == 0 {
			return l, false
		}
		if long, ok := shorthands[format[0]]; ok {
			format = slices.Concat([]byte(long), format[1:])
			continue
		}
		step, ok := readers[format[0]]
		if format = format[1:]; !ok || l.has&step.part != 0 {
			return l, false
		}
		l.steps, l.has = append(l.steps, step), l.has|step.part
	}
	date := l.has & partsOfDate
	twoHours := l.has&partHour != 0 && l.has&partHour12 != 0
	half := l.has&partHalf == 0 || l.has&partHour12 != 0
	return l, l.has != 0 && (date == 0 || date == partsOfDate) && !twoHours && half
}

// shape is the type of what the format makes.
func (l *layout) shape() shape {
	s := shape{class: classDateTime, coercible: coercibleNumber}
	switch {
	case l.has&partsOfDate == 0:
		s.class = classTime
	case l.has == partsOfDate:
		s.class = classDate
	}
	if l.has&partMicro != 0 {
		s.scale = 6
	}
	return s
}

// read reads text to its end.
func (l *layout) read(text []byte) (k clock, ok bool) {
	for i := range l.steps {
		s := &l.steps[i]
		if s.part == 0 {
			if len(text) == 0 || text[0] != s.literal {
				return k, false
			}
			text = text[1:]
			continue
		}
		if text, ok = s.read(&k, text); !ok {
			return k, false
		}
	}
	if l.has&partHour12 != 0 && !k.fromHour12() {
		return k, false
	}
	if l.has&partsOfDate != 0 && (!k.isDate() || k.Month > 12 || k.Day > daysOfMonth(k.Year, k.Month)) {
		return k, false
	}
	return k, len(text) == 0 && k.Hour < 24 && k.Minute < 60 && k.Second < 60
}

// afternoon is added to the hour by PM, until the hour is known to be one of twelve.
const afternoon = 100

// fromHour12 turns an hour of twelve, and what readHalf has added to it, into one of
// the day.
func (c *clock) fromHour12() bool {
	hour, half := c.Hour%afternoon, c.Hour/afternoon
	c.Hour = hour%12 + 12*half
	return hour >= 1 && hour <= 12
}

// number reads a number of some digits. It is added to what is there.
func number(least, most int, into func(k *clock) *int) func(k *clock, text []byte) ([]byte, bool) {
	return func(k *clock, text []byte) ([]byte, bool) {
		n, digits := leadingNumber(text, most)
		*into(k) += n
		return text[digits:], digits >= least
	}
}

func leadingNumber(text []byte, most int) (n, digits int) {
	for digits < min(len(text), most) && isDigit(text[digits]) {
		n = n*10 + int(text[digits]-'0')
		digits++
	}
	return n, digits
}

func readShortYear(k *clock, text []byte) ([]byte, bool) {
	n, digits := leadingNumber(text, 2)
	k.Year = fullYear(n)
	return text[digits:], digits == 2
}

func readFraction(k *clock, text []byte) ([]byte, bool) {
	n, digits := leadingNumber(text, 6)
	k.Micro = n * microUnits[digits]
	return text[digits:], digits > 0
}

func readHalf(k *clock, text []byte) ([]byte, bool) {
	if len(text) < 2 {
		return text, false
	}
	half := bytes.ToUpper(text[:2])
	if string(half) == "PM" {
		k.Hour += afternoon
	}
	return text[2:], string(half) == "AM" || string(half) == "PM"
}

// readMonth reads the name of a month, which is English in all sessions.
func readMonth(short bool) func(k *clock, text []byte) ([]byte, bool) {
	return func(k *clock, text []byte) ([]byte, bool) {
		end := 0
		for end < len(text) && (text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z') {
			end++
		}
		for i, name := range monthNames {
			if short {
				name = name[:letters]
			}
			if bytes.EqualFold(text[:end], []byte(name)) {
				k.Month = i + 1
				return text[end:], true
			}
		}
		return text, false
	}
}
