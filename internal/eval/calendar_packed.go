package eval

// packedDay is the date of a day by its number; false if the calendar does not have
// it.
func packedDay(days int64) (packed uint64, ok bool) {
	if days < daysFirst || days > daysLast {
		return 0, false
	}
	k := clockOfDay(int(days))
	return k.packDateTime(), true
}

// packedTime is a TIME of so many microseconds; false beyond the longest.
func packedTime(micros int64) (packed uint64, ok bool) {
	k, ok := clockOfMicros(micros)
	return k.packTime(), ok
}

// packedMoment is a date and time by its microseconds; false beyond the years 1 to
// 9999.
func packedMoment(micros int64) (packed uint64, ok bool) {
	k, ok := clockOfMoment(micros)
	return k.packDateTime(), ok
}

// packedHour is the time of an hour, which may be negative. It is NULL if there is no
// such minute or second; false if it is longer than a TIME.
func packedHour(hours, minutes, micros int64) (packed uint64, null, ok bool) {
	if hours > 838 || hours < -838 {
		return 0, false, false
	}
	if minutes < 0 || minutes > 59 || micros < 0 || micros >= microsOfMinute {
		return 0, true, true
	}
	micros += minutes * microsOfMinute
	if hours < 0 {
		micros = -micros
	}
	packed, ok = packedTime(hours*60*microsOfMinute + micros)
	return packed, false, ok
}

const microsOfMinute = 60 * microsOfSec
