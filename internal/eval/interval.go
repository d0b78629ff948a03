package eval

import (
	"encoding/binary"

	"tunic/internal/eval/calendar"
	"tunic/internal/eval/characters"
	"tunic/internal/eval/class"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// interval compiles DATE_ADD, DATE_SUB, TIMESTAMPADD and + INTERVAL.
func (c *compiler) interval(e *ast.IntervalDateExpr) (*node, error) {
	args, err := c.all([]ast.Expr{e.Date, e.Interval})
	if err != nil {
		return nil, err
	}
	name := "INTERVAL " + upper(e.NormalizedUnit().ToString())
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	u, ok := calendar.Units[name[len("INTERVAL "):]]
	date := args[0]
	isText := date.Class == class.Text && date.constant
	if !ok || !isText && !date.Class.IsTemporal() || date.Class == class.Time && !u.IsTime {
		return nil, refuse(name)
	}
	count, scale, err := c.spanOf(args[1], &u, name)
	if err != nil {
		return nil, err
	}
	if isSubtraction(e.Syntax) {
		plus := count
		count = func(in *datum) (calendar.Span, bool) {
			s, ok := plus(in)
			return s.Minus(), ok
		}
	}
	if isText {
		return c.movedText(name, args, scale, u.KeepsDate, count)
	}
	s := class.Shape{Class: class.DateTime, Scale: max(date.Scale, scale), Coercible: class.CoercibleNumber}
	switch {
	case date.Class == class.Time:
		s.Class = class.Time
	case date.Class == class.Date && u.KeepsDate:
		s.Class, s.Scale = class.Date, 0
	}
	if c.longFraction(s) {
		return nil, refuse(name)
	}
	return c.moved(name, s, args, count), nil
}

func isSubtraction(s ast.IntervalExprSyntax) bool {
	return s == ast.IntervalDateExprDateSub || s == ast.IntervalDateExprSubdate || s == ast.IntervalDateExprBinarySub
}

// moved makes a date or time, the first argument, that is moved by the second.
func (c *compiler) moved(name string, s class.Shape, args []*node, count func(in *datum) (calendar.Span, bool)) *node {
	as := args[0].Class
	return c.strict(name, s, args, []evaluator{refuseZeros(args[0], args[0].ev, name), args[1].ev}, func(in []*datum, out *datum) bool {
		by, ok := count(in[1])
		if !ok {
			return false
		}
		k := unpack(as, in[0].n)
		if as != class.Time {
			return out.setMoved(&k, by)
		}
		micros := k.Micros() + by.Micros
		if micros == 0 && k.Negative { // MariaDB has a zero that is negative
			return false
		}
		return out.setTime(micros)
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
func (c *compiler) movedText(name string, args []*node, scale int, keepsDate bool, count func(in *datum) (calendar.Span, bool)) (*node, error) {
	s := c.formattedShape(dateTimeChars)
	s.TextOnly = true
	ev, as, ok := c.moment(args[0], false, name)
	if !ok || scale > 0 || args[0].Collation.Charset.BytesMin > 1 || !characters.IsSelfSynchronizing(s.Collation.Charset) {
		return nil, refuse(name)
	}
	date := types[class.Date]
	if !keepsDate {
		date = types[class.DateTime]
	}
	return c.strict(name, s, args, []evaluator{ev, args[0].ev, args[1].ev}, func(in []*datum, out *datum) bool {
		by, ok := count(in[2])
		k := unpack(as, in[0].n)
		length := len(in[1].b)
		if !ok || !k.IsDate() || length != dateChars && length != dateTimeChars || !out.setMoved(&k, by) {
			return false
		}
		t := date
		if length == dateTimeChars {
			t = types[class.DateTime]
		}
		var room [8]byte
		canonical := binary.BigEndian.AppendUint64(room[:0], out.n)
		out.b = value.AppendText(out.b[:0], t, canonical, &value.Env{})
		return true
	}), nil
}

// types are those of dates, as they are written.
var types = map[class.Class]*value.Type{class.Date: {Kind: value.Date}, class.DateTime: {Kind: value.DateTime}}

// spanOf reads the amount of an interval. The amount's own evaluator is replaced by
// one that has what the function wants. scale is that of seconds with a fraction.
func (c *compiler) spanOf(n *node, u *calendar.Unit, name string) (of func(in *datum) (calendar.Span, bool), scale int, err error) {
	switch {
	case u.Parts != nil:
		if n.ev, err = c.text(n, name); err != nil {
			return nil, 0, err
		}
		return func(in *datum) (calendar.Span, bool) { return u.Read(in.b) }, u.Scale, nil
	case n.Class == class.Decimal && u.Micros == calendar.MicrosOfSecond:
		scale = min(n.Scale, 6)
		return func(in *datum) (calendar.Span, bool) { return calendar.SecondsOf(&in.d) }, scale, nil
	case !n.Class.IsInteger() && u.Micros == calendar.MicrosOfSecond:
		return nil, 0, refuse(name) // what becomes of a fraction is another thing on each
	}
	n.ev = c.quiet(c.clampedInteger(n, name), name)
	return func(in *datum) (calendar.Span, bool) { return u.Times(int64(in.n)) }, u.Scale, nil
}
