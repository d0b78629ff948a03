package value

import (
	"encoding/binary"
	"time"
)

// Limits of TIMESTAMP in seconds since 1970: MySQL and MariaDB up to 11.4 keep
// them in 31 bits, later MariaDB in 32.
const (
	timestampMin = 1
	timestampMax = 1<<31 - 1
)

// timestampLimit returns the last second of TIMESTAMP.
func timestampLimit(env *Env) int64 {
	if env.Flavor == MariaDB && env.Version >= 110500 {
		return 1<<32 - 1
	}
	return timestampMax
}

// settleTimestamp turns a local time into UTC.
func (r *temporalReading) settleTimestamp(t *Type, env *Env) int64 {
	c := &r.clock
	if env.Flavor == MariaDB && r.isPartOfDate() {
		return 0
	}
	if !r.fitFraction(t, env) || !r.applyZone(env) {
		return 0
	}
	if c.isZero() || r.isPartOfDate() {
		return 0
	}
	seconds, gap := c.Unix(env.location())
	if r.hasZone && !r.param { // the moment itself, also where the session's clock shows it for the second time
		seconds, gap = r.moment, false
	}
	if gap {
		r.trouble |= troubleGap
	}
	if seconds == 0 && c.Micro != 0 && env.Flavor == MariaDB {
		return packSeconds(0, c.Micro)
	}
	if seconds < timestampMin || seconds > timestampLimit(env) {
		return r.beyondTimestamp(env)
	}
	return packSeconds(seconds, c.Micro)
}

// isPartOfDate recognises a time without a date, which is no moment.
func (r *temporalReading) isPartOfDate() bool {
	c := &r.clock
	if c.isZero() || c.Month != 0 && c.Day != 0 {
		return false
	}
	r.trouble |= troubleCut
	r.shape = shapeNone
	return true
}

// beyondTimestamp is what is stored of a moment out of range: the zero date, to
// which MariaDB adds the fraction.
func (r *temporalReading) beyondTimestamp(env *Env) int64 {
	r.trouble |= troubleBeyond
	r.shape = shapeNone
	if env.Flavor == MariaDB && r.clock.Micro != 0 {
		return packSeconds(0, r.clock.Micro)
	}
	return 0
}

// applyZone moves a time with an offset of its own into the session's zone.
func (r *temporalReading) applyZone(env *Env) bool {
	if !r.hasZone {
		return true
	}
	c := &r.clock
	if c.Month == 0 || c.Day == 0 {
		r.trouble |= troubleRange
		r.shape = shapeNone
		return false
	}
	r.moment = secondsFromClock(c) - int64(r.zoneSecs)
	t := time.Unix(r.moment, 0).In(env.location())
	micro := c.Micro
	*c = clockOf(t)
	c.Micro = micro
	return true
}

func clockOf(t time.Time) Clock {
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	return Clock{Year: year, Month: int(month), Day: day, Hour: hour, Minute: minute, Second: second}
}

// Unix is the second since 1970 at which the clocks of a zone show c. Of a time that comes twice the
// servers take the first; for one that the clocks skip they take the moment of
// the change, and gap is true.
func (c *Clock) Unix(zone *time.Location) (seconds int64, gap bool) {
	naive := secondsFromClock(c)
	if zone == time.UTC {
		return naive, false
	}
	before := offsetAt(naive-dayMost, zone)
	after := offsetAt(naive+dayMost, zone)
	first := naive - before
	if offsetAt(first, zone) == before {
		return first, false
	}
	if second := naive - after; offsetAt(second, zone) == after {
		return second, false
	}
	if before == after { // two changes within a day on either side
		t := time.Date(c.Year, time.Month(c.Month), c.Day, c.Hour, c.Minute, c.Second, 0, zone)
		return t.Unix(), false
	}
	start, _ := time.Unix(naive-before, 0).In(zone).ZoneBounds()
	return start.Unix(), true
}

// Repeats reports whether the clocks of a zone show the time of a TIMESTAMP in canonical form a
// second time, for another moment, as they do where they are set back.
func Repeats(canonical []byte, zone *time.Location) bool {
	packed := int64(binary.BigEndian.Uint64(canonical))
	if packed == 0 {
		return false
	}
	c := UnpackDateTime(packed)
	return repeats(secondsFromClock(&c), zone)
}

