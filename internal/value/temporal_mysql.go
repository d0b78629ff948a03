package value

// MySQL reads a date in one pass that knows few borders: any punctuation
// separates, fields may be left out at the end, and what is left over is cut.
// Since 8.0.29 it warns of the odder separators (MySQL manual, "Date and Time
// Literals").

// mysqlDate is the state of reading a date.
type mysqlDate struct {
	s         []byte
	i         int
	field     [7]int // year to second, fraction
	width     [7]int // digits read of each
	notZero   bool
	delimited bool
	spaced    bool
	trouble   trouble
}

const (
	fieldDay      = 2
	fieldSecond   = 5
	fieldFraction = 6
)

func mysqlReadDateTime(s []byte, rules dateRules) temporalReading {
	d := mysqlDate{s: s, i: skipSpaces(s, 0)}
	none := temporalReading{trouble: troubleCut}
	if d.i == len(s) || !isDigit(s[d.i]) {
		return none
	}
	compact, yearWidth := d.measure()
	fields, end, zone, ok := d.readFields(compact, yearWidth)
	if !ok {
		return none
	}
	if d.delimited && !d.spaced && rules.timeOnly {
		return none
	}
	if !compact {
		yearWidth = d.width[0]
	}
	return d.finish(fields, end, yearWidth, zone, rules)
}

// measure tells a compact date, digits only, from one with separators.
func (d *mysqlDate) measure() (compact bool, yearWidth int) {
	end := d.i
	for end < len(d.s) && (isDigit(d.s[end]) || d.s[end] == 'T') {
		end++
	}
	if end < len(d.s) && d.s[end] != '.' {
		return false, 4
	}
	if n := end - d.i; n == 4 || n == 8 || n >= 14 {
		return true, 4
	}
	return true, 2
}

// readFields reads numbers and what separates them. end is behind the last field
// or its separators.
func (d *mysqlDate) readFields(compact bool, yearWidth int) (fields, end int, zone, ok bool) {
	width := yearWidth
	f := 0
	for f <= fieldFraction && d.i < len(d.s) && isDigit(d.s[d.i]) {
		if !d.readField(f, width, compact || f == fieldFraction) {
			return 0, 0, false, false
		}
		end = d.i
		width = 2
		if d.i == len(d.s) {
			f++
			break
		}
		if f == fieldDay && d.s[d.i] == 'T' {
			d.i++
			f++
			continue
		}
		if f == fieldSecond {
			if d.s[d.i] == '.' {
				d.i++
				end, width = d.i, 6
			} else if isDigit(d.s[d.i]) {
				f++
				break
			} else if isSign(d.s[d.i]) {
				return f + 1, d.i, true, true
			} else if isSpace(d.s[d.i]) {
				d.complain(troubleDelimiters)
			}
			f++
			continue
		}
		if f == fieldFraction && isSign(d.s[d.i]) {
			return f + 1, d.i, true, true
		}
		d.skipDelimiters(f, compact)
		end = d.i
		f++
	}
	return f, end, false, true
}

func isSign(b byte) bool { return b == '+' || b == '-' }

// readField reads one number, of so many digits if fixed.
func (d *mysqlDate) readField(f, width int, fixed bool) bool {
	start, n := d.i, 0
	for d.i < len(d.s) && isDigit(d.s[d.i]) && (!fixed || d.i-start < width) {
		if n = n*10 + int(d.s[d.i]-'0'); n > fieldMax {
			return false
		}
		d.i++
	}
	d.field[f], d.width[f] = n, d.i-start
	d.notZero = d.notZero || n != 0
	return true
}

// delimiters are those between the fields that are not deprecated.
var delimiters = [...]byte{'-', '-', ' ', ':', ':', '.'}

// skipDelimiters passes what separates field f from the next: punctuation, and
// spaces behind the day and the fraction.
func (d *mysqlDate) skipDelimiters(f int, compact bool) {
	start := d.i
	for d.i < len(d.s) {
		space := isSpace(d.s[d.i])
		if !isPunct(d.s[d.i]) && (!space || f != fieldDay && f != fieldFraction) {
			break
		}
		if f < len(delimiters) && !compact {
			if d.i > start {
				d.complain(troubleDelimiters)
			} else if d.s[d.i] != delimiters[f] {
				d.complain(troubleDelimiter)
			}
		}
		d.spaced = d.spaced || space
		d.delimited = true
		d.i++
	}
	if d.i == len(d.s) && d.i > start && !compact {
		d.complain(troubleDelimiters)
	}
}

// complain keeps the first deprecation only.
func (d *mysqlDate) complain(t trouble) {
	if d.trouble == 0 {
		d.trouble = t
	}
}

func (d *mysqlDate) finish(fields, end, yearWidth int, zone bool, rules dateRules) (r temporalReading) {
	r.clock = clock{
		year: d.field[0], month: d.field[1], day: d.field[2],
		hour: d.field[3], minute: d.field[4], second: d.field[5],
	}
	r.digits = d.width[fieldFraction]
	r.clock.micro = d.field[fieldFraction] * microUnits[r.digits]
	if yearWidth == 2 && d.notZero {
		r.clock.year = century(r.clock.year)
	}
	rest := d.s[end:]
	if fields < 3 || !r.clock.inRange() {
		if d.notZero || !onlySpaces(rest) {
			return temporalReading{trouble: troubleCut}
		}
		return temporalReading{trouble: troubleZero}
	}
	if bad := rules.check(&r.clock, d.notZero); bad != 0 {
		return temporalReading{trouble: bad}
	}
	r.shape = shapeDateTime
	if fields <= 3 {
		r.shape = shapeDate
	}
	r.trouble = d.trouble
	if r.digits == 6 && len(rest) > 0 && isDigit(rest[0]) {
		r.nanos = int(rest[0]-'0') * 100
		for len(rest) > 0 && isDigit(rest[0]) {
			rest = rest[1:]
		}
		zone = len(rest) > 0 && isSign(rest[0])
	}
	if zone {
		return r.withZone(rest)
	}
	if !onlySpaces(rest) {
		r.trouble |= troubleCut
	}
	return r
}

// withZone reads an offset: +hh:mm, up to 14 hours.
func (r temporalReading) withZone(s []byte) temporalReading {
	bad := temporalReading{trouble: troubleZone}
	if len(s) != 6 || s[3] != ':' {
		r.trouble |= troubleCut
		return r
	}
	var nan byte
	hours, minutes := number2(s[1:], &nan), number2(s[4:], &nan)
	if nan != 0 || minutes > 59 || hours*60+minutes > 14*60 || s[0] == '-' && hours+minutes == 0 {
		return bad
	}
	r.hasZone, r.zoneSecs = true, hours*3600+minutes*60
	if s[0] == '-' {
		r.zoneSecs = -r.zoneSecs
	}
	return r
}

// mysqlReadTime reads [-][D ]hh[:mm[:ss]][.fraction], hhmmss, or a full date and
// time.
func mysqlReadTime(s []byte, env *Env) (r temporalReading) {
	i := skipSpaces(s, 0)
	negative := i < len(s) && s[i] == '-'
	if i == len(s) {
		return temporalReading{trouble: troubleCut}
	}
	if negative {
		i++
	}
	if len(s)-i >= 12 {
		if r = mysqlReadDateTime(s[i:], dateRules{zeroParts: true, timeOnly: true}); r.shape != shapeNone {
			return r
		}
	}
	t := timeText{s: s, i: i}
	if i == len(s) || !t.read() {
		return temporalReading{} // zero, and not a word about it
	}
	t.reading.clock.negative = negative
	return t.finish(i, env)
}
