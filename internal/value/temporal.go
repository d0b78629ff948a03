package value

import (
	"encoding/binary"
	"math"
)

// temporalWord is the word of the server's message for a column of the kind.
func temporalWord(k Kind) string {
	switch k {
	case Date:
		return "date"
	case Time:
		return "time"
	default:
		return "datetime"
	}
}

func assignTemporal(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	r := readTemporal(t.Kind, s, columnRules(t.Kind, env), env)
	r.param = s.Param
	packed := r.settle(t, env)
	if s.Param && env.Flavor != MariaDB {
		r.readBefore(t)
	}
	r.report(t, env, o)
	return binary.BigEndian.AppendUint64(dst, uint64(packed))
}

// readBefore drops what MySQL says of a good value only when it stores it, which
// of a parameter it has read before.
func (r *temporalReading) readBefore(t *Type) {
	if r.trouble&troubleCut != 0 {
		return
	}
	r.trouble &^= troubleDelimiter | troubleDelimiters
	if t.Kind == Time {
		r.trouble &^= troubleNote
	}
}

// readTemporal reads a source as a column's type would.
func readTemporal(k Kind, s *Source, rules dateRules, env *Env) temporalReading {
	switch s.Form {
	case FormInt:
		i := int64(s.Number)
		return readTemporalNumber(k, i < 0, magnitude(i), 0, rules, env)
	case FormUint:
		return readTemporalNumber(k, false, s.Number, 0, rules, env)
	case FormDecimal:
		return readTemporalDecimal(k, s.Bytes, rules, env)
	case FormDouble:
		return readTemporalDouble(k, s.double(), rules, env)
	case FormDate, FormDateTime, FormTime:
		return takeTemporal(k, s, rules, env)
	default:
		if k == Time {
			return readTime(s.Bytes, env)
		}
		return readDateTime(s.Bytes, rules, env)
	}
}

func readTemporalDecimal(k Kind, text []byte, rules dateRules, env *Env) temporalReading {
	var d decimal
	d.read(text)
	n, nanos, fits := d.split()
	if !fits {
		n = math.MaxInt64
	}
	return readTemporalNumber(k, d.negative && !d.isZero(), n, nanos, rules, env)
}

func readTemporalDouble(k Kind, f float64, rules dateRules, env *Env) temporalReading {
	whole, fraction := math.Modf(math.Abs(f))
	n := uint64(math.MaxInt64)
	if whole < math.MaxInt64 {
		n = uint64(whole)
	}
	nanos := min(int(math.RoundToEven(fraction*1e9)), 999999999)
	if env.Flavor == MariaDB {
		nanos = int(fraction * 1e9)
	}
	return readTemporalNumber(k, f < 0, n, nanos, rules, env)
}

// takeTemporal takes a date or time that has been read already.
func takeTemporal(k Kind, s *Source, rules dateRules, env *Env) (r temporalReading) {
	r.typed = true
	switch {
	case s.Form == FormTime && k == Time:
		r.clock, r.shape = UnpackTime(int64(s.Number)), shapeTime
		return r
	case s.Form == FormTime:
		r.clock = onDay(env.Today, int64(s.Number))
	default:
		r.clock = UnpackDateTime(int64(s.Number))
	}
	r.shape = shapeDateTime
	if s.Form == FormDate {
		r.shape = shapeDate
	}
	if bad := rules.check(&r.clock, !r.clock.isZero()); bad != 0 && k != Time {
		return temporalReading{trouble: bad}
	}
	return r
}

// onDay adds a time to the start of a day.
func onDay(today, packedTime int64) Clock {
	day, span := UnpackDateTime(today), UnpackTime(packedTime)
	if !span.Negative {
		days := span.Hour / 24
		span.Hour %= 24
		day.Hour, day.Minute, day.Second, day.Micro = span.Hour, span.Minute, span.Second, span.Micro
		return addDays(day, days)
	}
	// The moment so long before midnight.
	micros := ((int64(span.Hour)*60+int64(span.Minute))*60+int64(span.Second))*1e6 + int64(span.Micro)
	const dayMicros = 24 * 3600 * 1e6
	days := (micros + dayMicros - 1) / dayMicros
	micros = days*dayMicros - micros
	day = addDays(day, -int(days))
	day.Micro = int(micros % 1e6)
	seconds := int(micros / 1e6)
	day.Hour, day.Minute, day.Second = seconds/3600, seconds/60%60, seconds%60
	return day
}

