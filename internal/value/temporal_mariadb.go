package value

import "slices"

// MariaDB reads a date field by field, with one separator between two of them;
// what it cannot read ends the date, and three fields make one.

// mariaDate is the state of reading a date.
type mariaDate struct {
	s      []byte
	i      int
	field  [6]int
	fields int
	hard   bool // no date, however many fields were read
	timed  bool // something announced a time
}

func mariaReadDateTime(s []byte, rules dateRules) temporalReading {
	d := mariaDate{s: s, i: skipSpaces(s, 0)}
	none := temporalReading{trouble: troubleCut}
	negative := d.i < len(s) && s[d.i] == '-'
	if d.i < len(s) && isSign(s[d.i]) {
		d.i++
	}
	if d.i == len(s) || !isDigit(s[d.i]) {
		return none
	}
	yearWidth, complete := d.readFields(rules.timeOnly)
	if d.fields < 3 || d.hard {
		return none
	}
	r := d.finish(yearWidth, complete, rules)
	if negative && (r.shape != shapeNone || r.trouble&troubleZero == 0) {
		r = none
		r.final = true
	}
	r.timed = d.timed
	return r
}

// readFields reads year to second. complete is false if something stands where a
// field or a separator should.
func (d *mariaDate) readFields(timeOnly bool) (yearWidth int, complete bool) {
	if width, ok := d.compactYear(); ok {
		return width, d.readCompact(width)
	}
	start := d.i
	complete = d.number(0)
	yearWidth = d.i - start
	for f := 1; complete && f < len(d.field); f++ {
		if f == fieldDay+1 {
			complete = d.separator(timeOnly)
		} else {
			complete = d.punct()
		}
		complete = complete && d.number(f)
	}
	return yearWidth, complete
}

// compactYear recognises digits without separators. What stands behind them is not read, but no
// digit and no separator may be among it.
func (d *mariaDate) compactYear() (width int, ok bool) {
	i, digits := d.i, 0
	skip := func() {
		for i < len(d.s) && isDigit(d.s[i]) {
			i, digits = i+1, digits+1
		}
	}
	skip()
	if i < len(d.s) && d.s[i] == 'T' {
		d.timed = true
		i++
		skip()
	}
	whole := digits
	if i < len(d.s) && d.s[i] == '.' && digits >= 12 {
		i++
		skip()
	}
	if slices.ContainsFunc(d.s[i:], func(b byte) bool { return isDigit(b) || isPunct(b) || isPunctLatin1(b) }) {
		d.timed = false
		return 0, false
	}
	d.timed = d.timed || whole >= 12
	if whole == 4 || whole == 8 || whole >= 14 {
		return 4, true
	}
	return 2, true
}

// isPunctLatin1 reports whether a byte beyond ASCII is punctuation to the server, which takes
// each for a character of latin1, whatever the text is in.
func isPunctLatin1(b byte) bool {
	switch {
	case b == 0x81, b == 0x83, b >= 0x8a && b <= 0x90 && b != 0x8b, b == 0x9a, b >= 0x9c && b <= 0xa0:
		return false
	}
	return b >= 0x80 && b < 0xc0 || b == 0xd7 || b == 0xf7
}

func (d *mariaDate) readCompact(width int) bool {
	for f := range d.field {
		if f == fieldDay+1 && d.i < len(d.s) && d.s[d.i] == 'T' {
			d.i++
		}
		if d.i < len(d.s) && !d.digits(f, width) {
			return false
		}
		width = 2
	}
	return true
}

// digits reads a field of a fixed width; at the end of the text there may be
// fewer.
func (d *mariaDate) digits(f, width int) bool {
	start := d.i
	for d.i < len(d.s) && isDigit(d.s[d.i]) && d.i-start < width {
		d.field[f] = d.field[f]*10 + int(d.s[d.i]-'0')
		d.i++
	}
	if d.i == start {
		return false
	}
	d.fields++
	return true
}

