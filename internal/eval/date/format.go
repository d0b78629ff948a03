package date

import (
	"tunic/internal/eval/calendar"
	"tunic/internal/eval/characters"
	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
)

// compileName makes DAYNAME and MONTHNAME.
func compileName(of func(k *calendar.Clock) string) compilation.Maker {
	return func(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
		if err := c.Allow(name, args...); err != nil {
			return nil, err
		}
		ev, as, err := dayOf(c, args[0], name)
		if err != nil {
			return nil, err
		}
		if !c.Session.EnglishNames {
			return nil, refusal.Of(name + " in another language")
		}
		return strict(c, name, formattedShape(c, 9), args, []program.Evaluator{ev}, func(in []*program.Datum, out *program.Datum) bool {
			k := program.Unpack(as, in[0].N)
			if !k.IsDate() {
				return false
			}
			out.B = append(out.B[:0], of(&k)...)
			return true
		}), nil
	}
}

// formattedShape is that of text made of dates: the connection's. To MariaDB it is a
// number without a fraction.
func formattedShape(c *compilation.Compilation, chars int) class.Shape {
	return class.Shape{
		Class: class.Text, Chars: chars, Collation: c.Session.Collation, Coercible: class.CoercibleLiteral,
		TextOnly: c.Session.IsMariaDB(),
	}
}

// compileFormat makes DATE_FORMAT and TIME_FORMAT. The latter is refused what a time
// does not have, of which servers make one thing and another.
func compileFormat(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	most := calendar.NeedsTime
	if name == "DATE_FORMAT" {
		most = formatNeed(c)
	}
	ev, as, ok := momentOf(c, args[0], name == "TIME_FORMAT", name)
	if !ok || as == class.Time && most > calendar.NeedsTime {
		return nil, refusal.Of(name)
	}
	return formatted(c, name, args, ev, as, most)
}

// formatNeed is what dates may be asked for in this session.
func formatNeed(c *compilation.Compilation) calendar.Need {
	if c.Session.EnglishNames {
		return calendar.NeedsNames
	}
	return calendar.NeedsDate
}

// formatted makes text of a date or time, the first argument, in the format that is
// the second.
func formatted(c *compilation.Compilation, name string, args []*program.Node, ev program.Evaluator, as class.Class, most calendar.Need) (*program.Node, error) {
	s := formattedShape(c, calendar.SpecifierChars*coercion.TextChars(args[1]))
	if !characters.IsSelfSynchronizing(s.Collation.Charset) || args[1].Class == class.Null || isWide(args[1]) {
		return nil, refusal.Of(name)
	}
	format, err := coercion.InCharset(c, args[1], s.Collation.Charset, name)
	if err != nil {
		return nil, err
	}
	return strict(c, name, s, args, []program.Evaluator{ev, format}, func(in []*program.Datum, out *program.Datum) (ok bool) {
		if out.Null = len(in[1].B) == 0; out.Null {
			return true
		}
		k := program.Unpack(as, in[0].N)
		out.B = out.B[:0]
		if k.Negative {
			out.B = append(out.B, '-')
		}
		out.B, ok = calendar.AppendFormatted(out.B, &k, in[1].B, most)
		return ok
	}), nil
}

// compileStrToDate makes STR_TO_DATE of a constant format, which decides about the
// type. Text is read that has exactly what the format asks for; what else the
// servers read, and what they warn of, is refused.
func compileStrToDate(c *compilation.Compilation, name string, args []*program.Node) (*program.Node, error) {
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	n, format := args[0], args[1]
	if n.Class != class.Text && n.Class != class.Null || !format.Literal || format.Class != class.Text {
		return nil, refusal.Of(name)
	}
	c.Pin(format)
	layout, ok := calendar.LayoutOf(format.Example.Bytes)
	if !ok || isWide(n) || isWide(format) {
		return nil, refusal.Of(name)
	}
	return strict(c, name, shapeOfLayout(&layout), args, []program.Evaluator{n.Ev, format.Ev}, func(in []*program.Datum, out *program.Datum) bool {
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

// isWide reports whether a node is text in a character set whose characters have two bytes or more. MySQL
// reads a format byte by byte, whatever set it is in.
func isWide(n *program.Node) bool { return n.Class == class.Text && n.Collation.Charset.BytesMin > 1 }
