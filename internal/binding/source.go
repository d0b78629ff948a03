package binding

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

// Constant is the value of a literal: its kind, the bytes that
// sql.Literal.AppendValue makes of it, and the character set before it.
type Constant struct {
	kind       sql.LiteralKind
	Bytes      []byte
	introducer []byte
}

// constantKinds are the kinds of literals that are nodes of a tree.
var constantKinds = map[ast.ValType]sql.LiteralKind{
	ast.IntVal: sql.LiteralInteger, ast.DecimalVal: sql.LiteralDecimal, ast.FloatVal: sql.LiteralFloat,
	ast.HexVal: sql.LiteralHex, ast.HexNum: sql.LiteralHexNumber, ast.BitNum: sql.LiteralBit,
	ast.StrVal: sql.LiteralString, ast.DateVal: sql.LiteralDate, ast.TimeVal: sql.LiteralTime, ast.TimestampVal: sql.LiteralTimestamp,
}

// TakeConstant reads the constant of an operand that is one of the statement's
// form.
func (o *Operand) TakeConstant() error {
	if o.Of.Kind != recipe.FromForm {
		return nil
	}
	switch n := o.Of.Literal.(type) {
	case *ast.NullVal:
		o.Constant.kind = sql.LiteralNull
		return nil
	case ast.BoolVal:
		o.Constant.kind = sql.LiteralFalse
		if n {
			o.Constant.kind = sql.LiteralTrue
		}
		return nil
	case *ast.Literal:
		return o.takeLiteral(n)
	}
	return sqlerr.StatementRefused("a constant of this form")
}

// takeLiteral reads a literal that is a node of a tree.
func (o *Operand) takeLiteral(n *ast.Literal) error {
	kind, ok := constantKinds[n.Type]
	if !ok {
		return sqlerr.StatementRefused("a constant of this form")
	}
	o.Constant = Constant{kind: kind, Bytes: []byte(n.Val)}
	var err error
	switch kind {
	case sql.LiteralHex, sql.LiteralHexNumber:
		digits := strings.TrimPrefix(n.Val, "0x")
		o.Constant.Bytes, err = hex.DecodeString(strings.Repeat("0", len(digits)%2) + digits)
	case sql.LiteralBit:
		var bits uint64
		digits := strings.TrimPrefix(n.Val, "0b")
		bits, err = strconv.ParseUint(digits, 2, 64)
		var room [8]byte
		binary.BigEndian.PutUint64(room[:], bits)
		o.Constant.Bytes = bytes.Clone(room[8-(len(digits)+7)/8:])
	default:
	}
	if err != nil {
		return sqlerr.StatementRefused("a constant of this form")
	}
	return nil
}

// literal reads a literal of the text.
func (b *Binder) literal(o *recipe.Operand, element int) Constant {
	l := b.Literals.At(o.Place, element)
	var c Constant
	b.scratch, c.kind = l.AppendValue(b.scratch[:0], b.Text, b.Env.Modes)
	c.Bytes, c.introducer = b.scratch, l.Introducer(b.Text)
	return c
}