// number reads a field in 32 bits; there is nothing wrong with the end of the
// text.
func (d *mariaDate) number(f int) bool {
	if d.i == len(d.s) {
		return true
	}
	start := d.i
	for d.i < len(d.s) && isDigit(d.s[d.i]) {
		d.field[f] = int(uint32(d.field[f])*10 + uint32(d.s[d.i]-'0'))
		d.i++
	}
	if d.i == start {
		return false
	}
	d.fields++
	return true
}

func (d *mariaDate) punct() bool {
	if d.i == len(d.s) {
		return true
	}
	if !isPunct(d.s[d.i]) {
		return false
	}
	d.i++
	return true
}

// separator reads what stands between date and time: T, punctuation, or spaces.
// A TIME such as 11:11:11.12 is not to be taken for a date.
func (d *mariaDate) separator(timeOnly bool) bool {
	if d.i == len(d.s) {
		return true
	}
	switch b := d.s[d.i]; {
	case b == 'T':
		d.i++
		d.timed = true
		return true
	case isPunct(b):
		d.i++
		d.hard = timeOnly
		return !timeOnly
	case !isSpace(b):
		return false
	}
	d.i = skipSpaces(d.s, d.i)
	d.timed = d.i < len(d.s) && isDigit(d.s[d.i])
	return true
}

func (d *mariaDate) finish(yearWidth int, complete bool, rules dateRules) (r temporalReading) {
	f := d.field
	r.clock = Clock{Year: f[0], Month: f[1], Day: f[2], Hour: f[3], Minute: f[4], Second: f[5]}
	if complete && d.i < len(d.s) && d.s[d.i] == '.' {
		d.i++
		d.i += r.readFraction(d.s[d.i:])
	}
	notZero := !r.clock.isZero()
	if yearWidth == 2 && notZero {
		r.clock.Year = century(r.clock.Year)
	}
	if !r.clock.inRange() {
		return temporalReading{trouble: troubleCut, final: true, beyond: true}
	}
	if bad := rules.check(&r.clock, notZero); bad != 0 {
		return temporalReading{trouble: bad, final: true}
	}
	r.shape = shapeDateTime
	if d.fields <= 3 {
		r.shape = shapeDate
	}
	if !onlySpaces(d.s[d.i:]) {
		r.trouble |= troubleCut
	}
	r.noteMore()
	return r
}

// noteMore notes digits beyond the microseconds, whatever they are.
func (r *temporalReading) noteMore() {
	if r.more {
		r.trouble |= troubleNote
	}
}

// longTime is the length from which on text is a date if it can be read as one.
const longTime = 12

// isLongDate reports whether text has that length, without spaces at the end,
// and not the first separator of a time.
func isLongDate(s []byte) bool {
	n := len(s)
	for n > 0 && isSpace(s[n-1]) {
		n--
	}
	i := 0
	for i < n && isDigit(s[i]) {
		i++
	}
	return n >= longTime && (i == n || s[i] != ':')
}

// mariaReadTime reads [-][D ]hh[:mm[:ss]][.fraction], hhmmss, or a full date and
// time.
func mariaReadTime(s []byte, env *Env) (r temporalReading) {
	i := skipSpaces(s, 0)
	negative := i < len(s) && s[i] == '-'
	if i < len(s) && isSign(s[i]) {
		i = skipSpaces(s, i+1)
	}
	if i == len(s) || !isDigit(s[i]) {
		return temporalReading{trouble: troubleCut}
	}
	rules := columnRules(Time, env)
	rules.timeOnly = true
	if r = mariaReadDateTime(s, rules); r.shape != shapeNone && r.trouble&troubleCut == 0 && isLongDate(s[i:]) {
		return r
	}
	isDate := r.shape == shapeDate || r.final && (r.trouble != troubleCut || r.beyond)
	if isDate && !r.timed && isLongDate(s[i:]) {
		return temporalReading{trouble: troubleUnsure} // a date with something behind it, perhaps
	}
	if r.timed && (r.shape != shapeNone || r.final) {
		return r
	}
	t := timeText{s: s, i: i}
	if !t.read(MariaDB) {
		return temporalReading{trouble: troubleCut}
	}
	t.reading.clock.Negative = negative
	r = t.finish(i, env)
	r.noteMore()
	return r
}
