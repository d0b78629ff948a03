package exec

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"tunic/internal/environment"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// constant is the value of a literal: its kind, the bytes that
// sql.Literal.AppendValue makes of it, and the character set before it.
type constant struct {
	kind       sql.LiteralKind
	bytes      []byte
	introducer []byte
}

// constantKinds are the kinds of literals that are nodes of a tree.
var constantKinds = map[ast.ValType]sql.LiteralKind{
	ast.IntVal: sql.LiteralInteger, ast.DecimalVal: sql.LiteralDecimal, ast.FloatVal: sql.LiteralFloat,
	ast.HexVal: sql.LiteralHex, ast.HexNum: sql.LiteralHexNumber, ast.BitNum: sql.LiteralBit,
	ast.StrVal: sql.LiteralString, ast.DateVal: sql.LiteralDate, ast.TimeVal: sql.LiteralTime, ast.TimestampVal: sql.LiteralTimestamp,
}

// takeConstant reads the constant of an operand that is one of the statement's
// form.
func (o *operand) takeConstant() error {
	if o.of.Kind != recipe.FromForm {
		return nil
	}
	switch n := o.of.Literal.(type) {
	case *ast.NullVal:
		o.constant.kind = sql.LiteralNull
		return nil
	case ast.BoolVal:
		o.constant.kind = sql.LiteralFalse
		if n {
			o.constant.kind = sql.LiteralTrue
		}
		return nil
	case *ast.Literal:
		return o.takeLiteral(n)
	}
	return sqlerr.StatementRefused("a constant of this form")
}

// takeLiteral reads a literal that is a node of a tree.
func (o *operand) takeLiteral(n *ast.Literal) error {
	kind, ok := constantKinds[n.Type]
	if !ok {
		return sqlerr.StatementRefused("a constant of this form")
	}
	o.constant = constant{kind: kind, bytes: []byte(n.Val)}
	var err error
	switch kind {
	case sql.LiteralHex, sql.LiteralHexNumber:
		digits := strings.TrimPrefix(n.Val, "0x")
		o.constant.bytes, err = hex.DecodeString(strings.Repeat("0", len(digits)%2) + digits)
	case sql.LiteralBit:
		var bits uint64
		digits := strings.TrimPrefix(n.Val, "0b")
		bits, err = strconv.ParseUint(digits, 2, 64)
		var room [8]byte
		binary.BigEndian.PutUint64(room[:], bits)
		o.constant.bytes = bytes.Clone(room[8-(len(digits)+7)/8:])
	default:
	}
	if err != nil {
		return sqlerr.StatementRefused("a constant of this form")
	}
	return nil
}

// literal reads a literal of the text.
func (b *binder) literal(o *recipe.Operand, element int) constant {
	l := b.literals.At(o.Place, element)
	var c constant
	b.scratch, c.kind = l.AppendValue(b.scratch[:0], b.text, b.env.Modes)
	c.bytes, c.introducer = b.scratch, l.Introducer(b.text)
	return c
}

// constantSource is the value of a constant as the server takes it.
func (b *binder) constantSource(c constant, negative bool) error {
	if negative && c.kind != sql.LiteralInteger && c.kind != sql.LiteralDecimal && c.kind != sql.LiteralFloat && c.kind != sql.LiteralNull {
		return sqlerr.StatementRefused("a minus sign before what is no number")
	}
	switch c.kind {
	case sql.LiteralNull:
		b.source = value.NullSource()
	case sql.LiteralTrue, sql.LiteralFalse:
		b.source = value.BoolSource(c.kind == sql.LiteralTrue)
	case sql.LiteralInteger, sql.LiteralDecimal, sql.LiteralFloat:
		return b.numberSource(c, negative)
	case sql.LiteralString, sql.LiteralNational:
		return b.stringSource(c)
	case sql.LiteralHex, sql.LiteralHexNumber, sql.LiteralBit:
		return b.bytesSource(c)
	case sql.LiteralDate, sql.LiteralTime, sql.LiteralTimestamp:
		return b.typedSource(c)
	case sql.LiteralInvalid:
		return sqlerr.StatementUnread()
	}
	return nil
}

// numberSource reads a number. A sign of the literal itself and one before it
// cancel each other.
func (b *binder) numberSource(c constant, negative bool) error {
	digits := c.bytes
	if len(digits) > 0 && digits[0] == '-' {
		digits, negative = digits[1:], !negative
	}
	if c.kind == sql.LiteralFloat {
		f, err := strconv.ParseFloat(string(digits), 64)
		if err != nil {
			return environment.IllegalDouble()
		}
		if negative {
			f = -f
		}
		b.source = value.DoubleSource(f)
		return nil
	}
	if n, ok := parseDigits(digits); ok && c.kind == sql.LiteralInteger {
		switch {
		case !negative:
			b.source = value.UintSource(n)
			return nil
		case n <= 1<<63:
			b.source = value.IntSource(-int64(n)) // wraps to itself at the lowest
			return nil
		}
	}
	b.source = value.DecimalSource(b.signed(digits, negative))
	return nil
}