// constantSource is the value of a constant as the server takes it.
func (b *Binder) constantSource(c Constant, negative bool) error {
	if negative && c.kind != sql.LiteralInteger && c.kind != sql.LiteralDecimal && c.kind != sql.LiteralFloat && c.kind != sql.LiteralNull {
		return sqlerr.StatementRefused("a minus sign before what is no number")
	}
	switch c.kind {
	case sql.LiteralNull:
		b.Source = value.NullSource()
	case sql.LiteralTrue, sql.LiteralFalse:
		b.Source = value.BoolSource(c.kind == sql.LiteralTrue)
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
func (b *Binder) numberSource(c Constant, negative bool) error {
	digits := c.Bytes
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
		b.Source = value.DoubleSource(f)
		return nil
	}
	if n, ok := ParseDigits(digits); ok && c.kind == sql.LiteralInteger {
		switch {
		case !negative:
			b.Source = value.UintSource(n)
			return nil
		case n <= 1<<63:
			b.Source = value.IntSource(-int64(n)) // wraps to itself at the lowest
			return nil
		}
	}
	b.Source = value.DecimalSource(b.signed(digits, negative))
	return nil
}

// signed is the digits with their sign before them.
func (b *Binder) signed(digits []byte, negative bool) []byte {
	if !negative {
		return digits
	}
	b.signs = append(append(b.signs[:0], '-'), digits...)
	return b.signs
}

// ParseDigits reads an unsigned number of 64 bits.
func ParseDigits(digits []byte) (n uint64, ok bool) {
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
// for those behind an introducer and those of a national string, which are in utf8mb3
// (MySQL manual, "The National Character Set"), and reach the statement in the connection's.
func (b *Binder) stringSource(c Constant) error {
	switch {
	case c.introducer != nil:
		set, ok := charset.CharsetByName(b.Env.Value.Flavor, string(c.introducer))
		if !ok {
			return sqlerr.StatementRefused("a string in a character set that tunic does not know")
		}
		if b.Source = value.StringSource(c.Bytes, set.Default()); !set.Valid(c.Bytes) {
			return sqlerr.ValueRefused("a string that is none in the character set of its introducer")
		}
		return nil
	case c.kind == sql.LiteralNational:
		b.noteNational()
		set, _ := charset.CharsetByName(b.Env.Value.Flavor, "utf8mb3")
		if b.Source = value.StringSource(c.Bytes, set.Default()); !set.Valid(c.Bytes) {
			return sqlerr.ValueRefused("a national string that is none in utf8mb3")
		}
		return nil
	}
	if err := b.noteInvalid(c.Bytes); err != nil {
		return err
	}
	return b.converted(c.Bytes, b.Env.Connection)
}

// shownInvalid is how many bytes of a text that is none are shown in the warning.
const shownInvalid = 3

// noteInvalid raises what MySQL says of a text that is none in the connection's character
// set, as drivers write bytes. Of a prepared statement it says so when it prepares it, and
// tunic does not.
func (b *Binder) noteInvalid(s []byte) error {
	const code = 1300
	set := b.Env.Connection.Charset
	if b.Env.Value.Flavor != value.MySQL || b.Env.Client != set || set.Valid(s) {
		return nil
	}
	if b.Prepared != nil {
		return sqlerr.StatementRefused("a prepared statement with a string that is none in its character set")
	}
	at := 0
	for n := range s {
		if set.Valid(s[:n]) {
			at = n
		}
	}
	bad := s[at:min(len(s), at+shownInvalid)]
	b.Notices.Add(value.Warning, code, []byte(fmt.Sprintf("Invalid %s character string: '%X'", set.Name, bad)))
	return nil
}

// noteNational raises what MySQL says of every N'…' (MySQL manual, "The National
// Character Set").
func (b *Binder) noteNational() {
	const code = 3720
	if b.Env.Value.Flavor == value.MySQL && b.Env.Value.Version >= 80000 {
		b.Notices.Add(value.Warning, code, []byte("NATIONAL/NCHAR/NVARCHAR implies the character set UTF8MB3, which will be replaced by "+
			"UTF8MB4 in a future release. Please consider using CHAR(x) CHARACTER SET UTF8MB4 in order to be unambiguous."))
	}
}

// converted makes a string of bytes of the client's, in the character set of a
// collation.
func (b *Binder) converted(s []byte, to *charset.Collation) error {
	if from := b.Env.Client; from != to.Charset {
		if !from.ConvertibleTo(to.Charset) {
			return sqlerr.StatementRefused("a conversion between these character sets")
		}
		if b.Env.Value.Flavor == value.MySQL && !from.Valid(s) { // it leaves out a character that the end cuts off
			return sqlerr.ValueRefused("a string that is none in the client's character set, where the connection's is another one,")
		}
		b.strings, _ = charset.Convert(b.strings[:0], to.Charset, from, s)
		s = b.strings
	}
	b.Source = value.StringSource(s, to)
	return nil
}

// bytesSource reads a hexadecimal or binary literal.
func (b *Binder) bytesSource(c Constant) error {
	switch {
	case c.introducer != nil:
		return b.stringSource(c)
	case c.kind == sql.LiteralBit:
		b.Source = value.BitSource(c.Bytes)
	case c.kind == sql.LiteralHex && b.Env.Value.Flavor == value.MariaDB:
		b.Source = value.HexStringSource(c.Bytes)
	default:
		b.Source = value.HexSource(c.Bytes)
	}
	return nil
}

// typedSource reads DATE'…', TIME'…' and TIMESTAMP'…'.
func (b *Binder) typedSource(c Constant) error {
	kind := value.DateTime
	switch c.kind {
	case sql.LiteralDate:
		kind = value.Date
	case sql.LiteralTime:
		kind = value.Time
	default:
	}
	s, ok := value.TypedSource(kind, c.Bytes, &b.Env.Value)
	if !ok {
		return sqlerr.StatementRefused("a literal that is no date or time as its type asks")
	}
	b.Source = s
	return nil
}
