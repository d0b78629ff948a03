package exec

import (
	"regexp"
	"strconv"
	"time"

	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// MySQL gives a parameter its type when a statement is first executed, and goes on to make a
// number of a text that can be read as one where it has had a number, and a date where it has had
// a date or a time (MySQL manual, "PREPARE Statement", since 8.0.22): the plain server stores 7 for
// '007' then. MariaDB takes each execution by itself.

// history is what a parameter has been in the executions of a statement.
type history uint8

const (
	beenNumber history = 1 << iota
	beenDate           // or a date and time
	beenOther          // a time or an unsigned integer
)

// becomes is the history of a parameter that has a type once more.
func (h history) becomes(t paramType) history {
	if t.unsigned {
		return h | beenOther
	}
	switch t.kind {
	case wire.TypeTiny, wire.TypeShort, wire.TypeLong, wire.TypeInt24, wire.TypeLongLong, wire.TypeYear, wire.TypeDecimal, wire.TypeNewDecimal,
		wire.TypeFloat, wire.TypeDouble:
		return h | beenNumber
	case wire.TypeDate, wire.TypeDatetime, wire.TypeTimestamp:
		return h | beenDate
	case wire.TypeTime:
		return h | beenOther
	}
	return h
}

// noteHistory remembers what the parameters of an execution are. NULL has no type of its own.
func (p *Prepared) noteHistory(isNull func(i int) bool) {
	p.history = append(p.history, make([]history, max(0, len(p.bound)-len(p.history)))...)
	for i, t := range p.bound {
		if !isNull(i) {
			p.history[i] = p.history[i].becomes(t)
		}
	}
}

// Followed are values behind USING of a statement that knows what they have been before.
type Followed struct{ history []history }

// Follow tells the values of an execution what the parameters have been, and remembers what they
// are.
func (f *Followed) Follow(using []Variable) {
	f.history = append(f.history, make([]history, max(0, len(using)-len(f.history)))...)
	for i := range using {
		v := &using[i]
		v.history = f.history[i]
		if !v.Null {
			f.history[i] = f.history[i].becomes(v.paramType())
		}
	}
}

var (
	// number is a text that servers may read as a number from its first character to its last.
	number = regexp.MustCompile(`^\s*[-+]?\s*([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?\s*$`)
	// integer is one without a sign as servers write it, of so few digits that a DOUBLE has them all.
	integer = regexp.MustCompile(`^(0|[1-9][0-9]{0,14})$`)
	// temporal is a text that may begin a date, a time or a number.
	temporal = regexp.MustCompile(`^\s*[-+.0-9]`)
)

// paramUse is what the value of a parameter is used for.
type paramUse uint8

const (
	inExpression paramUse = iota
	inColumn              // it is stored
	besideValue           // it is compared with a column
	besideText            // it is compared with a column that is text
)

func (o *operand) paramUse() paramUse {
	switch {
	case o.column == nil:
		return inExpression
	case o.use == plan.Assign:
		return inColumn
	}
	switch k := o.column.Type.Kind; {
	case k.IsText(), k.IsBytes(), k == value.Enum, k == value.Set:
		return besideText
	}
	return besideValue
}

// historic makes a text what the server makes of it after other executions: a number of an
// integer, where there has been a number, a date of a day, where there has been one. What it makes
// of others depends on what they are stored in; they are refused. It goes on comparing as it has
// before: where it does not store it, every other text is refused, and beside text every one.
func (b *binder) historic(h history, as paramUse) error {
	s := &b.source
	if h == 0 || b.env.value.Flavor == value.MariaDB || s.Form != value.FormString && s.Form != value.FormHexString {
		return nil
	}
	if as == besideText {
		return errHistory
	}
	if day, ok := dayOf(s.Bytes); ok && h == beenDate {
		day.Param = s.Param
		*s = day
		return nil
	}
	switch {
	case h&(beenDate|beenOther) != 0 && temporal.Match(s.Bytes):
		return errHistory
	case integer.Match(s.Bytes):
		n, err := strconv.ParseInt(string(s.Bytes), 10, 64)
		made := value.IntSource(n)
		made.Param = s.Param
		*s = made
		return err
	case number.Match(s.Bytes), as != inColumn:
		return errHistory
	}
	return nil
}

// dayOf reads a day as servers write it.
func dayOf(text []byte) (value.Source, bool) {
	day, err := time.Parse(time.DateOnly, string(text))
	if err != nil || day.Year() == 0 {
		return value.Source{}, false
	}
	return value.ParamSource(value.Date, []byte{byte(day.Year()), byte(day.Year() >> 8), byte(day.Month()), byte(day.Day())})
}

var errHistory = sqlerr.ValueRefused("a text, as a parameter that has been a number, a date or a time before,")
