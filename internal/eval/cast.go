package eval

import (
	"strings"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// cast compiles CAST and CONVERT to a type. A value that does not become one of
// the type without a warning is refused.
func (c *compiler) cast(e ast.Expr, to *ast.ConvertType) (*node, error) {
	n, err := c.compile(e)
	if err != nil {
		return nil, err
	}
	word, _, _ := strings.Cut(strings.ToLower(to.Type), " ")
	name := "CAST AS " + strings.ToUpper(word)
	if err := c.allow(name, n); err != nil {
		return nil, err
	}
	length, scale := -1, 0
	if to.Length != nil {
		length = *to.Length
	}
	if to.Scale != nil {
		scale = *to.Scale
	}
	switch word {
	case "signed", "unsigned":
		return c.castInteger(n, name, word == "unsigned")
	case "decimal":
		return c.castDecimal(n, name, length, scale)
	case "double":
		s := class.Shape{Class: class.Double, Scale: class.ScaleFree, Coercible: class.CoercibleNumber}
		return castable(derive(s, c.real(n, name), n)), nil
	case "char", "nchar":
		return c.castChar(n, name, length, &to.Charset)
	case "binary":
		return c.castBinary(n, name, length)
	case "json":
		return c.castJSON(n, name)
	case "date", "datetime", "time":
		return c.castTemporal(n, name, word, max(length, 0))
	}
	return nil, refuse(name)
}

// castInteger makes an integer of 64 bits. Integers keep their bits.
func (c *compiler) castInteger(n *node, name string, unsigned bool) (*node, error) {
	s := class.Shape{Class: class.Int, Digits: 20, Coercible: class.CoercibleNumber}
	if unsigned {
		s.Class = class.Uint
	}
	ev := c.integer(n, name)
	if n.Class.IsInteger() {
		return derive(s, ev, n), nil
	}
	return castable(derive(s, c.convert(&node{ev: ev}, func(r *Run, in, out *datum) *datum {
		if unsigned && int64(in.n) < 0 {
			return r.refuse(name)
		}
		return out.setUint(in.n)
	}), n)), nil
}

// castDecimal makes a DECIMAL(length, scale), of ten digits if none are given.
func (c *compiler) castDecimal(n *node, name string, length, scale int) (*node, error) {
	if length <= 0 {
		length = 10
	}
	if length > decimal.DigitsMax || scale > c.rules().ScaleMax() || scale > length {
		return nil, refuse(name)
	}
	s := class.Shape{Class: class.Decimal, Digits: length, Scale: scale, Coercible: class.CoercibleNumber}
	return castable(derive(s, c.convert(&node{ev: c.decimal(n, name)}, func(r *Run, in, out *datum) *datum {
		out.d = in.d
		if !out.d.Round(scale) || out.d.WholeDigits() > length-scale {
			return r.refuse(name)
		}
		return out
	}), n)), nil
}

// castChar makes characters of the connection's character set.
func (c *compiler) castChar(n *node, name string, length int, to *ast.ColumnCharset) (*node, error) {
	if to.Name != "" || to.Binary || n.Class == class.Hex || n.Class == class.Bit {
		return nil, refuse(name)
	}
	if n.Class == class.Bytes {
		return c.castCharOfBytes(n, name, length)
	}
	s := class.Shape{Class: class.Text, Chars: c.textChars(n), Collation: c.session.Collation, Coercible: class.CoercibleColumn}
	s.TextOnly = c.session.isMariaDB() || n.TextOnly || n.Class != class.Text
	ev, err := c.inCharset(n, s.Collation.Charset, name)
	if err != nil {
		return nil, err
	}
	if length < 0 {
		return derive(s, ev, n), nil
	}
	s.Chars = length
	return castable(derive(s, c.atMost(ev, length, s.Collation.Charset, name), n)), nil
}

// castCharOfBytes takes bytes for what they are in the connection's character set, and
// refuses those that are nothing in it: servers warn of them.
func (c *compiler) castCharOfBytes(n *node, name string, length int) (*node, error) {
	set := c.session.Collation.Charset
	if set.BytesMin > 1 || set.Name == "binary" {
		return nil, refuse(name + " of bytes in " + set.Name)
	}
	s := class.Shape{Class: class.Text, Chars: n.Chars, Collation: c.session.Collation, Coercible: class.CoercibleColumn, TextOnly: true}
	bytes := n.ev
	ev := func(r *Run) *datum {
		d := bytes(r)
		if !d.null && !set.Valid(d.b) {
			return r.refuse(name)
		}
		return d
	}
	if length >= 0 {
		s.Chars, ev = length, c.atMost(ev, length, set, name)
	}
	return castable(derive(s, ev, n)), nil
}

// atMost refuses text that is longer: a cast cuts it, with a warning.
func (c *compiler) atMost(ev evaluator, chars int, set *charset.Charset, name string) evaluator {
	return func(r *Run) *datum {
		d := ev(r)
		if !d.null && set.CharLen(d.b) > chars {
			return r.refuse(name)
		}
		return d
	}
}

// castBinary makes bytes of text, as it is.
func (c *compiler) castBinary(n *node, name string, length int) (*node, error) {
	if length >= 0 {
		return nil, refuse(name + "(n)")
	}
	ev, err := c.text(n, name)
	if err != nil {
		return nil, err
	}
	s := class.Shape{Class: class.Bytes, Chars: c.textChars(n), Coercible: class.CoercibleColumn, TextOnly: true}
	return derive(s, ev, n), nil
}

// castJSON makes a document of text, which has to be one. MariaDB has no such cast.
func (c *compiler) castJSON(n *node, name string) (*node, error) {
	if c.session.isMariaDB() {
		return nil, refuse(name)
	}
	if n.Class == class.JSON {
		return derive(n.Shape, n.ev, n), nil
	}
	doc, err := c.documentOf(n, name)
	if err != nil {
		return nil, err
	}
	slot := c.slot()
	return castable(derive(c.jsonShape(n), func(r *Run) *datum {
		v := doc(r)
		if v == nil {
			return nullDatum
		}
		return r.write(slot, v.Append)
	}, n)), nil
}

// castTemporal makes a date or time, as a column of the type would store it.
func (c *compiler) castTemporal(n *node, name, word string, scale int) (*node, error) {
	t := &value.Type{Decimals: scale}
	s := class.Shape{Scale: scale, Coercible: class.CoercibleNumber}
	switch word {
	case "date":
		t.Kind, s.Class, t.Decimals, s.Scale = value.Date, class.Date, 0, 0
	case "time":
		t.Kind, s.Class = value.Time, class.Time
	default:
		t.Kind, s.Class = value.DateTime, class.DateTime
	}
	if !n.Class.IsTemporal() && n.Class != class.Text && n.Class != class.Null || scale > 6 {
		return nil, refuse(name)
	}
	if word == "date" && n.Class.HasDate() {
		ev := c.withoutZeros(n, n.ev, name)
		return castable(derive(s, c.convert(&node{ev: ev}, func(_ *Run, in, out *datum) *datum {
			return out.setUint(in.n >> dayShift << dayShift)
		}), n)), nil
	}
	source := value.Source{Collation: n.Collation, Fraction: uint8(min(n.Scale, 6))}
	switch {
	case n.Class == class.Text && s.Class == class.Date:
		source.Form, t.Kind, t.Decimals = value.FormString, value.DateTime, 6 // cut, not rounded
	case n.Class == class.Text:
		source.Form = value.FormString
	case n.Class == class.Date:
		source.Form = value.FormDate
	case n.Class == class.Time:
		source.Form = value.FormTime
	default:
		source.Form = value.FormDateTime
	}
	return castable(derive(s, c.once(n, c.convert(n, func(r *Run, in, out *datum) *datum {
		src := source
		src.Bytes, src.Number = in.b, in.n
		var room [8]byte
		b, o := value.Assign(room[:0], t, &src, &r.lax)
		if len(b) != 8 || src.Form == value.FormString && !plainTemporal(in.b, s.Class) || hasWarning(&o) {
			return r.refuse(name)
		}
		if out.n = wordOf(b); s.Class == class.Date {
			out.n = out.n >> dayShift << dayShift
		}
		return out
	})), n)), nil
}

// hasWarning reports whether an assignment raised more than notes.
func hasWarning(o *value.Outcome) bool {
	for _, k := range o.Conditions() {
		if k.Level > value.Note {
			return true
		}
	}
	return false
}

// collate compiles x COLLATE name, which decides the collation of comparisons.
func (c *compiler) collate(e *ast.CollateExpr) (*node, error) {
	n, err := c.compile(e.Expr)
	if err != nil {
		return nil, err
	}
	if err := c.allow("COLLATE", n); err != nil {
		return nil, err
	}
	collation, ok := charset.Lookup(c.session.Flavor, e.Collation)
	if !ok || n.Class != class.Text || collation.Charset != n.Collation.Charset {
		return nil, refuse("COLLATE")
	}
	s := n.Shape
	s.Collation, s.Coercible = collation, class.CoercibleExplicit
	return derive(s, n.ev, n), nil
}
