package coercion

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/value/charset"
)

// Texts evaluates nodes as text of one collation, or as bytes if one of them is.
func Texts(c *compilation.Compilation, operation string, nodes ...*program.Node) (evs []program.Evaluator, s class.Shape, err error) {
	s = class.Shape{Class: class.Text, Coercible: class.CoercibleNull}
	for _, n := range nodes {
		s.Chars += TextChars(n)
		if n.Class != class.Null {
			s.Coercible = min(s.Coercible, n.Coercible)
			s.Named = s.Named || n.Named
		}
		if n.Class == class.Bytes || n.Class == class.Hex || n.Class == class.Bit {
			s.Class = class.Bytes
		}
	}
	set := BinaryCharset(c)
	if s.Class == class.Text {
		if s.Collation, err = CollationOf(c, operation, nodes...); err != nil {
			return nil, s, err
		}
		set = s.Collation.Charset
	}
	for _, n := range nodes {
		ev, err := textIn(c, n, s.Class, set, operation)
		if err != nil {
			return nil, s, err
		}
		evs = append(evs, ev)
	}
	return evs, s, nil
}

func textIn(c *compilation.Compilation, n *program.Node, as class.Class, set *charset.Charset, operation string) (program.Evaluator, error) {
	if as == class.Bytes {
		return Text(c, n, operation)
	}
	return InCharset(c, n, set, operation)
}

// TextOf evaluates one node as text, or as bytes, for an operation that the list
// has.
func TextOf(c *compilation.Compilation, name string, n *program.Node) (program.Evaluator, class.Shape, error) {
	if err := c.Allow(name, n); err != nil {
		return nil, class.Shape{}, err
	}
	evs, s, err := Texts(c, name, n)
	if err != nil {
		return nil, s, err
	}
	return evs[0], s, nil
}

// ASCIIShape is the type of what functions write in letters and digits: text of
// the connection, which yields to that of columns.
func ASCIIShape(c *compilation.Compilation, name string, chars int) (class.Shape, error) {
	s := class.Shape{Class: class.Text, Chars: chars, Collation: c.Session.Collation, Coercible: class.CoercibleLiteral}
	if set := s.Collation.Charset; set.BytesMin > 1 || set.Name == "binary" {
		return s, refusal.Of(name + " in " + set.Name)
	}
	return s, nil
}