// settle fits a reading into a column and returns its packed form; 0 if there
// is no value.
func (r *temporalReading) settle(t *Type, env *Env) int64 {
	if r.shape == shapeNone {
		return 0
	}
	switch t.Kind {
	case Time:
		return r.settleTime(t, env)
	case Date:
		return r.settleDate(env)
	case DateTime:
		return r.settleDateTime(t, env)
	default:
		return r.settleTimestamp(t, env)
	}
}

// settleTime drops a date and fits the fraction.
func (r *temporalReading) settleTime(t *Type, env *Env) int64 {
	if !r.applyZone(env) {
		return 0
	}
	if r.shape != shapeTime {
		if env.Flavor == MariaDB && env.roundsFraction() && !r.roundDateTime(6, env) {
			return 0
		}
		r.dropDate(env)
	}
	if env.roundsFraction() {
		r.clock.roundFraction(6, r.nanos)
		r.clock.roundFraction(t.Decimals, 0)
	}
	if r.clock.limitTime(env) {
		r.trouble |= troubleRange
	}
	r.clock.cutFraction(t.Decimals)
	return r.clock.PackTime()
}

// dropDate keeps the time of day. MySQL takes no note of it if the source had the
// type of a date, or if there is more to complain of.
func (r *temporalReading) dropDate(env *Env) {
	silent := env.Flavor != MariaDB && (r.typed || r.trouble&troubleCut != 0)
	if (r.shape == shapeDate || !r.clock.isZeroDate()) && !silent {
		r.trouble |= troubleNote
	}
	r.clock.Year, r.clock.Month, r.clock.Day = 0, 0, 0
}

// settleDate drops the time. MySQL rounds it to a second first, which may reach
// the next day.
func (r *temporalReading) settleDate(env *Env) int64 {
	c := &r.clock
	if !r.applyZone(env) {
		return 0
	}
	if env.Flavor != MariaDB && env.roundsFraction() && !(r.roundDateTime(6, env) && r.roundDateTime(0, env)) {
		return 0
	}
	if c.Hour|c.Minute|c.Second != 0 && (r.trouble&troubleCut == 0 || env.Flavor == MariaDB) {
		r.trouble |= troubleNote
	}
	c.Hour, c.Minute, c.Second, c.Micro = 0, 0, 0, 0
	return c.PackDateTime()
}

func (r *temporalReading) settleDateTime(t *Type, env *Env) int64 {
	if !r.fitFraction(t, env) || !r.applyZone(env) {
		return 0
	}
	return r.clock.PackDateTime()
}

// fitFraction rounds or cuts the fraction to the column's digits.
func (r *temporalReading) fitFraction(t *Type, env *Env) bool {
	if env.roundsFraction() {
		return r.roundDateTime(6, env) && r.roundDateTime(t.Decimals, env)
	}
	r.clock.cutFraction(t.Decimals)
	return true
}

// roundDateTime rounds the fraction; where a second is added to a time with an
// offset of its own, MySQL forgets the offset. Where that leads out of the range MariaDB
// cuts; MySQL has no value then, nor for a date with zeros, and it is false.
func (r *temporalReading) roundDateTime(digits int, env *Env) bool {
	c := &r.clock
	if env.Flavor == MariaDB {
		return r.roundMariaDB(digits)
	}
	before := *c
	c.roundFraction(digits, r.nanos)
	r.nanos = 0
	if c.Second == before.Second {
		return true
	}
	r.hasZone = false
	switch {
	case c.Month == 0 || c.Day == 0:
		r.trouble |= troubleZeroIn
	case !c.dayExists():
		r.trouble |= troubleRange
	case c.nextDay():
		return true
	default:
		r.trouble |= troubleOverflow
	}
	r.shape = shapeNone
	return false
}

// roundMariaDB rounds to microseconds first.
func (r *temporalReading) roundMariaDB(digits int) bool {
	c := &r.clock
	before := *c
	c.roundFraction(6, r.nanos)
	c.roundFraction(digits, 0)
	r.nanos = 0
	switch {
	case c.nextDay():
		return true
	case c.Month == 0 || c.Day == 0:
		r.trouble = troubleRound | troubleCut
		r.shape = shapeNone
		return false
	default:
		*c = before
		c.cutFraction(digits)
		r.trouble = troubleRange
		return true
	}
}

