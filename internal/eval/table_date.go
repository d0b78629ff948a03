package eval

import (
	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"
)

// dateFunctions are the functions of dates and times that are called by a name.
func dateFunctions() map[string]function {
	all := map[string]function{
		"curdate":      takes(0, 0, compileToday),
		"current_date": takes(0, 0, compileToday),
		"utc_date":     takes(0, 0, compileToday),

		"date":      takes(1, 1, compileDay(dateOf)),
		"last_day":  takes(1, 1, compileDay(calendar.LastDay)),
		"datediff":  takes(2, 2, compileDateDiff),
		"week":      takes(1, 2, compileWeek),
		"yearweek":  takes(1, 2, compileWeek),
		"dayname":   takes(1, 1, compileName(calendar.DayName)),
		"monthname": takes(1, 1, compileName(calendar.MonthName)),

		"from_days":   takes(1, 1, ofIntegers(class.DateShape, fromDays)),
		"makedate":    takes(2, 2, ofIntegers(class.DateShape, makeDateOf)),
		"period_add":  takes(2, 2, ofIntegers(class.IntegerShape(6), ofPeriods(calendar.PeriodAdd))),
		"period_diff": takes(2, 2, ofIntegers(class.IntegerShape(6), ofPeriods(calendar.PeriodDiff))),

		"date_format": takes(2, 2, compileFormat),
		"time_format": takes(2, 2, compileFormat),
		"str_to_date": takes(2, 2, compileStrToDate),

		"time":        takes(1, 1, compileTime),
		"timestamp":   takes(1, 2, compileTimestamp),
		"maketime":    takes(3, 3, compileMakeTime),
		"sec_to_time": takes(1, 1, compileSecToTime),
		"timediff":    takes(2, 2, compileTimeDiff),
		"addtime":     takes(2, 2, compileAddTime(1)),
		"subtime":     takes(2, 2, compileAddTime(-1)),

		"unix_timestamp": takes(0, 1, compileUnixTimestamp),
		"from_unixtime":  takes(1, 2, compileFromUnixTime),
		"convert_tz":     takes(3, 3, compileConvertTZ),
	}
	for name, field := range calendar.Fields {
		all[name] = takes(1, 1, compileField(field))
	}
	return all
}
