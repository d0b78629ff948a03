package binding

import (
	"math"
	"regexp"
	"strconv"
	"time"

	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// MySQL gives a parameter its type when a statement is first executed, and goes on to make a
// number of a text that can be read as one where it has had a number, and a date where it has had
// a date or a time (MySQL manual, "PREPARE Statement", since 8.0.22): the plain server stores 7 for
// '007' then. MariaDB takes each execution by itself.

// priorTypes are what a parameter has been in the executions of a statement before.
type priorTypes uint8

const (
	wasNumber priorTypes = 1 << iota
	wasDate              // or a date and time
	wasTime
	wasUnsigned
)

// with adds a type.
func (h priorTypes) with(t ParamType) priorTypes {
	switch t.Kind {
	case wire.TypeTiny, wire.TypeShort, wire.TypeLong, wire.TypeInt24, wire.TypeLongLong, wire.TypeYear, wire.TypeDecimal, wire.TypeNewDecimal,
		wire.TypeFloat, wire.TypeDouble:
		if t.Unsigned {
			return h | wasUnsigned
		}
		return h | wasNumber
	case wire.TypeDate, wire.TypeDatetime, wire.TypeTimestamp:
		return h | wasDate
	case wire.TypeTime:
		return h | wasTime
	}
	return h
}

// notePriorTypes remembers what the parameters of an execution are. NULL has no type of its own.
func (p *Execution) notePriorTypes(isNull func(i int) bool) {
	p.Prior = append(p.Prior, make([]priorTypes, max(0, len(p.Types)-len(p.Prior)))...)
	for i, t := range p.Types {
		if !isNull(i) {
			p.Prior[i] = p.Prior[i].with(t)
		}
	}
}

// PriorTypes are what the parameters of a statement with a name have been in its executions.
type PriorTypes struct{ prior []priorTypes }

// Note tells the values of an execution what their parameters have been before, and remembers
// what they are.
func (t *PriorTypes) Note(using []Variable) {
	t.prior = append(t.prior, make([]priorTypes, max(0, len(using)-len(t.prior)))...)
	for i := range using {
		v := &using[i]
		v.prior = t.prior[i]
		if !v.Null {
			t.prior[i] = t.prior[i].with(v.paramType())
		}
	}
}

var (
	// textOfNumber is a text that servers may read as a number from its first character to its last.
	textOfNumber = regexp.MustCompile(`^[\s\v]*[-+]?[\s\v]*([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?[\s\v]*$`)
	// textOfInteger is one without a sign as servers write it, of so few digits that a DOUBLE has them all.
	textOfInteger = regexp.MustCompile(`^(0|[1-9][0-9]{0,14})$`)
	// textOfTime is a text that servers may read as a date or a time, or as a number that is one.
	textOfTime = regexp.MustCompile(`^[\s\v]*[-+]?[\s\v]*[0-9.]+([^\pL0-9.][\s\v]*[0-9]|[\s\v]*$|[eE])`)
)

// paramUse is what the value of a parameter is used for.
type paramUse uint8

const (
	inExpression paramUse = iota
	inColumn              // it is stored
	inBits                // it is stored in a BIT
	besideValue           // it is compared with a column
	besideText            // it is compared with a column that is text
)

func (o *Operand) paramUse() paramUse {
	switch {
	case o.Column == nil:
		return inExpression
	case o.Use == recipe.Assign && o.Column.Type.Kind == value.Bit:
		return inBits
	case o.Use == recipe.Assign:
		return inColumn
	}
	switch k := o.Column.Type.Kind; {
	case k.IsText(), k.IsBytes(), k == value.Enum, k == value.Set:
		return besideText
	}
	return besideValue
}

// asRetyped makes a text what the server makes of it after other executions: a number of an
// integer, where there has been a number, a date of a day, where there has been one. What it makes
// of others depends on what they are stored in; they are refused. It goes on comparing as it has
// before: where it does not store it, every other text is refused, and beside text every one. A number
// that comes after a date or a time, or that no integer with a sign is, it makes another of.
func (b *Binder) asRetyped(h priorTypes, as paramUse) error {
	s := &b.Source
	if h == 0 || b.Env.Value.Flavor == value.MariaDB {
		return nil
	}
	switch s.Form {
	case value.FormString, value.FormHexString:
	case value.FormInt, value.FormUint, value.FormDecimal, value.FormDouble:
		if h&(wasDate|wasTime) != 0 || h&wasNumber != 0 && s.Form == value.FormUint && s.Number > math.MaxInt64 {
			return errNumberRetyped
		}
		return nil
	default:
		return nil
	}
	if as == besideText {
		return errRetyped
	}
	if day, ok := dayOf(s.Bytes); ok && h == wasDate {
		day.Param = s.Param
		*s = day
		return nil
	}
	switch {
	case h&(wasDate|wasTime) != 0 && textOfTime.Match(s.Bytes):
		return errRetyped
	case h&wasUnsigned != 0 && as == inBits: // a server keeps some as text
		return errRetyped
	case textOfInteger.Match(s.Bytes):
		n, err := strconv.ParseInt(string(s.Bytes), 10, 64)
		made := value.IntSource(n)
		made.Param = s.Param
		*s = made
		return err
	case textOfNumber.Match(s.Bytes), as != inColumn && as != inBits:
		return errRetyped
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

var errNumberRetyped = sqlerr.ValueRefused("a number, as a parameter that has been of another type before,")

var errRetyped = sqlerr.ValueRefused("a text, as a parameter that has been a number, a date or a time before,")