// report turns troubles into conditions.
func (r *temporalReading) report(t *Type, env *Env, o *Outcome) {
	switch {
	case r.trouble == 0:
		return
	case r.trouble&troubleUnsure != 0:
		o.add(Error, Unanswerable, "")
		return
	}
	if env.Flavor == MariaDB {
		r.reportMariaDB(t, env, o)
		return
	}
	word := temporalWord(t.Kind)
	switch {
	case r.trouble&troubleDelimiter != 0:
		o.add(Warning, BadDelimiter, "")
	case r.trouble&troubleDelimiters != 0:
		o.add(Warning, ExtraDelimiter, "")
	}
	if r.trouble&troubleCut != 0 {
		o.warnTemporal(env, Truncated, word)
	}
	if r.trouble&troubleNote != 0 {
		o.noteTemporal(env, word)
	}
	if o.Failed() {
		return
	}
	if r.trouble&troubleOverflow != 0 {
		o.warn(env, Overflow, "")
	}
	if r.trouble&(troubleRange|troubleBeyond|troubleOverflow|troubleZero|troubleZeroIn) != 0 {
		o.warnTemporal(env, OutOfRange, word)
	}
	if r.trouble&troubleZone != 0 {
		o.warnTemporal(env, Truncated, word)
	}
	if r.trouble&troubleGap != 0 {
		o.warnTemporal(env, BadInstant, word)
	}
}

// reportMariaDB has two codes for values that are none, and may raise both for
// one that is.
func (r *temporalReading) reportMariaDB(t *Type, env *Env, o *Outcome) {
	word := temporalWord(t.Kind)
	if r.shape == shapeNone {
		if r.trouble&troubleRound != 0 {
			o.warn(env, WrongForType, "date")
		}
		code := Truncated
		if r.trouble&troubleBeyond != 0 || r.trouble&troubleZero != 0 && t.Kind != Timestamp {
			code = OutOfRange
		}
		o.warnTemporal(env, code, word)
		return
	}
	if r.trouble == troubleNote {
		o.noteCut()
		return
	}
	if r.trouble&troubleCut != 0 {
		o.warnTemporal(env, Truncated, word)
	}
	if r.trouble&troubleRange != 0 {
		o.warnTemporal(env, OutOfRange, word)
	}
	if r.trouble&troubleGap != 0 {
		o.warnTemporal(env, BadInstant, word)
	}
}

// warnTemporal raises a warning of a code, or the one error that strict mode has
// for dates and times.
func (o *Outcome) warnTemporal(env *Env, code Code, word string) {
	if env.Strict() {
		o.warn(env, WrongValue, word)
		return
	}
	o.warn(env, code, "")
}

// noteTemporal raises MySQL's note of a part that was dropped, which has the code
// of an error in strict mode.
func (o *Outcome) noteTemporal(env *Env, word string) {
	if env.Strict() {
		o.add(Note, WrongValue, word)
		return
	}
	o.noteCut()
}

// temporalInteger is a temporal literal as an integer, its fraction rounded
// half up in MySQL and cut in MariaDB.
func temporalInteger(s *Source, env *Env, o *Outcome) (negative bool, n uint64) {
	c := s.clock()
	if env.Flavor != MariaDB {
		c.roundFraction(0, 0)
		if s.Form != FormTime && !c.nextDay() {
			o.warn(env, Overflow, "")
		}
	}
	n = uint64(c.Hour)*10000 + uint64(c.Minute)*100 + uint64(c.Second)
	date := uint64(c.Year)*10000 + uint64(c.Month)*100 + uint64(c.Day)
	switch s.Form {
	case FormDate:
		return false, date
	case FormDateTime:
		return false, date*1000000 + n
	default:
		return c.Negative && n != 0, n
	}
}

// clock returns the fields of a temporal source.
func (s *Source) clock() Clock {
	if s.Form == FormTime {
		return UnpackTime(int64(s.Number))
	}
	return UnpackDateTime(int64(s.Number))
}

// appendTemporalDigits appends the digits of a date or time without separators,
// with the fraction as a decimal.
func appendTemporalDigits(dst []byte, s *Source) []byte {
	c := s.clock()
	dst = appendClockDigits(dst, &c, s.Form)
	if s.Form == FormDate {
		return dst
	}
	return appendFraction(dst, c.Micro, int(s.Fraction))
}

func appendClockDigits(dst []byte, c *Clock, form Form) []byte {
	if c.Negative {
		dst = append(dst, '-')
	}
	if form != FormTime {
		dst = appendPadded(dst, c.Year, 4)
		dst = appendPadded(dst, c.Month, 2)
		dst = appendPadded(dst, c.Day, 2)
		if form == FormDate {
			return dst
		}
	}
	dst = appendPadded(dst, c.Hour, 2)
	dst = appendPadded(dst, c.Minute, 2)
	return appendPadded(dst, c.Second, 2)
}
