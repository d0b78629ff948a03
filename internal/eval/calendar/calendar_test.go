package calendar

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func at(text string) Clock {
	moment, err := time.Parse("2006-01-02 15:04:05", text)
	if err != nil {
		panic(err)
	}
	return ClockOf(moment)
}

// TestDays: days are counted as those of package time are, and back.
func TestDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		moment := time.UnixMicro(rapid.Int64Range(-62135596800e6, 253402300799e6).Draw(t, "moment")).UTC()
		k := ClockOf(moment)
		if got, ok := clockOfMoment(k.Moment()); !ok || got != k {
			t.Errorf("%v is %+v, and back %+v, %v", moment, k, got, ok)
		}
		if got := UnpackDateTime(k.Packed()); got != k {
			t.Errorf("%v is packed as %+v", moment, got)
		}
		if k.dayOfYear() != moment.YearDay() || (k.weekday()+1)%7 != int(moment.Weekday()) {
			t.Errorf("%v is day %d of its year and %d of its week", moment, k.dayOfYear(), k.weekday())
		}
		year, week := moment.ISOWeek()
		if w, y := k.Week(weekISO); year > 0 && (w != week || y != year) {
			t.Errorf("%v is in week %d of %d", moment, w, y)
		}
		if seconds, ok := UnixOf(&k, time.UTC); !ok || seconds != moment.Unix() {
			t.Errorf("%v is %d, %v", moment, seconds, ok)
		}
	})
}

// TestWrittenAndRead: what a format has written it reads again.
func TestWrittenAndRead(t *testing.T) {
	for _, format := range []string{"%Y-%m-%d %H:%i:%s.%f", "%d %M %Y, %r and %f", "%c/%e/%Y %T+%f", "%b %d %Y at %l:%i:%S %p %f"} {
		l, ok := LayoutOf([]byte(format))
		if !ok {
			t.Fatal(format)
		}
		rapid.Check(t, func(t *rapid.T) {
			k := ClockOf(time.UnixMicro(rapid.Int64Range(0, 4e15).Draw(t, "moment")).UTC())
			text, ok := AppendFormatted(nil, &k, []byte(format), NeedsNames)
			if got, known := l.Read(text); !ok || !known || got != k {
				t.Errorf("%+v is %q in %q, and back %+v, %v", k, text, format, got, known)
			}
		})
	}
}

func TestFormats(t *testing.T) {
	k := at("2021-03-02 15:04:05")
	for _, c := range []struct {
		format, want string
		most         Need
		ok           bool
	}{
		{"%a %b %D %j %U %u %V %v %W %w %X %x %y", "Tue Mar 2nd 061 09 09 09 09 Tuesday 2 2021 2021 21", NeedsNames, true},
		{"%h %k %p %%%q %", "03 15 PM %q %", NeedsTime, true},
		{"%W", "", NeedsDate, false},
		{"%Y", "", NeedsTime, false},
	} {
		if got, ok := AppendFormatted(nil, &k, []byte(c.format), c.most); ok != c.ok || ok && string(got) != c.want {
			t.Errorf("%s: %q, %v", c.format, got, ok)
		}
	}
	zero := Clock{}
	if _, ok := AppendFormatted(nil, &zero, []byte("%j"), NeedsNames); ok {
		t.Error("a zero date has a day of the year")
	}
}

func TestLayouts(t *testing.T) {
	for _, format := range []string{"", "text", "%Y", "%Y-%m", "%Y-%m-%d %Y", "%H %h", "%H %p", "%q", "%"} {
		if _, ok := LayoutOf([]byte(format)); ok {
			t.Errorf("%q is a layout", format)
		}
	}
	l, _ := LayoutOf([]byte("%Y-%m-%d"))
	for _, text := range []string{"", "2021-02-29", "2021-13-01", "2021-1-1x", "21-01-01", "0000-01-01"} {
		if k, ok := l.Read([]byte(text)); ok {
			t.Errorf("%q is read as %+v", text, k)
		}
	}
}

