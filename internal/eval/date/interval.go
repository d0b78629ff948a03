package date

import (
	"encoding/binary"
	"strings"

	"tunic/internal/eval/calendar"
	"tunic/internal/eval/characters"
	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Interval compiles DATE_ADD, DATE_SUB, TIMESTAMPADD and + INTERVAL.
func Interval(c *compilation.Compilation, e *ast.IntervalDateExpr) (*program.Node, error) {
	args, err := c.All([]ast.Expr{e.Date, e.Interval})
	if err != nil {
		return nil, err
	}
	name := "INTERVAL " + strings.ToUpper(e.NormalizedUnit().ToString())
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	u, ok := calendar.Units[name[len("INTERVAL "):]]
	date := args[0]
	isText := date.Class == class.Text && date.Constant
	if !ok || !isText && !date.Class.IsTemporal() || date.Class == class.Time && !u.IsTime {
		return nil, refusal.Of(name)
	}
	count, scale, err := spanOf(c, args[1], &u, name)
	if err != nil {
		return nil, err
	}
	if isSubtraction(e.Syntax) {
		plus := count
		count = func(in *program.Datum) (calendar.Span, bool) {
			s, ok := plus(in)
			return s.Minus(), ok
		}
	}
	if isText {
		return movedText(c, name, args, scale, u.KeepsDate, count)
	}
	s := class.Shape{Class: class.DateTime, Scale: max(date.Scale, scale), Coercible: class.CoercibleNumber}
	switch {
	case date.Class == class.Time:
		s.Class = class.Time
	case date.Class == class.Date && u.KeepsDate:
		s.Class, s.Scale = class.Date, 0
	}
	if longFraction(c, s) {
		return nil, refusal.Of(name)
	}
	return moved(c, name, s, args, count), nil
}

func isSubtraction(s ast.IntervalExprSyntax) bool {
	return s == ast.IntervalDateExprDateSub || s == ast.IntervalDateExprSubdate || s == ast.IntervalDateExprBinarySub
}

// moved makes a date or time, the first argument, that is moved by the second.
func moved(c *compilation.Compilation, name string, s class.Shape, args []*program.Node, count func(in *program.Datum) (calendar.Span, bool)) *program.Node {
	as := args[0].Class
	return strict(c, name, s, args, []program.Evaluator{coercion.RefuseZeros(args[0], args[0].Ev, name), args[1].Ev}, func(in []*program.Datum, out *program.Datum) bool {
		by, ok := count(in[1])
		if !ok {
			return false
		}
		k := program.Unpack(as, in[0].N)
		if as != class.Time {
			return out.SetMoved(&k, by)
		}
		micros := k.Micros() + by.Micros
		if micros == 0 && k.Negative { // MariaDB has a zero that is negative
			return false
		}
		return out.SetTime(micros)
	})
}

// Lengths of a date, and of one with a time without a fraction.
const (
	dateChars     = len("2006-01-02")
	dateTimeChars = len("2006-01-02 15:04:05")
)

// movedText is moved for a date that is constant text. The result is text, with a time
// if there was one or if the unit is of a time. How many digits of a fraction servers
// write there is not known.
func movedText(c *compilation.Compilation, name string, args []*program.Node, scale int, keepsDate bool, count func(in *program.Datum) (calendar.Span, bool)) (*program.Node, error) {
	s := formattedShape(c, dateTimeChars)
	s.TextOnly = true
	ev, as, ok := momentOf(c, args[0], false, name)
	if !ok || scale > 0 || args[0].Collation.Charset.BytesMin > 1 || !characters.IsSelfSynchronizing(s.Collation.Charset) {
		return nil, refusal.Of(name)
	}
	date := types[class.Date]
	if !keepsDate {
		date = types[class.DateTime]
	}
	return strict(c, name, s, args, []program.Evaluator{ev, args[0].Ev, args[1].Ev}, func(in []*program.Datum, out *program.Datum) bool {
		by, ok := count(in[2])
		k := program.Unpack(as, in[0].N)
		length := len(in[1].B)
		if !ok || !k.IsDate() || length != dateChars && length != dateTimeChars || !out.SetMoved(&k, by) {
			return false
		}
		t := date
		if length == dateTimeChars {
			t = types[class.DateTime]
		}
		var room [8]byte
		canonical := binary.BigEndian.AppendUint64(room[:0], out.N)
		out.B = value.AppendText(out.B[:0], t, canonical, &value.Env{})
		return true
	}), nil
}

// types are those of dates, as they are written.
var types = map[class.Class]*value.Type{class.Date: {Kind: value.Date}, class.DateTime: {Kind: value.DateTime}}

// spanOf reads the amount of an interval. The amount's own evaluator is replaced by
// one that has what the function wants. scale is that of seconds with a fraction.
func spanOf(c *compilation.Compilation, n *program.Node, u *calendar.Unit, name string) (of func(in *program.Datum) (calendar.Span, bool), scale int, err error) {
	switch {
	case u.Parts != nil:
		if n.Ev, err = coercion.Text(c, n, name); err != nil {
			return nil, 0, err
		}
		return func(in *program.Datum) (calendar.Span, bool) { return u.Read(in.B) }, u.Scale, nil
	case n.Class == class.Decimal && u.Micros == calendar.MicrosOfSecond:
		scale = min(n.Scale, 6)
		return func(in *program.Datum) (calendar.Span, bool) { return calendar.SecondsOf(&in.D) }, scale, nil
	case !n.Class.IsInteger() && u.Micros == calendar.MicrosOfSecond:
		return nil, 0, refusal.Of(name) // what becomes of a fraction is another thing on each
	}
	n.Ev = c.Quiet(coercion.ClampedInteger(c, n, name), name)
	return func(in *program.Datum) (calendar.Span, bool) { return u.Times(int64(in.N)) }, u.Scale, nil
}
