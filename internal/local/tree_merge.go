package local

import (
	"encoding/binary"
	"math"

	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// merged is what the columns of two relations have in common.
type merged struct {
	typ         *value.Type
	left, right cast
}

// cast converts a value to the type of a set's column. The zero cast leaves it as it
// is.
type cast struct {
	from, to *value.Type
	how      func(dst, v []byte, c *cast, env *value.Env) ([]byte, bool)
}

func (c *cast) append(dst, v []byte, env *value.Env) ([]byte, error) {
	if c.how == nil {
		return append(dst, v...), nil
	}
	dst, ok := c.how(dst, v, c, env)
	if !ok {
		return dst, sqlerr.ValueRefused("UNION")
	}
	return dst, nil
}

// merge finds the type of a set's column (MySQL manual, "UNION Result Set Columns"),
// where both sides are of one class.
func (t *treeCompiler) merge(left, right Column) (merged, error) {
	a, b := left.Typ, right.Typ
	var m merged
	switch {
	case onlyNull(b):
		m.typ = labelsAsText(a)
	case onlyNull(a):
		m.typ = labelsAsText(b)
	default:
		m.typ = t.common(&left, &right)
	}
	if m.typ == nil || m.typ.Kind == value.Char && t.program.session.Mode&value.PadCharToFullLength != 0 {
		return m, sqlerr.ExpressionRefused("UNION", a.Kind.String()+", "+b.Kind.String())
	}
	if !a.NotNull || !b.NotNull {
		m.typ = nullable(m.typ)
	}
	m.typ = m.typ.Unfilled()
	m.left, m.right = castTo(a, m.typ), castTo(b, m.typ)
	return m, nil
}

// onlyNull reports whether a column has nothing but NULL.
func onlyNull(t *value.Type) bool { return t.Kind == value.VarBinary && t.Length == 0 && !t.NotNull }

// common is the type of both columns, nil if it is not known.
func (t *treeCompiler) common(left, right *Column) *value.Type {
	a, b := left.Typ, right.Typ
	switch {
	case a.Kind.IsInteger() && b.Kind.IsInteger():
		return commonInteger(a, b, t.program.session.Flavor)
	case isExact(a) && isExact(b):
		return commonDecimal(a, b)
	case isReal(a) && isReal(b) && a.Length == 0 && b.Length == 0:
		return wider(a, b, max(a.Kind, b.Kind))
	case isTextual(a) && isTextual(b):
		return commonText(left, right)
	case isDay(a) && isDay(b):
		made := *wider(a, b, max(a.Kind, b.Kind))
		made.Decimals = max(a.Decimals, b.Decimals)
		return &made
	case a.Kind != b.Kind:
		return nil
	case a.Kind == value.Year:
		return a
	case a.Kind == value.Time, a.Kind == value.Timestamp:
		made := *a
		made.Decimals = max(a.Decimals, b.Decimals)
		return &made
	case a.Kind == value.VarBinary, a.Kind.IsBytes() && a.Length == b.Length:
		made := *a
		made.Length = max(a.Length, b.Length)
		return &made
	}
	return nil
}

func isExact(t *value.Type) bool { return t.Kind.IsInteger() || t.Kind == value.Decimal }

func isTextual(t *value.Type) bool {
	return t.Kind.IsText() || t.Kind == value.Enum || t.Kind == value.Set
}

// commonInteger is the type of two integers. Those with a sign and without have one in
// MySQL, unless it would be DECIMAL.
func commonInteger(a, b *value.Type, flavor value.Flavor) *value.Type {
	if a.Unsigned == b.Unsigned {
		return wider(a, b, max(a.Kind, b.Kind))
	}
	if flavor != value.MySQL || a.Unsigned && a.Kind == value.BigInt || b.Unsigned && b.Kind == value.BigInt {
		return nil
	}
	return &value.Type{Kind: value.BigInt, NotNull: a.NotNull && b.NotNull}
}

// wider is the type of a kind, which one of both may have.
func wider(a, b *value.Type, kind value.Kind) *value.Type {
	for _, t := range [...]*value.Type{a, b} {
		if t.Kind == kind {
			return t
		}
	}
	made := *a
	made.Kind = kind
	return &made
}

// commonDecimal has the digits of both, before the point and after it.
func commonDecimal(a, b *value.Type) *value.Type {
	whole, scale := max(wholeDigits(a), wholeDigits(b)), max(a.Decimals, b.Decimals)
	const digitsMax = 65
	if whole+scale > digitsMax {
		return nil
	}
	return &value.Type{Kind: value.Decimal, Length: whole + scale, Decimals: scale, NotNull: a.NotNull && b.NotNull}
}

// wholeDigits is how many digits there may be before the point.
func wholeDigits(t *value.Type) int {
	const bigintDigits = 20
	if t.Kind.IsInteger() {
		return bigintDigits
	}
	return t.Length - t.Decimals
}

// commonText is text in the collation of both, or of the one that is no literal.
func commonText(left, right *Column) *value.Type {
	a, b := left.Typ, right.Typ
	collation := a.Collation
	switch {
	case a.Collation == b.Collation:
	case left.literal && !right.literal:
		collation = b.Collation
	case !right.literal || left.literal:
		return nil
	}
	if collation == nil {
		return nil
	}
	if a.Kind == b.Kind && a.Kind.IsText() {
		made := *a
		made.Collation, made.Length = collation, max(a.Length, b.Length)
		return &made
	}
	length := max(a.Length, b.Length)
	return &value.Type{Kind: value.VarChar, Length: length, Collation: collation, NotNull: a.NotNull && b.NotNull}
}

// labelsAsText is text instead of ENUM and SET, which no set has.
func labelsAsText(t *value.Type) *value.Type {
	if t.Kind == value.Enum || t.Kind == value.Set {
		return &value.Type{Kind: value.VarChar, Collation: t.Collation}
	}
	return t
}

// castTo is the cast between two types that have something in common.
func castTo(from, to *value.Type) cast {
	c := cast{from: from, to: to}
	switch {
	case onlyNull(from):
	case to.Kind == value.Decimal && (from.Kind != value.Decimal || from.Decimals != to.Decimals || value.FixedBytes(from) != value.FixedBytes(to)):
		c.how = castNumber
	case to.Kind == value.Double && from.Kind == value.Float:
		c.how = castNumber
	case to.Kind.IsText() && (!from.Kind.IsText() || from.Collation.Charset != to.Collation.Charset):
		c.how = castText
	}
	return c
}

// castNumber converts a number to a wider type.
func castNumber(dst, v []byte, c *cast, env *value.Env) ([]byte, bool) {
	var source value.Source
	if c.from.Kind == value.Float {
		source = value.DoubleSource(floatOf(v))
	} else {
		plain := *c.from
		plain.Zerofill = false
		var room [80]byte
		source = value.DecimalSource(value.AppendText(room[:0], &plain, v, env))
	}
	dst, outcome := value.Assign(dst, c.to, &source, env)
	return dst, !outcome.Null && len(outcome.Conditions()) == 0
}

// castText converts text, or a label, to the character set of another collation.
func castText(dst, v []byte, c *cast, env *value.Env) ([]byte, bool) {
	if !c.from.Kind.IsText() {
		v = value.AppendText(nil, c.from, v, env)
	}
	if c.from.Collation.Charset == c.to.Collation.Charset {
		return append(dst, v...), true
	}
	dst, bad := charset.Convert(dst, c.to.Collation.Charset, c.from.Collation.Charset, v)
	return dst, bad < 0
}

// floatOf is the number of a FLOAT.
func floatOf(v []byte) float64 {
	return float64(math.Float32frombits(uint32(binary.BigEndian.Uint64(v))))
}
