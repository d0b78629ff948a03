package eval

import (
	"encoding/hex"
	"math"
	"strconv"

	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/number"
	"tunic/internal/eval/program"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// bindNode is the value of a place or a parameter.
func (c *compiler) bindNode(a *ast.Argument) (*program.Node, error) {
	index, example, err := c.scope.Bind(a)
	if err != nil {
		return nil, err
	}
	n, err := c.constantNode(example, index)
	if param, ok := sql.ParamOf(a); err == nil && ok {
		n.Param = param < sql.FirstVariable
	}
	return n, err
}

// constantNode is a constant; bind is -1 for one that the tree has.
func (c *compiler) constantNode(s value.Source, bind int) (*program.Node, error) {
	shape, err := c.shapeOfSource(&s)
	if err != nil {
		return nil, err
	}
	n := &program.Node{Shape: shape, Constant: true, Literal: true, Example: &s}
	n.Guessed = s.Variable && s.Form == value.FormDecimal
	if shape.Class == class.Null && bind < 0 {
		n.Ev = func(*program.Run) *program.Datum { return program.NullDatum }
		return n, nil
	}
	slot := c.slot()
	c.consts = append(c.consts, program.Constant{Slot: slot, Bind: bind, Literal: s, Shape: shape})
	n.Ev = func(r *program.Run) *program.Datum { return &r.Slots[slot] }
	n.Fixed = len(c.consts)
	return n, nil
}

// pin makes a literal's value part of what the expression is compiled for: a bind
// of another value is one of another shape.
func (c *compiler) pin(n *program.Node) {
	if n.Fixed > 0 {
		c.consts[n.Fixed-1].Pinned = true
	}
}

// shapeOfSource is the static type of a literal or parameter.
func (c *compiler) shapeOfSource(s *value.Source) (class.Shape, error) {
	sh := class.Shape{Coercible: class.CoercibleNumber}
	switch s.Form {
	case value.FormNull:
		return class.Shape{Class: class.Null, Nullable: true, Coercible: class.CoercibleNull}, nil
	case value.FormInt:
		sh.Class, sh.Digits = class.Int, number.Digits(decimal.Magnitude(int64(s.Number)))
	case value.FormUint:
		sh.Class, sh.Digits = class.Uint, number.Digits(s.Number)
	case value.FormDecimal:
		var d decimal.Number
		if !d.SetText(s.Bytes) || d.WholeDigits()+d.Decimals() > decimal.DigitsMax {
			return sh, sqlerr.ValueRefused("a DECIMAL literal")
		}
		sh.Class, sh.Scale = class.Decimal, d.Decimals()
		sh.Digits = max(d.WholeDigits(), 1) + sh.Scale
	case value.FormDouble:
		sh.Class, sh.Scale = class.Double, class.ScaleFree
	case value.FormString:
		return c.shapeOfText(s)
	case value.FormHex, value.FormBit:
		sh.Class, sh.Chars, sh.Coercible = class.Hex, len(s.Bytes), class.CoercibleLiteral
	case value.FormHexString:
		sh.Class, sh.Chars, sh.Coercible = class.Bytes, len(s.Bytes), class.CoercibleLiteral
	case value.FormDate:
		sh.Class = class.Date
	case value.FormTime:
		sh.Class, sh.Scale = class.Time, c.fraction(s)
	case value.FormDateTime:
		sh.Class, sh.Scale = class.DateTime, c.fraction(s)
	default:
		return sh, refuse("a literal of this kind")
	}
	return sh, nil
}

// fraction is how many digits after the second a date or time is computed with: all in MySQL if
// it is a parameter.
func (c *compiler) fraction(s *value.Source) int {
	if s.Param && !c.session.IsMariaDB() {
		return 6
	}
	return int(s.Fraction)
}

func (c *compiler) shapeOfText(s *value.Source) (class.Shape, error) {
	sh := class.Shape{Class: class.Text, Collation: s.Collation, Coercible: class.CoercibleLiteral}
	if sh.Collation == nil {
		sh.Collation = c.session.Collation
	}
	if sh.Collation.Charset.Name == "binary" {
		sh.Class, sh.Collation, sh.Chars = class.Bytes, nil, len(s.Bytes)
		return sh, nil
	}
	switch {
	case s.Variable:
		sh.Coercible = class.CoercibleColumn
	case s.System:
		sh.Coercible = class.CoercibleSystem
	}
	sh.Chars = sh.Collation.Charset.CharLen(s.Bytes)
	return sh, nil
}

// literalNode is a literal that has no place in the statement's template.
func (c *compiler) literalNode(l *ast.Literal) (*program.Node, error) {
	s, err := c.literalSource(l)
	if err != nil {
		return nil, err
	}
	return c.constantNode(s, -1)
}

func (c *compiler) literalSource(l *ast.Literal) (value.Source, error) {
	text := []byte(l.Val)
	switch l.Type {
	case ast.StrVal:
		return value.StringSource(text, c.session.Collation), nil
	case ast.IntVal:
		return integerSource(text), nil
	case ast.DecimalVal:
		return value.DecimalSource(text), nil
	case ast.FloatVal:
		f, err := strconv.ParseFloat(l.Val, 64)
		if err != nil || math.IsInf(f, 0) {
			return value.Source{}, sqlerr.ValueRefused("a DOUBLE literal")
		}
		return value.DoubleSource(f), nil
	case ast.HexVal, ast.HexNum:
		return c.hexSource(l)
	case ast.DateVal, ast.TimeVal, ast.TimestampVal:
		return c.temporalLiteral(text, l.Type)
	default:
		return value.Source{}, refuse("a literal of this kind")
	}
}

func integerSource(text []byte) value.Source {
	if i, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return value.IntSource(i)
	}
	if u, err := strconv.ParseUint(string(text), 10, 64); err == nil {
		return value.UintSource(u)
	}
	return value.DecimalSource(text)
}

