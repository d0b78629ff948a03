package value

// readDateNumber reads a number, with billionths that only tell it from zero, as YYMMDD, YYYYMMDD, YYMMDDhhmmss or
// YYYYMMDDhhmmss (MySQL manual, "Date and Time Literals").
func readDateNumber(n uint64, nanos int, rules dateRules, env *Env) (r temporalReading) {
	full, hasTime, ok := fullDateNumber(n, rules)
	if !ok {
		r.trouble = troubleCut
		if n > fullDateMax && env.Flavor != MariaDB {
			r.trouble = troubleRange
		}
		return r
	}
	date, clk := int(full/1e6), int(full%1e6)
	r.clock = Clock{
		Year: date / 1e4, Month: date / 100 % 100, Day: date % 100,
		Hour: clk / 1e4, Minute: clk / 100 % 100, Second: clk % 100,
	}
	if !r.clock.inRange() {
		r.clock = Clock{}
		r.trouble = troubleCut
		return r
	}
	if r.trouble = rules.check(&r.clock, n != 0 || nanos != 0); r.trouble != 0 {
		r.clock = Clock{}
		if r.trouble != troubleZero {
			r.trouble = troubleCut
		}
		return r
	}
	r.shape = shapeDate
	if hasTime {
		r.shape = shapeDateTime
	}
	return r
}

// fullDateMax is the biggest number of 14 digits.
const fullDateMax = 99999999999999

// fullDateNumber writes n with all its 14 digits.
func fullDateNumber(n uint64, rules dateRules) (full uint64, hasTime, ok bool) {
	const clockUnit = 1000000
	switch {
	case n > fullDateMax:
		return 0, false, false
	case n == 0 || n >= 10000101000000:
		return n, true, true
	case n < 101:
		return 0, false, false
	case n <= (pivotYear-1)*10000+1231:
		return (n + 20000000) * clockUnit, false, true
	case n < pivotYear*10000+101:
		return 0, false, false
	case n <= 991231:
		return (n + 19000000) * clockUnit, false, true
	case n < 10000101 && !rules.zeroParts:
		return 0, false, false
	case n <= 99991231:
		return n * clockUnit, false, true
	case n < 101000000:
		return 0, false, false
	case n <= (pivotYear-1)*10000000000+1231235959:
		return n + 20000000000000, true, true
	case n < pivotYear*10000000000+101000000:
		return 0, false, false
	case n <= 991231235959:
		return n + 19000000000000, true, true
	}
	return n, true, true
}

// timeNumberMax is 838:59:59 as a number.
const timeNumberMax = 8385959

// readTimeNumber reads a number as hhmmss, or as a date and time if it is too
// big for that.
func readTimeNumber(negative bool, n uint64, env *Env) (r temporalReading) {
	if full, ok := timeFromDateNumber(negative, n, env); ok {
		return full
	}
	r.clock = Clock{Hour: int(n / 1e4), Minute: int(n / 100 % 100), Second: int(n % 100), Negative: negative}
	r.shape = shapeTime
	bad := r.clock.Minute > 59 || r.clock.Second > 59
	switch {
	case bad && env.Flavor == MariaDB:
		return temporalReading{trouble: troubleCut}
	case n > timeNumberMax:
		r.trouble = troubleRange
		r.clock.Hour = hoursMax + 1
		r.clock.limitTime(env)
	case bad:
		return temporalReading{trouble: troubleRange}
	}
	return r
}

// timeFromDateNumber reads a number that is too big for a time: MariaDB as a
// date from the first with eight digits on, MySQL from ten digits on and not if
// it is none.
func timeFromDateNumber(negative bool, n uint64, env *Env) (r temporalReading, ok bool) {
	const eightDigits, elevenDigits = 10000101, 10000000000
	switch {
	case negative:
		return r, false
	case env.Flavor == MariaDB:
		if n < eightDigits || n > fullDateMax {
			return r, false
		}
		return readDateNumber(n, 0, dateRules{zeroParts: true, anyDay: true}, env), true
	case n < elevenDigits:
		return r, false
	}
	r = readDateNumber(n, 0, dateRules{zeroParts: true}, env)
	return r, r.shape != shapeNone
}

// readTemporalNumber reads a number with billionths below the second as the column's
// type.
func readTemporalNumber(k Kind, negative bool, n uint64, nanos int, rules dateRules, env *Env) (r temporalReading) {
	switch {
	case k == Time:
		r = readTimeNumber(negative, n, env)
	case negative && env.Flavor != MariaDB:
		return temporalReading{trouble: troubleRange}
	case negative:
		return temporalReading{trouble: troubleCut}
	default:
		if env.Flavor != MariaDB {
			r = readDateNumber(n, 0, rules, env)
		} else {
			r = readDateNumber(n, nanos, rules, env)
		}
	}
	if r.shape == shapeNone || r.trouble != 0 {
		return r
	}
	if nanos == 0 {
		return r
	}
	if r.shape == shapeDate { // has no fraction
		if env.Flavor != MariaDB {
			r.trouble |= troubleCut
			return r
		}
		r.trouble |= troubleNote
		r.nanos = nanos % 1000 // but is rounded by this
		return r
	}
	if r.shape == shapeTime && env.Flavor == MariaDB && nanos >= 999999500 {
		return temporalReading{trouble: troubleCut} // it rounds to a whole second, and then there is none
	}
	r.clock.Micro, r.nanos = nanos/1000, nanos%1000
	if r.shape == shapeTime && env.Flavor != MariaDB && r.clock.limitTime(env) {
		r.trouble, r.nanos = troubleRange, 0
	}
	return r
}

// split splits a decimal into an integer and billionths.
func (d *decimal) split() (n uint64, nanos int, fits bool) {
	const places = 9
	for i := range places {
		nanos *= 10
		if place := d.point + i; place >= 0 {
			nanos += int(d.at(place))
		}
	}
	n, fits = d.uint64()
	return n, nanos, fits
}
