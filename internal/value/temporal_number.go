package value

// readDateNumber reads a number, with billionths that only tell it from zero, as YYMMDD, YYYYMMDD, YYMMDDhhmmss or
// YYYYMMDDhhmmss (MySQL manual, "Date and Time Literals").
func readDateNumber(n uint64, nanos int, rules dateRules) (r temporalReading) {
	full, hasTime, ok := fullDateNumber(n, rules)
	if !ok {
		r.trouble = troubleCut
		return r
	}
	date, clk := int(full/1e6), int(full%1e6)
	r.clock = clock{
		year: date / 1e4, month: date / 100 % 100, day: date % 100,
		hour: clk / 1e4, minute: clk / 100 % 100, second: clk % 100,
	}
	if !r.clock.inRange() {
		r.clock = clock{}
		r.trouble = troubleCut
		return r
	}
	if r.trouble = rules.check(&r.clock, n != 0 || nanos != 0); r.trouble != 0 {
		r.clock = clock{}
		return r
	}
	r.shape = shapeDate
	if hasTime {
		r.shape = shapeDateTime
	}
	return r
}

// fullDateNumber writes n with all its 14 digits.
func fullDateNumber(n uint64, rules dateRules) (full uint64, hasTime, ok bool) {
	const clockUnit = 1000000
	switch {
	case n > 99999999999999:
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
	if n > timeNumberMax {
		if !negative && (n >= 10000000000 || env.Flavor == MariaDB) {
			if r = readDateNumber(n, 0, dateRules{zeroParts: env.Flavor == MariaDB}); r.shape != shapeNone {
				return r
			}
		}
		r = temporalReading{trouble: troubleRange, shape: shapeTime}
		r.clock = clock{hour: hoursMax, minute: 59, second: 59, negative: negative}
		return r
	}
	r.clock = clock{hour: int(n / 1e4), minute: int(n / 100 % 100), second: int(n % 100), negative: negative}
	r.shape = shapeTime
	if r.clock.minute > 59 || r.clock.second > 59 {
		if env.Flavor == MariaDB {
			return temporalReading{trouble: troubleCut}
		}
		return temporalReading{trouble: troubleRange}
	}
	return r
}

// readTemporalNumber reads a number with billionths below the second as the column's
// type.
func readTemporalNumber(k Kind, negative bool, n uint64, nanos int, rules dateRules, env *Env) (r temporalReading) {
	switch {
	case k == Time:
		r = readTimeNumber(negative, n, env)
	case negative:
		return temporalReading{trouble: troubleCut}
	default:
		if env.Flavor != MariaDB {
			r = readDateNumber(n, 0, rules)
		} else {
			r = readDateNumber(n, nanos, rules)
		}
	}
	if r.shape == shapeNone || r.trouble != 0 {
		return r
	}
	if nanos == 0 {
		return r
	}
	if r.shape == shapeDate && env.Flavor == MariaDB {
		r.trouble |= troubleNote // a date has no fraction, only what rounds it
		r.nanos = nanos % 1000
		return r
	}
	r.clock.micro, r.nanos, r.digits = nanos/1000, nanos%1000, 6
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
