package date_test

import (
	"testing"

	"tunic/internal/eval/evaltest"
)

func TestDays(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("DATE(`datetime`)", "2024-02-28", "NULL")
		x.Want("LAST_DAY(`date`)", "2024-02-29", "NULL")
		x.Want("DATEDIFF(`date`, '2024-01-01')", "59", "NULL")
		x.Want("MAKEDATE(2024, 60)", "2024-02-29", "2024-02-29")
		x.Want("TO_DAYS(`date`)", "739310", "NULL")
		x.Want("FROM_DAYS(739310)", "2024-02-29", "2024-02-29")
		x.Want("PERIOD_ADD(202401, 14)", "202503", "202503")
		x.Want("PERIOD_DIFF(202503, 202401)", "14", "14")
		x.Want("WEEK(`date`, 3)", "9", "NULL")
		x.Want("YEARWEEK(`date`)", "202408", "NULL")
	}, evaltest.Row{"date": "2024-02-29", "datetime": "2024-02-28 23:59:59.5"}, evaltest.Row{})
}

func TestFields(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("YEAR(`datetime`)", "2024", "NULL")
		x.Want("QUARTER(`datetime`)", "1", "NULL")
		x.Want("DAYOFWEEK(`datetime`)", "4", "NULL")
		x.Want("WEEKDAY(`datetime`)", "2", "NULL")
		x.Want("DAYOFYEAR(`datetime`)", "59", "NULL")
		x.Want("DAYOFMONTH(`datetime`)", "28", "NULL")
		x.Want("MICROSECOND(`datetime`)", "500000", "NULL")
		x.Want("EXTRACT(YEAR_MONTH FROM `datetime`)", "202402", "NULL")
		x.Want("EXTRACT(MINUTE_SECOND FROM `time`)", "-2030", "NULL")
		x.Want("DAYNAME(`datetime`)", "Wednesday", "NULL")
		x.Session.EnglishNames = false
		x.Refuses("DAYNAME(`datetime`)", "MONTHNAME(`datetime`)")
	}, evaltest.Row{"datetime": "2024-02-28 23:59:59.5", "time": "-10:20:30"}, evaltest.Row{})
}

func TestInterval(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("`date` + INTERVAL 1 MONTH", "2024-02-29", "NULL")
		x.Want("`date` - INTERVAL `int` DAY", "2024-01-28", "NULL")
		x.Want("DATE_ADD(`date`, INTERVAL 1 HOUR)", "2024-01-31 01:00:00", "NULL")
		x.Want("`datetime` + INTERVAL '1:30' MINUTE_SECOND", "2024-02-29 00:01:29.500000", "NULL")
		x.Want("`date` + INTERVAL 9000 YEAR", "refused", "NULL")
		x.Want("TIMESTAMPDIFF(MONTH, `date`, '2024-03-30')", "1", "NULL")
	}, evaltest.Row{"date": "2024-01-31", "datetime": "2024-02-28 23:59:59.5", "int": "3"}, evaltest.Row{})
}

func TestDurations(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("TIME(`datetime`)", "23:59:59.500000", "NULL")
		x.Want("ADDTIME(`time`, '00:00:31')", "10:21:01", "NULL")
		x.Want("SUBTIME(`time`, '11:00:00')", "-00:39:30", "NULL")
		x.Want("TIMEDIFF(`time`, `time`)", "00:00:00", "NULL")
		x.Want("SEC_TO_TIME(3661)", "01:01:01", "01:01:01")
		x.Want("TIME_TO_SEC(`time`)", "37230", "NULL")
		x.Want("MAKETIME(12, 15, 30)", "12:15:30", "12:15:30")
		x.Want("TIMESTAMP(`datetime`, '00:00:01')", "2024-02-29 00:00:00.500000", "NULL")
	}, evaltest.Row{"datetime": "2024-02-28 23:59:59.5", "time": "10:20:30"}, evaltest.Row{})
}

func TestFormats(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("DATE_FORMAT(`datetime`, '%W %d.%m.%Y %H:%i')", "Wednesday 28.02.2024 23:59", "NULL")
		x.Want("TIME_FORMAT(`time`, '%H.%i')", "10.20", "NULL")
		x.Want("STR_TO_DATE('28.2.2024', '%d.%m.%Y')", "2024-02-28", "2024-02-28")
		x.Refuses("STR_TO_DATE('28.2.2024', `text`)")
	}, evaltest.Row{"datetime": "2024-02-28 23:59:59.5", "time": "10:20:30"}, evaltest.Row{})
}

// TestNow: the clock stands still, in the session's zone.
func TestNow(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("NOW()", "2026-03-14 15:09:26")
		x.Want("NOW(3)", "2026-03-14 15:09:26.535")
		x.Want("CURDATE()", "2026-03-14")
		x.Want("CURRENT_TIME(1)", "15:09:26.5")
		x.Want("UTC_TIMESTAMP()", "2026-03-14 15:09:26")
		x.Want("UNIX_TIMESTAMP()", "1773500966")
		x.Want("UNIX_TIMESTAMP('2026-03-14 15:09:26')", "1773500966")
		x.Want("FROM_UNIXTIME(1773500966)", "2026-03-14 15:09:26")
		x.Want("CONVERT_TZ('2026-03-14 15:09:26', '+00:00', '+05:30')", "2026-03-14 20:39:26")
		x.Refuses("SYSDATE()", "NOW(7)")
	}, evaltest.Row{})
}

// TestZeros: a date with zeros has no day of the week that all servers agree on.
func TestZeros(t *testing.T) {
	evaltest.Each(t, func(x *evaltest.Table) {
		x.Want("YEAR(`date`)", "2024")
		x.Want("`date` + INTERVAL 1 DAY", "refused")
		x.Want("DATEDIFF(`date`, '2024-01-01')", "refused")
	}, evaltest.Row{"date": "2024-00-00"})
}
