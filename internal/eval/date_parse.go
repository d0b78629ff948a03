package eval

import "tunic/internal/eval/calendar"

// compileStrToDate makes STR_TO_DATE of a constant format, which decides about the
// type. Text is read that has exactly what the format asks for; what else the
// servers read, and what they warn of, is refused.
func compileStrToDate(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	n, format := args[0], args[1]
	if n.class != classText && n.class != classNull || !format.literal || format.class != classText {
		return nil, refuse(name)
	}
	c.pin(format)
	layout, ok := calendar.LayoutOf(format.example.Bytes)
	if !ok || n.class == classText && n.collation.Charset.BytesMin > 1 {
		return nil, refuse(name)
	}
	return c.strict(name, shapeOfLayout(&layout), args, []evaluator{n.ev, format.ev}, func(in []*datum, out *datum) bool {
		k, ok := layout.Read(in[0].b)
		switch {
		case !ok:
			return false
		case layout.IsTime():
			out.setUint(k.PackedTime())
		default:
			out.setUint(k.Packed())
		}
		return true
	}), nil
}

// shapeOfLayout is the type of what the format makes.
func shapeOfLayout(l *calendar.Layout) shape {
	s := shape{class: classDateTime, coercible: coercibleNumber}
	switch {
	case l.IsTime():
		s.class = classTime
	case l.IsDate():
		s.class = classDate
	}
	if l.HasMicros() {
		s.scale = 6
	}
	return s
}
