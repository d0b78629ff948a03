package calendar

import "tunic/internal/value"

// MakeDate is the packed date of a year, of which the century may be missing, and a number of days. It is NULL before
// the first of them; false beyond the calendar.
func MakeDate(year, day int64) (packed uint64, null, ok bool) {
	if year < 0 || year > 9999 || day > daysLast {
		return 0, false, false
	}
	if day <= 0 {
		return 0, true, true
	}
	packed, ok = PackedDay(int64(yearStart(fullYear(int(year)))) + day - 1)
	return packed, false, ok
}

// LastDay is the last day of the month of a packed date; false if that is no day of the calendar.
func LastDay(packed uint64) (uint64, bool) {
	k := UnpackDateTime(DayOf(packed))
	if !k.IsDate() {
		return 0, false
	}
	k.Day = daysOfMonth(k.Year, k.Month)
	return k.Packed(), true
}

// DayOf is the date of a packed date and time.
func DayOf(packed uint64) uint64 { return packed >> value.DayShift << value.DayShift }

// fullYear is a year of which the century may be missing.
func fullYear(year int) int {
	switch {
	case year < 70:
		return year + 2000
	case year < 100:
		return year + 1900
	}
	return year
}

// monthsOfPeriod is a month of PERIOD_ADD, YYYYMM or YYMM, counted from year 0.
func monthsOfPeriod(period int64) (months int64, ok bool) {
	year, month := period/100, period%100
	if period <= 0 || year > 9999 || month < 1 || month > 12 {
		return 0, false
	}
	return int64(fullYear(int(year)))*12 + month - 1, true
}

// PeriodAdd is a period so many months later; false where the servers differ.
func PeriodAdd(period, more int64) (later int64, ok bool) {
	months, ok := monthsOfPeriod(period)
	if !ok || more < -120000 || more > 120000 || months+more < 12*1000 || months+more >= 12*10000 {
		return 0, false
	}
	months += more
	return months/12*100 + months%12 + 1, true
}

// PeriodDiff is how many months a period is after another one.
func PeriodDiff(a, b int64) (months int64, ok bool) {
	from, okA := monthsOfPeriod(a)
	to, okB := monthsOfPeriod(b)
	return from - to, okA && okB
}
