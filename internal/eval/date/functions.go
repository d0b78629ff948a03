package date

import (
	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
)

// Functions are the functions of dates and times that are called by a name.
func Functions() map[string]compilation.Function {
	all := map[string]compilation.Function{
		"curdate":      compilation.Takes(0, 0, compileToday),
		"current_date": compilation.Takes(0, 0, compileToday),
		"utc_date":     compilation.Takes(0, 0, compileToday),

		"date":      compilation.Takes(1, 1, compileDay(dateOf)),
		"last_day":  compilation.Takes(1, 1, compileDay(calendar.LastDay)),
		"datediff":  compilation.Takes(2, 2, compileDateDiff),
		"week":      compilation.Takes(1, 2, compileWeek),
		"yearweek":  compilation.Takes(1, 2, compileWeek),
		"dayname":   compilation.Takes(1, 1, compileName(calendar.DayName)),
		"monthname": compilation.Takes(1, 1, compileName(calendar.MonthName)),

		"from_days":   compilation.Takes(1, 1, ofIntegers(class.DateShape, fromDays)),
		"makedate":    compilation.Takes(2, 2, ofIntegers(class.DateShape, makeDateOf)),
		"period_add":  compilation.Takes(2, 2, ofIntegers(class.IntegerShape(6), ofPeriods(calendar.PeriodAdd))),
		"period_diff": compilation.Takes(2, 2, ofIntegers(class.IntegerShape(6), ofPeriods(calendar.PeriodDiff))),

		"date_format": compilation.Takes(2, 2, compileFormat),
		"time_format": compilation.Takes(2, 2, compileFormat),
		"str_to_date": compilation.Takes(2, 2, compileStrToDate),

		"time":        compilation.Takes(1, 1, compileTime),
		"timestamp":   compilation.Takes(1, 2, compileTimestamp),
		"maketime":    compilation.Takes(3, 3, compileMakeTime),
		"sec_to_time": compilation.Takes(1, 1, compileSecToTime),
		"timediff":    compilation.Takes(2, 2, compileTimeDiff),
		"addtime":     compilation.Takes(2, 2, compileAddTime(1)),
		"subtime":     compilation.Takes(2, 2, compileAddTime(-1)),

		"unix_timestamp": compilation.Takes(0, 1, compileUnixTimestamp),
		"from_unixtime":  compilation.Takes(1, 2, compileFromUnixTime),
		"convert_tz":     compilation.Takes(3, 3, compileConvertTZ),
	}
	for name, field := range calendar.Fields {
		all[name] = compilation.Takes(1, 1, compileField(field))
	}
	return all
}
