package value

import (
	"encoding/binary"
	"time"
)

// compareTemporal serves strings that are good dates or times to the last byte,
// and temporal literals of the column's own sort.
func compareTemporal(dst []byte, t *Type, s *Source, env *Env) ([]byte, Exactness) {
	if (t.Kind == Time) != (s.Form == FormTime) && s.Form != FormString {
		return dst, NotServable
	}
	var c Clock
	switch s.Form {
	case FormString:
		var ok bool
		if c, ok = comparableClock(t, s.Bytes, env); !ok {
			return dst, NotServable
		}
	case FormDate, FormTime, FormDateTime:
		c = s.clock()
	default:
		return dst, NotServable
	}
	switch t.Kind {
	case Time:
		return timeComparand(dst, t, &c)
	case Timestamp:
		return timestampComparand(dst, t, &c, env)
	default:
		return dateComparand(dst, t, &c)
	}
}

// comparableClock reads text in the one form that means the same everywhere.
func comparableClock(t *Type, text []byte, env *Env) (c Clock, ok bool) {
	if t.Kind != Time {
		r, ok := readPlainDateTime(text, dateRules{})
		return r.clock, ok
	}
	if len(text) < 8 || text[2] != ':' || text[5] != ':' || len(text) > 15 {
		return c, false
	}
	r := readTime(text, env)
	return r.clock, r.trouble == 0 && r.shape == shapeTime && !r.clock.Negative && r.nanos == 0
}

// dateComparand places a date and time among those of a DATE or DATETIME.
func dateComparand(dst []byte, t *Type, c *Clock) ([]byte, Exactness) {
	packed := c.PackDateTime()
	if t.Kind == Date {
		c.Hour, c.Minute, c.Second, c.Micro = 0, 0, 0, 0
	} else {
		c.cutFraction(t.Decimals)
	}
	floor := c.PackDateTime()
	dst = binary.BigEndian.AppendUint64(dst, uint64(floor))
	if floor == packed {
		return dst, Exact
	}
	return dst, Between
}

// timeComparand places a time that is not negative.
func timeComparand(dst []byte, t *Type, c *Clock) ([]byte, Exactness) {
	if c.Negative {
		return dst, NotServable
	}
	packed := c.PackTime()
	c.cutFraction(t.Decimals)
	floor := c.PackTime()
	dst = binary.BigEndian.AppendUint64(dst, uint64(floor))
	if floor == packed {
		return dst, Exact
	}
	return dst[:len(dst)-8], NotServable // MySQL rounds it to the column's digits
}

// timestampComparand places a local time. Stored values are compared as local
// times too, which are in the order of the moments but where clocks are changed:
// near such a change nothing is served.
func timestampComparand(dst []byte, t *Type, c *Clock, env *Env) ([]byte, Exactness) {
	seconds, gap := c.Unix(env.location())
	if gap || !steadyAround(seconds, env.location()) {
		return dst, NotServable
	}
	switch {
	case seconds < timestampMin:
		return dst, NotServable // the zero date is less
	case seconds > timestampLimit(env):
		return dst, Above
	}
	micro := c.Micro
	c.cutFraction(t.Decimals)
	dst = binary.BigEndian.AppendUint64(dst, uint64(packSeconds(seconds, c.Micro)))
	if micro == c.Micro {
		return dst, Exact
	}
	return dst, Between
}

// steadyAround reports whether the zone's clocks are not changed within two days
// of a moment.
func steadyAround(seconds int64, zone *time.Location) bool {
	const span = 2 * 24 * 3600
	start, end := time.Unix(seconds, 0).In(zone).ZoneBounds()
	return (start.IsZero() || start.Unix() < seconds-span) && (end.IsZero() || end.Unix() > seconds+span)
}
