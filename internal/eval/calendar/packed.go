package calendar

// PackedDay is the date of a day by its number; false if the calendar does not have
// it.
func PackedDay(days int64) (packed uint64, ok bool) {
	if days < daysFirst || days > daysLast {
		return 0, false
	}
	k := clockOfDay(int(days))
	return k.Packed(), true
}

// PackedTime is a TIME of so many microseconds; false beyond the longest.
func PackedTime(micros int64) (packed uint64, ok bool) {
	k, ok := clockOfMicros(micros)
	return k.PackedTime(), ok
}

// PackedMoment is a date and time by its microseconds; false beyond the years 1 to
// 9999.
func PackedMoment(micros int64) (packed uint64, ok bool) {
	k, ok := clockOfMoment(micros)
	return k.Packed(), ok
}

// PackedHour is the time of an hour, which may be negative. It is NULL if there is no
// such minute or second; false if it is longer than a TIME.
func PackedHour(hours, minutes, micros int64) (packed uint64, null, ok bool) {
	if hours > 838 || hours < -838 {
		return 0, false, false
	}
	if minutes < 0 || minutes > 59 || micros < 0 || micros >= MicrosOfMinute {
		return 0, true, true
	}
	micros += minutes * MicrosOfMinute
	if hours < 0 {
		micros = -micros
	}
	packed, ok = PackedTime(hours*60*MicrosOfMinute + micros)
	return packed, false, ok
}

// MicrosOfMinute are the microseconds of a minute.
const MicrosOfMinute = 60 * MicrosOfSecond
