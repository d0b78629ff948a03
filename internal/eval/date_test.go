package eval

import (
	"slices"
	"testing"
	"time"

	"tunic/internal/value"
)

// agree compares expressions with the server, which none of them may be refused to.
func (o *oracle) agree(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		var v verdict
		k := o.prepare(t, nil, text, &v)
		if k == nil {
			t.Errorf("%s: %s", text, v.refused)
			continue
		}
		if o.compareOne(t, k, &v); v.String() != exactly {
			t.Errorf("%s: %s", text, &v)
		}
	}
}

// refused are expressions that are refused when they are compiled.
func (o *oracle) refused(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		var v verdict
		if k := o.prepare(t, nil, text, &v); k != nil {
			t.Errorf("%s is not refused", text)
		}
	}
}

func TestNow(t *testing.T) {
	forEach(t, func(t *testing.T, o *oracle) {
		o.agree(
			t, "NOW()", "NOW(6)", "CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP(3)", "LOCALTIME()", "LOCALTIMESTAMP(1)",
			"CURDATE()", "CURRENT_DATE", "CURTIME()", "CURRENT_TIME(2)", "UTC_DATE()", "UTC_TIME()", "UTC_TIMESTAMP(4)",
			"UNIX_TIMESTAMP()", "UNIX_TIMESTAMP(NOW())", "CURDATE() - INTERVAL 30 DAY", "NOW() - INTERVAL '1:30' HOUR_MINUTE",
			"DATEDIFF(CURDATE(), dt6)", "TIMESTAMPDIFF(YEAR, dt6, NOW())", "DATE_FORMAT(NOW(), '%Y-%m-01')", "LAST_DAY(NOW())",
			"dt6 > NOW() - INTERVAL 1 YEAR", "YEAR(CURDATE()) - YEAR(dt6)", "TO_DAYS(NOW()) - TO_DAYS(dt6)",
		)
		o.refused(t, "SYSDATE()", "NOW(7)")
	})
}

func TestDatesOfSession(t *testing.T) {
	forEach(t, func(t *testing.T, o *oracle) {
		o.exec(t, "SET default_week_format = 3, time_zone = '+05:30'")
		o.session.WeekMode = 3
		o.env.Location = time.FixedZone("+05:30", 5*3600+1800)
		o.agree(
			t, "WEEK(dt6)", "EXTRACT(WEEK FROM dt6)", "YEARWEEK(dt6)", "NOW()", "UTC_TIMESTAMP()", "CURDATE()", "CURTIME()",
			"UNIX_TIMESTAMP(dt6)", "UNIX_TIMESTAMP(ts)", "UNIX_TIMESTAMP(ts + INTERVAL 1 SECOND)", "FROM_UNIXTIME(0)",
			"FROM_UNIXTIME(1577836800.25)", "FROM_UNIXTIME(1577836800, '%d.%m.%Y %H:%i')", "DATE(ts)", "HOUR(ts)",
		)
		o.env.Location = nil
		for _, text := range []string{"NOW()", "CURDATE()", "FROM_UNIXTIME(0)", "UNIX_TIMESTAMP(NOW())", "ts", "DATE(ts)"} {
			x, err := Compile(parseExpr(t, text), o, o.session)
			if err != nil {
				t.Fatal(text, err)
			}
			run, err := x.Start(Inputs{Env: o.env, Now: moment, ZoneUnknown: true})
			if err == nil {
				_, err = run.Eval(o.rows[slices.IndexFunc(o.rows, func(r Row) bool { return r[slices.Index(o.names, "ts")] != nil })])
			}
			if text == "ts" && err == nil {
				continue // the column itself: whoever sends it knows
			}
			if !isRefusal(err) {
				t.Errorf("%s in an unknown time zone: %v", text, err)
			}
		}
	})
}

// TestWideFormats: MySQL reads a format byte by byte, also one whose characters have two bytes or four.
func TestWideFormats(t *testing.T) {
	forEach(t, func(t *testing.T, o *oracle) {
		for _, set := range []string{"ucs2", "utf16", "utf16le", "utf32"} {
			o.refused(t, "DATE_FORMAT(dt6, CONVERT('%d.%m' USING "+set+"))", "TIME_FORMAT(ti, CONVERT('%H' USING "+set+"))",
				"STR_TO_DATE('29.02.2024', CONVERT('%d.%m.%Y' USING "+set+"))", "DATE_FORMAT(dt6, _"+set+"'%d%m')", "STR_TO_DATE('29.02.2024', _"+set+"'%d.%m.%Y')")
		}
	})
}

func TestForeignNames(t *testing.T) {
	forEach(t, func(t *testing.T, o *oracle) {
		o.exec(t, "SET lc_time_names = 'de_DE'")
		o.session.EnglishNames = false
		o.refused(t, "DAYNAME(dt6)", "MONTHNAME(dt6)")
		var v verdict
		for i, row := range o.prepare(t, nil, "DATE_FORMAT(dt6, '%W')", &v).results {
			if !row.null && !isRefusal(row.err) {
				t.Errorf("row %d: a name is not refused", i)
			}
		}
		o.agree(t, "DATE_FORMAT(dt6, '%d.%m.%y %D %p')", "STR_TO_DATE('May 1 2020', '%M %e %Y')")
	})
}

// TestZeroDates compares what servers make of dates with zeros where sql_mode does
// not allow them.
func TestZeroDates(t *testing.T) {
	forEach(t, func(t *testing.T, o *oracle) {
		o.exec(t, "SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE'")
		o.session.Mode = value.NoZeroDate | value.NoZeroInDate
		o.env.Mode = o.session.Mode
		for _, text := range []string{
			"COALESCE(da, NULL)", "IFNULL(dt, NOW())", "CASE WHEN i > 0 THEN da ELSE dt END", "IF(i > 0, dt, NULL)", "NULLIF(da, dt)",
			"GREATEST(da, DATE'2000-01-01')", "LEAST(dt, dt)", "DATE(dt)", "DATE(da)", "CAST(da AS DATE)", "CAST(dt AS DATETIME)",
			"CAST(da AS DATETIME)", "CAST(dt AS TIME)", "TIMESTAMP(da)", "LAST_DAY(da)", "YEAR(da)", "DATE_FORMAT(da, '%Y-%m-%d')",
			"da + INTERVAL 1 DAY", "da = dt", "da < '2020-01-01'", "EXTRACT(DAY FROM da)", "DAYNAME(da)",
		} {
			var v verdict
			if k := o.prepare(t, nil, text, &v); k != nil {
				o.compareOne(t, k, &v)
			}
			if v.differs != "" || v.compared == 0 {
				t.Errorf("%s: %s", text, &v)
			}
		}
		for _, text := range []string{"COUNT(DISTINCT da)", "COUNT(DISTINCT dt)", "GROUP_CONCAT(da)", "MAX(da)", "MIN(dt)", "COUNT(da)"} {
			var v verdict
			if o.measureAggregate(t, text, &v); v.differs != "" {
				t.Errorf("%s: %s", text, &v)
			}
		}
	})
}
