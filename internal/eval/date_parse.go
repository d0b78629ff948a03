package eval

import (
	"tunic/internal/eval/calendar"
	"tunic/internal/eval/program"

	"tunic/internal/eval/class"
)

// compileStrToDate makes STR_TO_DATE of a constant format, which decides about the
// type. Text is read that has exactly what the format asks for; what else the
// servers read, and what they warn of, is refused.
func compileStrToDate(c *compiler, name string, args []*program.Node) (*program.Node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	n, format := args[0], args[1]
	if n.Class != class.Text && n.Class != class.Null || !format.Literal || format.Class != class.Text {
		return nil, refuse(name)
	}
	c.pin(format)
	layout, ok := calendar.LayoutOf(format.Example.Bytes)
	if !ok || n.Class == class.Text && n.Collation.Charset.BytesMin > 1 {
		return nil, refuse(name)
	}
	return c.strict(name, shapeOfLayout(&layout), args, []program.Evaluator{n.Ev, format.Ev}, func(in []*program.Datum, out *program.Datum) bool {
		k, ok := layout.Read(in[0].B)
		switch {
		case !ok:
			return false
		case layout.IsTime():
			out.SetUint(k.PackedTime())
		default:
			out.SetUint(k.Packed())
		}
		return true
	}), nil
}

// shapeOfLayout is the type of what the format makes.
func shapeOfLayout(l *calendar.Layout) class.Shape {
	s := class.Shape{Class: class.DateTime, Coercible: class.CoercibleNumber}
	switch {
	case l.IsTime():
		s.Class = class.Time
	case l.IsDate():
		s.Class = class.Date
	}
	if l.HasMicros() {
		s.Scale = 6
	}
	return s
}
