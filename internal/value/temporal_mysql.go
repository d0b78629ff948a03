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
	compact   bool // digits only, up to the fraction
	quiet     bool
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
	if d.i > 0 {
		d.complain(troubleDelimiters)
	}
	none := temporalReading{trouble: troubleCut}
	if d.i == len(s) || !isDigit(s[d.i]) {
		return none
	}
	yearWidth := d.measure()
	fields, end, zone, ok := d.readFields(yearWidth)
	if !ok || d.delimited && !d.spaced && rules.timeOnly {
		return none
	}
	if !d.compact {
		yearWidth = d.width[0]
	}
	return d.finish(fields, end, yearWidth, zone, rules)
}

// measure tells a compact date, digits up to the end or a point, from one with
// separators.
func (d *mysqlDate) measure() (yearWidth int) {
	end := d.i
	for end < len(d.s) && (isDigit(d.s[end]) || d.s[end] == 'T') {
		end++
	}
	if end < len(d.s) && d.s[end] != '.' {
		return 4
	}
	n := end - d.i
	d.compact, d.quiet = true, n == 1
	if n == 4 || n == 8 || n >= 14 {
		return 4
	}
	return 2
}

// readFields reads numbers and what separates them. end is behind the last field
// or its separators.
func (d *mysqlDate) readFields(yearWidth int) (fields, end int, zone, ok bool) {
	width := yearWidth
	f := 0
	for ; f <= fieldFraction && d.i < len(d.s) && isDigit(d.s[d.i]); f++ {
		if !d.readField(f, width) {
			return 0, 0, false, false
		}
		end, width = d.i, 2
		if d.i == len(d.s) {
			return f + 1, end, false, true
		}
		next := d.s[d.i]
		switch {
		case f == fieldDay && next == 'T':
			d.i++
		case f >= fieldSecond && isSign(next):
			return f + 1, end, true, true
		case f == fieldSecond && next == '.':
			d.i++
			end, width = d.i, 6
		case f == fieldSecond && isDigit(next):
			return f + 1, end, false, true
		case f == fieldSecond:
			if isSpace(next) {
				d.complain(troubleDelimiters)
			}
		default:
			if !d.skipDelimiters(f) {
				return 0, 0, false, false
			}
			end = d.i
		}
	}
	return f, end, false, true
}

func isSign(b byte) bool { return b == '+' || b == '-' }

// readField reads one number, of a fixed width in a compact date.
func (d *mysqlDate) readField(f, width int) bool {
	fixed := d.compact || f == fieldFraction
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

// delimiters are those between the fields that are not deprecated; behind a
// fraction there is none.
var delimiters = [...]byte{'-', '-', ' ', ':', ':', '.', 0}

// skipDelimiters passes what separates field f from the next: punctuation, and
// spaces behind the day and the fraction. A space elsewhere makes it no date.
func (d *mysqlDate) skipDelimiters(f int) bool {
	start := d.i
	for d.i < len(d.s) {
		b := d.s[d.i]
		space := isSpace(b)
		if space && f != fieldDay && f != fieldFraction {
			return false
		}
		if !isPunct(b) && !space {
			break
		}
		switch {
		case d.i > start || f == fieldFraction:
			d.complain(troubleDelimiters)
		case b != delimiters[f] && (!d.compact || f < fieldDay):
			d.complain(troubleDelimiter)
		}
		d.spaced = d.spaced || space
		d.delimited = true
		d.i++
	}
	if d.i == len(d.s) && d.i == start+1 && f == fieldDay && isSpace(d.s[start]) {
		d.complain(troubleDelimiters)
	}
	return true
}

// complain keeps the first deprecation only. A compact date that starts with a
// single digit, such as 1.5, has none.
func (d *mysqlDate) complain(t trouble) {
	if d.trouble == 0 && !d.quiet {
		d.trouble = t
	}
}

func (d *mysqlDate) finish(fields, end, yearWidth int, zone bool, rules dateRules) (r temporalReading) {
	r.clock = Clock{
		Year: d.field[0], Month: d.field[1], Day: d.field[2],
		Hour: d.field[3], Minute: d.field[4], Second: d.field[5],
	}
	r.clock.Micro = d.field[fieldFraction] * microUnits[d.width[fieldFraction]]
	if yearWidth == 2 && d.notZero {
		r.clock.Year = century(r.clock.Year)
	}
	rest := d.s[end:]
	if fields < 3 || !r.clock.inRange() {
		if d.notZero || !onlySpaces(rest) {
			return temporalReading{trouble: troubleCut, final: true}
		}
		return temporalReading{trouble: troubleZero, final: true}
	}
	if bad := rules.check(&r.clock, d.notZero); bad != 0 {
		return temporalReading{trouble: bad, final: true}
	}
	r.shape = shapeDateTime
	if fields <= 3 {
		r.shape = shapeDate
	}
	r.trouble = d.trouble
	if d.width[fieldFraction] == 6 && len(rest) > 0 && isDigit(rest[0]) {
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
		return temporalReading{trouble: troubleCut}
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
	var odd trouble
	if i > 0 {
		odd = troubleDelimiters
	}
	negative := i < len(s) && s[i] == '-'
	if negative {
		i++
	}
	if len(s)-i >= 12 {
		if r = mysqlReadDateTime(s[i:], dateRules{zeroParts: true, timeOnly: true}); r.shape != shapeNone || r.final {
			if r.shape != shapeNone && r.trouble&(troubleDelimiter|troubleDelimiters) == 0 {
				r.trouble |= odd
			}
			return r
		}
	}
	t := timeText{s: s, i: i}
	if i == len(s) || !t.read(MySQL) {
		return temporalReading{} // zero, and not a word about it
	}
	t.reading.clock.Negative = negative
	r = t.finish(i, env)
	if r.shape != shapeNone && (odd != 0 || t.odd || t.spaces > 1 || len(t.s) > t.i && isSpace(t.s[t.i])) {
		r.trouble |= troubleDelimiters
	}
	return r
}
