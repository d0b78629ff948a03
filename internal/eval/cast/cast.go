package cast

import (
	"encoding/binary"
	"strings"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/documents"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// As compiles CAST and CONVERT to a type. A value that does not become one of
// the type without a warning is refused.
func As(c *compilation.Compilation, e ast.Expr, to *ast.ConvertType) (*program.Node, error) {
	n, err := c.Compile(e)
	if err != nil {
		return nil, err
	}
	word, _, _ := strings.Cut(strings.ToLower(to.Type), " ")
	name := "CAST AS " + strings.ToUpper(word)
	if err := c.Allow(name, n); err != nil {
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
		return castInteger(c, n, name, word == "unsigned")
	case "decimal":
		return castDecimal(c, n, name, length, scale)
	case "double":
		s := class.Shape{Class: class.Double, Scale: class.ScaleFree, Coercible: class.CoercibleNumber}
		return program.Castable(program.Derive(s, coercion.Real(c, n, name), n)), nil
	case "char", "nchar":
		return castChar(c, n, name, length, &to.Charset)
	case "binary":
		return castBinary(c, n, name, length)
	case "json":
		return documents.Cast(c, n, name)
	case "date", "datetime", "time":
		return castTemporal(c, n, name, word, max(length, 0))
	}
	return nil, refusal.Of(name)
}

// castInteger makes an integer of 64 bits. Integers keep their bits.
func castInteger(c *compilation.Compilation, n *program.Node, name string, unsigned bool) (*program.Node, error) {
	s := class.Shape{Class: class.Int, Digits: 20, Coercible: class.CoercibleNumber}
	if unsigned {
		s.Class = class.Uint
	}
	ev := coercion.Integer(c, n, name)
	if n.Class.IsInteger() {
		return program.Derive(s, ev, n), nil
	}
	return program.Castable(program.Derive(s, c.Convert(&program.Node{Ev: ev}, func(r *program.Run, in, out *program.Datum) *program.Datum {
		if unsigned && int64(in.N) < 0 {
			return r.Refuse(name)
		}
		return out.SetUint(in.N)
	}), n)), nil
}

// castDecimal makes a DECIMAL(length, scale), of ten digits if none are given.
func castDecimal(c *compilation.Compilation, n *program.Node, name string, length, scale int) (*program.Node, error) {
	if length <= 0 {
		length = 10
	}
	if length > decimal.DigitsMax || scale > c.Rules().ScaleMax() || scale > length {
		return nil, refusal.Of(name)
	}
	s := class.Shape{Class: class.Decimal, Digits: length, Scale: scale, Coercible: class.CoercibleNumber}
	return program.Castable(program.Derive(s, c.Convert(&program.Node{Ev: coercion.Decimal(c, n, name)}, func(r *program.Run, in, out *program.Datum) *program.Datum {
		out.D = in.D
		if !out.D.Round(scale) || out.D.WholeDigits() > length-scale {
			return r.Refuse(name)
		}
		return out
	}), n)), nil
}

// castChar makes characters of the connection's character set.
func castChar(c *compilation.Compilation, n *program.Node, name string, length int, to *ast.ColumnCharset) (*program.Node, error) {
	if to.Name != "" || to.Binary || n.Class == class.Hex || n.Class == class.Bit {
		return nil, refusal.Of(name)
	}
	if n.Class == class.Bytes {
		return castCharOfBytes(c, n, name, length)
	}
	s := class.Shape{Class: class.Text, Chars: coercion.TextChars(n), Collation: c.Session.Collation, Coercible: class.CoercibleColumn}
	s.TextOnly = c.Session.IsMariaDB() || n.TextOnly || n.Class != class.Text
	ev, err := coercion.InCharset(c, n, s.Collation.Charset, name)
	if err != nil {
		return nil, err
	}
	if length < 0 {
		return program.Derive(s, ev, n), nil
	}
	s.Chars = length
	return program.Castable(program.Derive(s, atMost(ev, length, s.Collation.Charset, name), n)), nil
}

// castCharOfBytes takes bytes for what they are in the connection's character set, and
// refuses those that are nothing in it: servers warn of them.
func castCharOfBytes(c *compilation.Compilation, n *program.Node, name string, length int) (*program.Node, error) {
	set := c.Session.Collation.Charset
	if set.BytesMin > 1 || set.Name == "binary" {
		return nil, refusal.Of(name + " of bytes in " + set.Name)
	}
	s := class.Shape{Class: class.Text, Chars: n.Chars, Collation: c.Session.Collation, Coercible: class.CoercibleColumn, TextOnly: true}
	bytes := n.Ev
	ev := func(r *program.Run) *program.Datum {
		d := bytes(r)
		if !d.Null && !set.Valid(d.B) {
			return r.Refuse(name)
		}
		return d
	}
	if length >= 0 {
		s.Chars, ev = length, atMost(ev, length, set, name)
	}
	return program.Castable(program.Derive(s, ev, n)), nil
}

// atMost refuses text that is longer: a cast cuts it, with a warning.
func atMost(ev program.Evaluator, chars int, set *charset.Charset, name string) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if !d.Null && set.CharLen(d.B) > chars {
			return r.Refuse(name)
		}
		return d
	}
}

// castBinary makes bytes of text, as it is.
func castBinary(c *compilation.Compilation, n *program.Node, name string, length int) (*program.Node, error) {
	if length >= 0 {
		return nil, refusal.Of(name + "(n)")
	}
	ev, err := coercion.Text(c, n, name)
	if err != nil {
		return nil, err
	}
	s := class.Shape{Class: class.Bytes, Chars: coercion.TextChars(n), Coercible: class.CoercibleColumn, TextOnly: true}
	return program.Derive(s, ev, n), nil
}

// castTemporal makes a date or time, as a column of the type would store it.
func castTemporal(c *compilation.Compilation, n *program.Node, name, word string, scale int) (*program.Node, error) {
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
		return nil, refusal.Of(name)
	}
	if word == "date" && n.Class.HasDate() {
		ev := coercion.WithoutZeros(c, n, n.Ev, name)
		return program.Castable(program.Derive(s, c.Convert(&program.Node{Ev: ev}, func(_ *program.Run, in, out *program.Datum) *program.Datum {
			return out.SetUint(in.N >> value.DayShift << value.DayShift)
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
	return program.Castable(program.Derive(s, c.Once(n, c.Convert(n, func(r *program.Run, in, out *program.Datum) *program.Datum {
		src := source
		src.Bytes, src.Number = in.B, in.N
		var room [8]byte
		b, o := value.Assign(room[:0], t, &src, &r.Lax)
		if len(b) != 8 || src.Form == value.FormString && !coercion.PlainTemporal(in.B, s.Class) || hasWarning(&o) {
			return r.Refuse(name)
		}
		if out.N = binary.BigEndian.Uint64(b); s.Class == class.Date {
			out.N = out.N >> value.DayShift << value.DayShift
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

// Collate compiles x COLLATE name, which decides the collation of comparisons.
func Collate(c *compilation.Compilation, e *ast.CollateExpr) (*program.Node, error) {
	n, err := c.Compile(e.Expr)
	if err != nil {
		return nil, err
	}
	if err := c.Allow("COLLATE", n); err != nil {
		return nil, err
	}
	collation, ok := charset.Lookup(c.Session.Flavor, e.Collation)
	if !ok || n.Class != class.Text || collation.Charset != n.Collation.Charset {
		return nil, refusal.Of("COLLATE")
	}
	s := n.Shape
	s.Collation, s.Coercible = collation, class.CoercibleExplicit
	return program.Derive(s, n.Ev, n), nil
}
