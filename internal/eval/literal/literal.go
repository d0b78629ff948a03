package literal

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"

	"tunic/internal/eval/calendar"
	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/number"
	"tunic/internal/eval/program"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// ShapeOf is the static type of a literal or parameter.
func ShapeOf(s *value.Source, session *program.Session) (class.Shape, error) {
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
		return shapeOfText(s, session.Collation), nil
	case value.FormHex, value.FormBit:
		sh.Class, sh.Chars, sh.Coercible = class.Hex, len(s.Bytes), class.CoercibleLiteral
	case value.FormHexString:
		sh.Class, sh.Chars, sh.Coercible = class.Bytes, len(s.Bytes), class.CoercibleLiteral
	case value.FormDate:
		sh.Class = class.Date
	case value.FormTime:
		sh.Class, sh.Scale = class.Time, fraction(s, session)
	case value.FormDateTime:
		sh.Class, sh.Scale = class.DateTime, fraction(s, session)
	default:
		return sh, sqlerr.ExpressionRefused("a literal of this kind", "")
	}
	return sh, nil
}

// fraction is how many digits after the second a date or time is computed with: all in MySQL if
// it is a parameter.
func fraction(s *value.Source, session *program.Session) int {
	if s.Param && !session.IsMariaDB() {
		return 6
	}
	return int(s.Fraction)
}

// shapeOfText is that of a string, of the connection's collation unless it has its own.
func shapeOfText(s *value.Source, connection *charset.Collation) class.Shape {
	sh := class.Shape{Class: class.Text, Collation: s.Collation, Coercible: class.CoercibleLiteral}
	if sh.Collation == nil {
		sh.Collation = connection
	}
	if sh.Collation.Charset.Name == "binary" {
		sh.Class, sh.Collation, sh.Chars = class.Bytes, nil, len(s.Bytes)
		return sh
	}
	switch {
	case s.Variable:
		sh.Coercible = class.CoercibleColumn
	case s.System:
		sh.Coercible = class.CoercibleSystem
	}
	sh.Chars = sh.Collation.Charset.CharLen(s.Bytes)
	return sh
}

// SourceOf is what a literal of a tree supplies.
func SourceOf(l *ast.Literal, session *program.Session) (value.Source, error) {
	text := []byte(l.Val)
	switch l.Type {
	case ast.StrVal:
		return value.StringSource(text, session.Collation), nil
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
		return hexSource(l, session)
	case ast.DateVal, ast.TimeVal, ast.TimestampVal:
		return temporalSource(text, l.Type, session)
	default:
		return value.Source{}, sqlerr.ExpressionRefused("a literal of this kind", "")
	}
}

// integerSource is a number without a point: a DECIMAL if 64 bits do not hold it.
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
func hexSource(l *ast.Literal, session *program.Session) (value.Source, error) {
	text := l.Val
	if l.Type == ast.HexNum && len(text) > 2 {
		text = text[2:]
	}
	if len(text)%2 == 1 {
		text = "0" + text
	}
	b, err := hex.DecodeString(text)
	if err != nil {
		return value.Source{}, sqlerr.ExpressionRefused("a hexadecimal literal", "")
	}
	if l.Type == ast.HexVal && session.IsMariaDB() {
		return value.HexStringSource(b), nil
	}
	return value.HexSource(b), nil
}

// temporalSource reads DATE'…', TIME'…' and TIMESTAMP'…'.
func temporalSource(text []byte, of ast.ValType, session *program.Session) (value.Source, error) {
	env := &value.Env{Flavor: session.Flavor, Version: session.Version, Mode: value.StrictAllTables | session.Mode}
	t := &value.Type{Kind: value.DateTime, Decimals: calendar.FractionDigits(text)}
	switch of {
	case ast.DateVal:
		t = &value.Type{Kind: value.Date}
	case ast.TimeVal:
		t.Kind = value.Time
	default:
	}
	src := value.StringSource(text, session.Collation)
	canonical, o := value.Assign(nil, t, &src, env)
	if len(o.Conditions()) > 0 || len(canonical) != 8 {
		return src, sqlerr.ValueRefused("a date or time literal")
	}
	packed := int64(binary.BigEndian.Uint64(canonical))
	switch of {
	case ast.DateVal:
		return value.DateSource(packed), nil
	case ast.TimeVal:
		return value.TimeSource(packed, uint8(t.Decimals)), nil
	default:
		return value.DateTimeSource(packed, uint8(t.Decimals)), nil
	}
}
