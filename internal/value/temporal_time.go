package value

import "math"

// timeText is the state of reading a time.
type timeText struct {
	s       []byte
	i       int
	field   [4]int // days, hours, minutes, seconds
	spaces  int    // behind the first field
	odd     bool   // MySQL deprecates spaces that stand so
	reading temporalReading
}

// read reads the fields; false means that there is no value at all.
func (t *timeText) read(f Flavor) bool {
	first, ok := t.number()
	if !ok {
		return false
	}
	afterFirst := t.i
	t.i = skipSpaces(t.s, t.i)
	t.spaces = t.i - afterFirst
	left := len(t.s) - t.i
	switch {
	case left > 1 && t.i != afterFirst && isDigit(t.s[t.i]):
		t.field[0] = first
		ok = t.rest(1)
	case left > 1 && t.s[t.i] == ':' && isDigit(t.s[t.i+1]):
		t.i++
		t.field[1] = first
		ok = t.rest(2)
	default:
		t.field[1], t.field[2], t.field[3] = first/10000, first/100%100, first%100
		t.odd = t.spaces > 0 && left == 0
	}
	if !ok {
		return false
	}
	t.fraction(f)
	return !t.hasExponent()
}

// number reads digits, up to what fits into 32 bits.
func (t *timeText) number() (n int, ok bool) {
	for t.i < len(t.s) && isDigit(t.s[t.i]) {
		if n = n*10 + int(t.s[t.i]-'0'); n > math.MaxUint32 {
			return 0, false
		}
		t.i++
	}
	return n, true
}

// rest reads the fields from f on, with colons between them.
func (t *timeText) rest(f int) bool {
	for {
		n, ok := t.number()
		if !ok {
			return false
		}
		t.field[f] = n
		f++
		if f == len(t.field) || len(t.s)-t.i < 2 || t.s[t.i] != ':' || !isDigit(t.s[t.i+1]) {
			return true
		}
		t.i++
	}
}

// fraction reads a point and digits, or a point alone at the end. In MariaDB spaces may follow that.
func (t *timeText) fraction(f Flavor) {
	if t.i == len(t.s) || t.s[t.i] != '.' {
		return
	}
	if rest := t.s[t.i+1:]; len(rest) > 0 && !isDigit(rest[0]) && (f != MariaDB || !onlySpaces(rest)) {
		return
	}
	t.i++
	t.i += t.reading.readFraction(t.s[t.i:])
}

// readFraction reads digits: six, one to round with, and more to skip. It
// returns how many bytes it read.
func (r *temporalReading) readFraction(s []byte) int {
	i, digits := 0, 0
	for ; i < len(s) && isDigit(s[i]); i++ {
		switch {
		case i < 6:
			r.clock.Micro = r.clock.Micro*10 + int(s[i]-'0')
			digits++
		case i == 6:
			r.nanos = int(s[i]-'0') * 100
			r.more = true
		}
	}
	r.clock.Micro *= microUnits[digits]
	return i
}

// hasExponent recognises a number that was printed with an exponent.
func (t *timeText) hasExponent() bool {
	s := t.s[t.i:]
	if len(s) < 2 || s[0]|0x20 != 'e' {
		return false
	}
	return isDigit(s[1]) || isSign(s[1]) && len(s) > 2 && isDigit(s[2])
}

// finish checks ranges and what is left over; start is where the first field
// began.
func (t *timeText) finish(start int, env *Env) temporalReading {
	r := &t.reading
	r.shape = shapeTime
	r.clock.Hour = min(t.field[0]*24+t.field[1], math.MaxInt32)
	r.clock.Minute, r.clock.Second = t.field[2], t.field[3]
	if r.clock.Minute > 59 || r.clock.Second > 59 {
		return temporalReading{trouble: troubleRange}
	}
	if r.clock.limitTime(env) {
		r.trouble |= troubleRange
		r.nanos = 0
	}
	if onlySpaces(t.s[t.i:]) {
		return *r
	}
	r.trouble |= troubleCut
	if t.i == start {
		return temporalReading{trouble: troubleCut}
	}
	return *r
}
