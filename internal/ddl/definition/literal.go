package definition

import (
	"encoding/hex"
	"math/big"
	"strconv"

	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// sourceOf is the value of a constant in a definition. ok is false for what is no
// constant, and for one whose meaning is not known here. Text is in UTF-8.
func sourceOf(e ast.Expr, flavor value.Flavor, collation *charset.Collation) (s value.Source, ok bool) {
	switch e := e.(type) {
	case *ast.NullVal:
		return value.NullSource(), true
	case ast.BoolVal:
		return value.BoolSource(bool(e)), true
	case *ast.Literal:
		return literalSource(e, flavor, collation, false)
	case *ast.UnaryExpr:
		l, isLiteral := e.Expr.(*ast.Literal)
		if !isLiteral || e.Operator != ast.UMinusOp && e.Operator != ast.UPlusOp {
			return s, false
		}
		return literalSource(l, flavor, collation, e.Operator == ast.UMinusOp)
	}
	return s, false
}

// literalSource is the value of a literal with or without a sign.
func literalSource(l *ast.Literal, flavor value.Flavor, collation *charset.Collation, minus bool) (s value.Source, ok bool) {
	text := l.Val
	if minus {
		text = "-" + text
	}
	switch l.Type {
	case ast.IntVal:
		return integerSource(text)
	case ast.DecimalVal:
		return value.DecimalSource([]byte(text)), true
	case ast.FloatVal:
		f, err := strconv.ParseFloat(text, 64)
		return value.DoubleSource(f), err == nil
	default:
		if minus {
			return s, false
		}
		return textSource(l.Type, text, flavor, collation)
	}
}

// textSource is the value of a literal that is no number.
func textSource(typ ast.ValType, text string, flavor value.Flavor, collation *charset.Collation) (s value.Source, ok bool) {
	switch typ {
	case ast.StrVal:
		return value.StringSource([]byte(text), collation), true
	case ast.HexVal:
		b, err := hex.DecodeString(text)
		if flavor == value.MariaDB {
			return value.HexStringSource(b), err == nil
		}
		return value.HexSource(b), err == nil
	case ast.HexNum:
		b, ok := digits(text, 16)
		return value.HexSource(b), ok
	case ast.BitNum:
		b, ok := digits(text, 2)
		return value.BitSource(b), ok
	default:
		return s, false // dates with their word before them are no defaults anybody writes
	}
}

func integerSource(text string) (s value.Source, ok bool) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.IntSource(i), true
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return value.UintSource(u), true
	}
	return value.DecimalSource([]byte(text)), true
}

// digits are the bytes of 0x41 or 0b101, filled up on the left.
func digits(text string, base int) ([]byte, bool) {
	if len(text) < 2 || text[0] != '0' {
		return nil, false
	}
	text = text[2:]
	n, ok := new(big.Int).SetString(text, base)
	if !ok {
		return nil, false
	}
	bits := 1
	if base == 16 {
		bits = 4
	}
	return n.FillBytes(make([]byte, (len(text)*bits+7)/8)), true
}