// signed is the digits with their sign before them.
func (b *binder) signed(digits []byte, negative bool) []byte {
	if !negative {
		return digits
	}
	b.signs = append(append(b.signs[:0], '-'), digits...)
	return b.signs
}

// parseDigits reads an unsigned number of 64 bits.
func parseDigits(digits []byte) (n uint64, ok bool) {
	for _, c := range digits {
		d := uint64(c - '0')
		if c < '0' || c > '9' || n > (1<<64-1-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	return n, len(digits) > 0
}

// stringSource reads a string. Its bytes are in the client's character set, but
// for those behind an introducer, and reach the statement in the connection's.
func (b *binder) stringSource(c constant) error {
	switch {
	case c.introducer != nil:
		set, ok := charset.CharsetByName(b.env.Value.Flavor, string(c.introducer))
		if !ok {
			return sqlerr.StatementRefused("a string in a character set that tunic does not know")
		}
		if b.source = value.StringSource(c.bytes, set.Default()); !set.Valid(c.bytes) {
			return sqlerr.ValueRefused("a string that is none in the character set of its introducer")
		}
		return nil
	case c.kind == sql.LiteralNational:
		b.noteNational()
		set, _ := charset.CharsetByName(b.env.Value.Flavor, "utf8mb3")
		return b.converted(c.bytes, set.Default())
	}
	if err := b.noteInvalid(c.bytes); err != nil {
		return err
	}
	return b.converted(c.bytes, b.env.Connection)
}

// shownInvalid is how many bytes of a text that is none are shown in the warning.
const shownInvalid = 3

// noteInvalid raises what MySQL says of a text that is none in the connection's character
// set, as drivers write bytes. Of a prepared statement it says so when it prepares it, and
// tunic does not.
func (b *binder) noteInvalid(s []byte) error {
	const code = 1300
	set := b.env.Connection.Charset
	if b.env.Value.Flavor != value.MySQL || b.env.Client != set || set.Valid(s) {
		return nil
	}
	if b.prepared != nil {
		return sqlerr.StatementRefused("a prepared statement with a string that is none in its character set")
	}
	at := 0
	for n := range s {
		if set.Valid(s[:n]) {
			at = n
		}
	}
	bad := s[at:min(len(s), at+shownInvalid)]
	b.notices.Add(value.Warning, code, []byte(fmt.Sprintf("Invalid %s character string: '%X'", set.Name, bad)))
	return nil
}

// noteNational raises what MySQL says of every N'…' (MySQL manual, "The National
// Character Set").
func (b *binder) noteNational() {
	const code = 3720
	if b.env.Value.Flavor == value.MySQL && b.env.Value.Version >= 80000 {
		b.notices.Add(value.Warning, code, []byte("NATIONAL/NCHAR/NVARCHAR implies the character set UTF8MB3, which will be replaced by "+
			"UTF8MB4 in a future release. Please consider using CHAR(x) CHARACTER SET UTF8MB4 in order to be unambiguous."))
	}
}

// converted makes a string of bytes of the client's, in the character set of a
// collation.
func (b *binder) converted(s []byte, to *charset.Collation) error {
	if from := b.env.Client; from != to.Charset {
		for _, set := range [...]*charset.Charset{from, to.Charset} {
			if ok, _ := set.Convertible(); !ok {
				return sqlerr.StatementRefused("a conversion between these character sets")
			}
		}
		b.strings, _ = charset.Convert(b.strings[:0], to.Charset, from, s)
		s = b.strings
	}
	b.source = value.StringSource(s, to)
	return nil
}

// bytesSource reads a hexadecimal or binary literal.
func (b *binder) bytesSource(c constant) error {
	switch {
	case c.introducer != nil:
		return b.stringSource(c)
	case c.kind == sql.LiteralBit:
		b.source = value.BitSource(c.bytes)
	case c.kind == sql.LiteralHex && b.env.Value.Flavor == value.MariaDB:
		b.source = value.HexStringSource(c.bytes)
	default:
		b.source = value.HexSource(c.bytes)
	}
	return nil
}

// typedSource reads DATE'…', TIME'…' and TIMESTAMP'…'.
func (b *binder) typedSource(c constant) error {
	kind := value.DateTime
	switch c.kind {
	case sql.LiteralDate:
		kind = value.Date
	case sql.LiteralTime:
		kind = value.Time
	default:
	}
	s, ok := value.TypedSource(kind, c.bytes, &b.env.Value)
	if !ok {
		return sqlerr.StatementRefused("a literal that is no date or time as its type asks")
	}
	b.source = s
	return nil
}