// hexSource reads x'41' and 0x41. In MariaDB the former is a string only.
func (c *compiler) hexSource(l *ast.Literal) (value.Source, error) {
	text := l.Val
	if l.Type == ast.HexNum && len(text) > 2 {
		text = text[2:]
	}
	if len(text)%2 == 1 {
		text = "0" + text
	}
	b, err := hex.DecodeString(text)
	if err != nil {
		return value.Source{}, refuse("a hexadecimal literal")
	}
	if l.Type == ast.HexVal && c.session.IsMariaDB() {
		return value.HexStringSource(b), nil
	}
	return value.HexSource(b), nil
}

// temporalLiteral reads DATE'…', TIME'…' and TIMESTAMP'…'.
func (c *compiler) temporalLiteral(text []byte, of ast.ValType) (value.Source, error) {
	env := &value.Env{Flavor: c.session.Flavor, Version: c.session.Version, Mode: value.StrictAllTables | c.session.Mode}
	t := &value.Type{Kind: value.DateTime, Decimals: calendar.FractionDigits(text)}
	switch of {
	case ast.DateVal:
		t = &value.Type{Kind: value.Date}
	case ast.TimeVal:
		t.Kind = value.Time
	default:
	}
	src := value.StringSource(text, c.session.Collation)
	canonical, o := value.Assign(nil, t, &src, env)
	if len(o.Conditions()) > 0 || len(canonical) != 8 {
		return src, sqlerr.ValueRefused("a date or time literal")
	}
	packed := int64(wordOf(canonical))
	switch of {
	case ast.DateVal:
		return value.DateSource(packed), nil
	case ast.TimeVal:
		return value.TimeSource(packed, uint8(t.Decimals)), nil
	default:
		return value.DateTimeSource(packed, uint8(t.Decimals)), nil
	}
}

// groupOfItems reports whether an argument stands for the items of IN.
func groupOfItems(a *ast.Argument) bool {
	p, ok := sql.PlaceOf(a)
	return ok && p.Group >= 0 && a.Name != "" && a.Name[0] == 'g'
}
