package calendar

// Field is a function of one date or time that returns a number.
type Field struct {
	// AsTime says that the argument is a time to the function, if it is text.
	AsTime bool
	Digits int
	Of     func(k *Clock) (n int, ok bool)
}

// Fields are these functions.
var Fields = map[string]Field{
	"year":        {false, 4, func(k *Clock) (int, bool) { return k.Year, true }},
	"month":       {false, 2, func(k *Clock) (int, bool) { return k.Month, true }},
	"day":         {false, 2, func(k *Clock) (int, bool) { return k.Day, true }},
	"quarter":     {false, 1, func(k *Clock) (int, bool) { return (k.Month + 2) / 3, true }},
	"hour":        {true, 3, func(k *Clock) (int, bool) { return k.Hour, true }},
	"minute":      {true, 2, func(k *Clock) (int, bool) { return k.Minute, true }},
	"second":      {true, 2, func(k *Clock) (int, bool) { return k.Second, true }},
	"microsecond": {true, 6, func(k *Clock) (int, bool) { return k.Micro, true }},
	"weekday":     {false, 1, dateField((*Clock).weekday)},
	"dayofweek":   {false, 1, dateField(func(k *Clock) int { return (k.weekday()+1)%7 + 1 })},
	"dayofyear":   {false, 3, dateField((*Clock).dayOfYear)},
	"weekofyear":  {false, 2, dateField(func(k *Clock) int { week, _ := k.Week(weekISO); return week })},
	"to_days":     {false, 7, dateField((*Clock).Days)},
	"to_seconds":  {false, 12, dateField(func(k *Clock) int { return int(k.Moment() / MicrosOfSecond) })},
	"time_to_sec": {true, 7, func(k *Clock) (int, bool) { return int(k.Micros() / MicrosOfSecond), true }},
}

// dateField is a field of dates without zeros.
func dateField(of func(k *Clock) int) func(k *Clock) (int, bool) {
	return func(k *Clock) (int, bool) {
		if !k.IsDate() {
			return 0, false
		}
		return of(k), true
	}
}

// extractPart is a unit of EXTRACT: ofDate is one that times do not have.
type extractPart struct {
	OfDate bool
	Digits int
	Of     func(k *Clock) int
}

func (c *Clock) hourMinute() int   { return c.Hour*100 + c.Minute }
func (c *Clock) hourSecond() int   { return c.hourMinute()*100 + c.Second }
func (c *Clock) minuteSecond() int { return c.Minute*100 + c.Second }

// Extracts are the units of EXTRACT (MySQL manual, "Temporal Intervals"). Those of
// several parts have two digits for each of them, and six of microseconds.
var Extracts = map[string]extractPart{
	"YEAR":       {true, 4, func(k *Clock) int { return k.Year }},
	"YEAR_MONTH": {true, 6, func(k *Clock) int { return k.Year*100 + k.Month }},
	"QUARTER":    {true, 1, func(k *Clock) int { return (k.Month + 2) / 3 }},
	"MONTH":      {true, 2, func(k *Clock) int { return k.Month }},
	"WEEK":       {true, 2, nil},
	"DAY":        {true, 2, func(k *Clock) int { return k.Day }},

	"DAY_HOUR":        {false, 5, func(k *Clock) int { return k.Day*100 + k.Hour }},
	"DAY_MINUTE":      {false, 7, func(k *Clock) int { return k.Day*10000 + k.hourMinute() }},
	"DAY_SECOND":      {false, 9, func(k *Clock) int { return k.Day*1000000 + k.hourSecond() }},
	"DAY_MICROSECOND": {false, 15, func(k *Clock) int { return (k.Day*1000000+k.hourSecond())*1000000 + k.Micro }},

	"HOUR":             {false, 3, func(k *Clock) int { return k.Hour }},
	"HOUR_MINUTE":      {false, 5, (*Clock).hourMinute},
	"HOUR_SECOND":      {false, 7, (*Clock).hourSecond},
	"HOUR_MICROSECOND": {false, 13, func(k *Clock) int { return k.hourSecond()*1000000 + k.Micro }},

	"MINUTE":             {false, 2, func(k *Clock) int { return k.Minute }},
	"MINUTE_SECOND":      {false, 4, (*Clock).minuteSecond},
	"MINUTE_MICROSECOND": {false, 11, func(k *Clock) int { return k.minuteSecond()*1000000 + k.Micro }},
	"SECOND":             {false, 2, func(k *Clock) int { return k.Second }},
	"SECOND_MICROSECOND": {false, 9, func(k *Clock) int { return k.Second*1000000 + k.Micro }},
	"MICROSECOND":        {false, 6, func(k *Clock) int { return k.Micro }},
}
