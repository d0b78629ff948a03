package value

// trouble is what is wrong with text or a number read as a date or time.
type trouble uint16

const (
	troubleCut        trouble = 1 << iota // something is left over, or nothing was there
	troubleNote                           // a part the type does not have was dropped
	troubleRange                          // a field or the whole is out of range
	troubleBeyond                         // a moment that TIMESTAMP does not hold
	troubleOverflow                       // MySQL: rounding leads beyond the last date
	troubleZero                           // 0000-00-00 where that is no date
	troubleZeroIn                         // a month or day of zero where that is no date
	troubleZone                           // a zone offset that is none
	troubleGap                            // a local time that the clocks skip
	troubleUnsure                         // what the server reads is not known here
	troubleRound                          // MariaDB: a date with zeros would have a next day
	troubleDelimiter                      // MySQL: a delimiter that is deprecated
	troubleDelimiters                     // MySQL: more delimiters than needed
)

// shape is what a text turned out to be.
type shape uint8

const (
	shapeNone shape = iota
	shapeDate
	shapeTime
	shapeDateTime
)

// temporalReading is the result of reading text or a number as a date or time.
type temporalReading struct {
	clock    Clock
	shape    shape // shapeNone: there is no value
	nanos    int   // the seventh digit, in nanoseconds
	more     bool  // there was a seventh digit
	typed    bool  // taken from a source with the type of a date or time
	timed    bool  // MariaDB: has a date and what announces a time
	final    bool  // no value, and it cannot be read as a time either
	beyond   bool  // MariaDB: a field of it is out of range
	trouble  trouble
	hasZone  bool
	zoneSecs int
	moment   int64 // with a zone, in seconds since 1970: applyZone's
	param    bool  // it came as a parameter, which MySQL makes a local time first
}

// dateRules say which dates pass.
type dateRules struct {
	zeroParts bool // months and days of zero
	noZero    bool // not 0000-00-00
	anyDay    bool // 31 of any month
	timeOnly  bool // looking for a full date and time where a TIME is expected
}

// check applies the rules to a date whose fields are in range.
func (r dateRules) check(c *Clock, notZero bool) trouble {
	switch {
	case !notZero && r.noZero:
		return troubleZero
	case !notZero:
		return 0
	case !r.zeroParts && (c.Month == 0 || c.Day == 0):
		return troubleZeroIn
	case !r.anyDay && !c.dayExists():
		return troubleRange
	}
	return 0
}

// columnRules are the rules for a column.
func columnRules(k Kind, env *Env) dateRules {
	return dateRules{
		zeroParts: k != Timestamp && env.Mode&NoZeroInDate == 0,
		noZero:    env.Mode&NoZeroDate != 0,
		anyDay:    env.Mode&AllowInvalidDates != 0 && k != Timestamp,
	}
}

// readDateTime reads text as a date with or without a time.
func readDateTime(s []byte, rules dateRules, env *Env) temporalReading {
	if r, ok := readPlainDateTime(s, rules); ok {
		return r
	}
	if env.Flavor == MariaDB {
		return mariaReadDateTime(s, rules)
	}
	return mysqlReadDateTime(s, rules)
}

// readTime reads text as a time.
func readTime(s []byte, env *Env) temporalReading {
	if env.Flavor == MariaDB {
		return mariaReadTime(s, env)
	}
	return mysqlReadTime(s, env)
}

// readPlainDateTime reads the form that nearly all dates have, YYYY-MM-DD with
// or without hh:mm:ss and a fraction of up to six digits, if it is a good date.
func readPlainDateTime(s []byte, rules dateRules) (r temporalReading, ok bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return r, false
	}
	c := &r.clock
	var bad byte
	c.Year = number2(s[0:], &bad)*100 + number2(s[2:], &bad)
	c.Month, c.Day = number2(s[5:], &bad), number2(s[8:], &bad)
	r.shape = shapeDate
	if len(s) > 10 {
		if len(s) < 19 || s[10] != ' ' || s[13] != ':' || s[16] != ':' {
			return r, false
		}
		c.Hour, c.Minute, c.Second = number2(s[11:], &bad), number2(s[14:], &bad), number2(s[17:], &bad)
		r.shape = shapeDateTime
	}
	if len(s) > 19 && !r.plainFraction(s[19:]) {
		return r, false
	}
	if bad != 0 || !c.inRange() || c.isZeroDate() || rules.check(c, true) != 0 {
		return r, false
	}
	return r, true
}

// plainFraction reads a point and one to six digits.
func (r *temporalReading) plainFraction(s []byte) bool {
	if s[0] != '.' || len(s) < 2 || len(s) > 7 {
		return false
	}
	for _, b := range s[1:] {
		if !isDigit(b) {
			return false
		}
		r.clock.Micro = r.clock.Micro*10 + int(b-'0')
	}
	r.clock.Micro *= microUnits[len(s)-1]
	return true
}

// number2 reads two digits; bad collects what is none.
func number2(s []byte, bad *byte) int {
	a, b := s[0]-'0', s[1]-'0'
	if a > 9 || b > 9 {
		*bad = 1
	}
	return int(a)*10 + int(b)
}

// isPunct is punctuation as C has it.
func isPunct(b byte) bool {
	return b > ' ' && b < 0x7f && !isDigit(b) && (b|0x20 < 'a' || b|0x20 > 'z')
}

// fieldMax is the highest number any field of a date is read as; more is no date.
const fieldMax = 999999

// century gives a two-digit year its century.
func century(year int) int {
	if year < pivotYear {
		return 2000 + year
	}
	return 1900 + year
}