func TestIntervals(t *testing.T) {
	for _, c := range []struct{ from, unit, amount, want string }{
		{"2021-01-31 00:00:00", "MONTH", "1", "2021-02-28 00:00:00"},
		{"2020-02-29 10:00:00", "YEAR_MONTH", "1-1", "2021-03-29 10:00:00"},
		{"2021-03-04 05:06:07", "DAY_SECOND", "1 02:03:04", "2021-03-05 07:09:11"},
		{"2021-03-04 05:06:07", "DAY_SECOND", "-3:4", "2021-03-04 05:03:03"},
		{"2021-03-04 05:06:07", "SECOND_MICROSECOND", "1.5", "2021-03-04 05:06:08"},
		{"9999-12-31 23:59:59", "MINUTE_SECOND", "0:1", ""},
		{"2021-03-04 05:06:07", "DAY_HOUR", "1 2 3", ""},
		{"2021-03-04 05:06:07", "DAY_HOUR", "", ""},
	} {
		k := at(c.from)
		u := Units[c.unit]
		by, ok := u.Read([]byte(c.amount))
		if u.Parts == nil {
			by, ok = u.Times(int64(c.amount[0] - '0'))
		}
		packed, there := by.PackedAfter(&k)
		got := UnpackDateTime(packed)
		if got.Micro = 0; ok && there != (c.want != "") || c.want != "" && got != at(c.want) {
			t.Errorf("%s + %s %s: %+v, %v", c.from, c.amount, c.unit, got, ok)
		}
	}
}

// TestBetween: whole months that are added again do not go beyond.
func TestBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		moments := rapid.Int64Range(0, 4e15)
		from, to := ClockOf(time.UnixMicro(moments.Draw(t, "from")).UTC()), ClockOf(time.UnixMicro(moments.Draw(t, "to")).UTC())
		month := Units["MONTH"]
		n := month.Between(&from, &to)
		if back := month.Between(&to, &from); back != -n {
			t.Errorf("%d months, and back %d", n, back)
		}
		by, _ := month.Times(n)
		packed, ok := by.PackedAfter(&from)
		moved := UnpackDateTime(packed)
		if !ok || n > 0 && moved.Moment() > to.Moment() {
			t.Errorf("%d months after %+v is %+v, behind %+v", n, from, moved, to)
		}
	})
}

func TestPeriods(t *testing.T) {
	for _, c := range []struct{ period, more, want int64 }{{202101, 11, 202112}, {202101, 12, 202201}, {2101, -1, 202012}, {7001, 0, 197001}, {202100, 1, -1}, {202113, 1, -1}, {0, 1, -1}} {
		got, ok := PeriodAdd(c.period, c.more)
		if ok != (c.want >= 0) || ok && got != c.want {
			t.Errorf("%d + %d = %d, %v", c.period, c.more, got, ok)
		}
	}
	if got, ok := PeriodDiff(202201, 202101); got != 12 || !ok {
		t.Errorf("%d, %v", got, ok)
	}
}

func TestMade(t *testing.T) {
	for _, c := range []struct {
		year, day int64
		want      string
		null, ok  bool
	}{
		{2021, 60, "2021-03-01 00:00:00", false, true},
		{2020, 366, "2020-12-31 00:00:00", false, true},
		{21, 1, "2021-01-01 00:00:00", false, true},
		{2021, 0, "", true, true},
		{9999, 366, "", false, false},
		{-1, 1, "", false, false},
	} {
		packed, null, ok := MakeDate(c.year, c.day)
		if null != c.null || ok != c.ok || c.want != "" && UnpackDateTime(packed) != at(c.want) {
			t.Errorf("day %d of %d: %v, %v, %v", c.day, c.year, UnpackDateTime(packed), null, ok)
		}
	}
	if _, null, ok := PackedHour(1, 60, 0); !null || !ok {
		t.Error("an hour has a minute 60")
	}
	if _, _, ok := PackedHour(838, 59, 59*MicrosOfSecond+1); ok {
		t.Error("a TIME is longer than the longest")
	}
	packed, _, _ := PackedHour(-1, 2, 3*MicrosOfSecond)
	if k := UnpackTime(packed); !k.Negative || k.Hour != 1 || k.Minute != 2 || k.Second != 3 {
		t.Errorf("%+v", k)
	}
}

func TestZones(t *testing.T) {
	for name, want := range map[string]int64{"+00:00": 0, "-05:30": -5*3600 - 30*60, "+12:59": 12*3600 + 59*60, "+13:00": -1, "UTC": -1, "+01:60": -1} {
		if got, ok := OffsetOfZone([]byte(name)); ok != (want != -1) || ok && got != want {
			t.Errorf("%s: %d, %v", name, got, ok)
		}
	}
	k := at("2021-03-04 05:06:07")
	packed, ok := ConvertZone(&k, 3600, -7200)
	if !ok || UnpackDateTime(packed) != at("2021-03-04 02:06:07") {
		t.Errorf("%+v, %v", UnpackDateTime(packed), ok)
	}
	for _, text := range []string{"1969-12-31 23:00:00", "2038-01-19 10:00:00"} {
		k := at(text)
		if _, ok := ConvertZone(&k, 0, 3600); ok {
			t.Errorf("%s is converted", text)
		}
	}
}