// RepeatsLocal is Repeats for a time of the zone's, packed as a DATETIME.
func RepeatsLocal(packed int64, zone *time.Location) bool {
	if packed == 0 {
		return false
	}
	c := UnpackDateTime(packed)
	seconds, gap := c.Unix(zone)
	return !gap && repeats(seconds, zone)
}

// AppendShown appends the moment that a server stores of what the clocks of the session's zone show at
// a TIMESTAMP in canonical form: the same one, or the first of two.
func AppendShown(dst, canonical []byte, env *Env) []byte {
	c := localClock(int64(binary.BigEndian.Uint64(canonical)), env)
	seconds, _ := c.Unix(env.location())
	return binary.BigEndian.AppendUint64(dst, uint64(packSeconds(seconds, c.Micro)))
}

// SetsBack reports whether the clocks of a zone are ever set, back or forward. nil is UTC.
func SetsBack(zone *time.Location) bool {
	if zone == nil || zone == time.UTC {
		return false
	}
	start, end := time.Unix(0, 0).In(zone).ZoneBounds()
	return !start.IsZero() || !end.IsZero()
}

// repeats is Repeats for a moment in seconds since 1970.
func repeats(seconds int64, zone *time.Location) bool {
	offset := offsetAt(seconds, zone)
	for _, other := range [...]int64{offsetAt(seconds-dayMost, zone), offsetAt(seconds+dayMost, zone)} {
		if other != offset && offsetAt(seconds+offset-other, zone) == other {
			return true
		}
	}
	return false
}

// dayMost is more than any zone's distance from UTC, in seconds.
const dayMost = 16 * 3600

func offsetAt(seconds int64, zone *time.Location) int64 {
	_, offset := time.Unix(seconds, 0).In(zone).Zone()
	return int64(offset)
}

// packSeconds packs a moment as UTC.
func packSeconds(seconds int64, micro int) int64 {
	c := clockFromSeconds(seconds)
	c.Micro = micro
	return c.PackDateTime()
}

const secondsPerDay = 24 * 3600

// clockFromSeconds is the calendar of UTC for seconds since 1970, which may be
// negative.
func clockFromSeconds(seconds int64) Clock {
	days, rest := seconds/secondsPerDay, int(seconds%secondsPerDay)
	if rest < 0 {
		days, rest = days-1, rest+secondsPerDay
	}
	c := clockFromDays(days)
	c.Hour, c.Minute, c.Second = rest/3600, rest/60%60, rest%60
	return c
}

// clockFromDays is the date of a day counted from 1970-01-01, by the arithmetic
// of eras of 400 years that begin on 1 March.
func clockFromDays(days int64) (c Clock) {
	const daysPerEra, epochShift = 146097, 719468
	days += epochShift
	era := days / daysPerEra
	if days < 0 {
		era = (days - daysPerEra + 1) / daysPerEra
	}
	dayOfEra := int(days - era*daysPerEra)
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	month := (5*dayOfYear + 2) / 153
	c.Day = dayOfYear - (153*month+2)/5 + 1
	c.Month = month + 3
	c.Year = yearOfEra + int(era)*400
	if c.Month > 12 {
		c.Month -= 12
		c.Year++
	}
	return c
}

// daysFromClock counts the days from 1970-01-01 to a date without zeros.
func daysFromClock(c *Clock) int64 {
	year, month := c.Year, c.Month-3
	if month < 0 {
		month += 12
		year--
	}
	era := year / 400
	if year < 0 {
		era = -1
	}
	yearOfEra := year - era*400
	dayOfYear := (153*month+2)/5 + c.Day - 1
	dayOfEra := yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear
	return int64(era)*146097 + int64(dayOfEra) - 719468
}

// secondsFromClock counts seconds since 1970 as UTC.
func secondsFromClock(c *Clock) int64 {
	return daysFromClock(c)*secondsPerDay + int64(c.Hour*3600+c.Minute*60+c.Second)
}

// addDays moves a date; the time stays.
func addDays(c Clock, days int) Clock {
	moved := clockFromDays(daysFromClock(&c) + int64(days))
	c.Year, c.Month, c.Day = moved.Year, moved.Month, moved.Day
	return c
}

// localClock shows a moment in the session's zone.
func localClock(packed int64, env *Env) Clock {
	c := UnpackDateTime(packed)
	if env.Location == nil || env.Location == time.UTC {
		return c
	}
	seconds := secondsFromClock(&c)
	local := clockFromSeconds(seconds + offsetAt(seconds, env.Location))
	local.Micro = c.Micro
	return local
}
