package eval

import (
	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"

	"tunic/internal/eval/characters"
)

// compileName makes DAYNAME and MONTHNAME.
func compileName(of func(k *calendar.Clock) string) func(*compiler, string, []*node) (*node, error) {
	return func(c *compiler, name string, args []*node) (*node, error) {
		if err := c.allow(name, args...); err != nil {
			return nil, err
		}
		ev, as, err := c.day(args[0], name)
		if err != nil {
			return nil, err
		}
		if !c.session.EnglishNames {
			return nil, refuse(name + " in another language")
		}
		return c.strict(name, c.formattedShape(9), args, []evaluator{ev}, func(in []*datum, out *datum) bool {
			k := unpack(as, in[0].n)
			if !k.IsDate() {
				return false
			}
			out.b = append(out.b[:0], of(&k)...)
			return true
		}), nil
	}
}

// formattedShape is that of text made of dates: the connection's. To MariaDB it is a
// number without a fraction.
func (c *compiler) formattedShape(chars int) class.Shape {
	return class.Shape{
		Class: class.Text, Chars: chars, Collation: c.session.Collation, Coercible: class.CoercibleLiteral,
		TextOnly: c.session.isMariaDB(),
	}
}

// compileFormat makes DATE_FORMAT and TIME_FORMAT. The latter is refused what a time
// does not have, of which servers make one thing and another.
func compileFormat(c *compiler, name string, args []*node) (*node, error) {
	if err := c.allow(name, args...); err != nil {
		return nil, err
	}
	most := calendar.NeedsTime
	if name == "DATE_FORMAT" {
		most = c.formatNeed()
	}
	ev, as, ok := c.moment(args[0], name == "TIME_FORMAT", name)
	if !ok || as == class.Time && most > calendar.NeedsTime {
		return nil, refuse(name)
	}
	return c.formatted(name, args, ev, as, most)
}

// formatNeed is what dates may be asked for in this session.
func (c *compiler) formatNeed() calendar.Need {
	if c.session.EnglishNames {
		return calendar.NeedsNames
	}
	return calendar.NeedsDate
}

// formatted makes text of a date or time, the first argument, in the format that is
// the second.
func (c *compiler) formatted(name string, args []*node, ev evaluator, as class.Class, most calendar.Need) (*node, error) {
	s := c.formattedShape(calendar.SpecifierChars * c.textChars(args[1]))
	if !characters.IsSelfSynchronizing(s.Collation.Charset) || args[1].Class == class.Null {
		return nil, refuse(name)
	}
	format, err := c.inCharset(args[1], s.Collation.Charset, name)
	if err != nil {
		return nil, err
	}
	return c.strict(name, s, args, []evaluator{ev, format}, func(in []*datum, out *datum) (ok bool) {
		if out.null = len(in[1].b) == 0; out.null {
			return true
		}
		k := unpack(as, in[0].n)
		out.b = out.b[:0]
		if k.Negative {
			out.b = append(out.b, '-')
		}
		out.b, ok = calendar.AppendFormatted(out.b, &k, in[1].b, most)
		return ok
	}), nil
}
