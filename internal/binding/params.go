package binding

import (
	"bytes"
	"encoding/binary"
	"math"

	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// paramSource is the value of a parameter as the server takes it (MySQL source
// documentation, "Binary Protocol Value"), for a use.
func (b *Binder) paramSource(n int, as paramUse) error {
	if v, ok := b.Given(n); ok {
		b.Source = v.source()
		b.Source.Param = n < sql.FirstVariable
		return b.asRetyped(v.prior, as)
	}
	if b.Prepared == nil || n >= len(b.Prepared.params) {
		return ErrHole
	}
	p := &b.Prepared.params[n]
	if p.Null {
		b.Source = value.NullSource()
		return nil
	}
	if err := b.typedParam(p, as); err != nil {
		return err
	}
	b.Source.Param = true
	if n >= len(b.Prepared.Prior) {
		return nil
	}
	return b.asRetyped(b.Prepared.Prior[n], as)
}

func (b *Binder) typedParam(p *Param, as paramUse) error {
	switch p.Kind {
	case wire.TypeTiny, wire.TypeShort, wire.TypeYear, wire.TypeLong, wire.TypeInt24, wire.TypeLongLong:
		b.Source = p.Integer()
	case wire.TypeFloat:
		return b.doubleParam(float64(math.Float32frombits(binary.LittleEndian.Uint32(p.Bytes))))
	case wire.TypeDouble:
		return b.doubleParam(math.Float64frombits(binary.LittleEndian.Uint64(p.Bytes)))
	case wire.TypeDecimal, wire.TypeNewDecimal:
		b.Source = value.DecimalSource(p.Bytes)
	case wire.TypeDate:
		return b.clockParam(p, value.Date)
	case wire.TypeTime:
		return b.clockParam(p, value.Time)
	case wire.TypeDatetime, wire.TypeTimestamp:
		return b.clockParam(p, value.DateTime)
	case wire.TypeTinyBlob, wire.TypeMediumBlob, wire.TypeLongBlob, wire.TypeBlob:
		set, _ := charset.CharsetByName(b.Env.Value.Flavor, "binary")
		b.Source = value.StringSource(p.Bytes, set.Bin())
	case wire.TypeVarchar, wire.TypeVarString, wire.TypeString, wire.TypeEnum, wire.TypeSet, wire.TypeJSON:
		return b.textParam(p.Bytes, as)
	default:
		return sqlerr.ValueRefused("a parameter of this type")
	}
	return nil
}

// textParam reads a text in the client's character set. MySQL makes one that is stored a text of the
// column at once, and what it does elsewhere with characters that character_set_connection lacks is
// not known; MariaDB converts all to that.
func (b *Binder) textParam(text []byte, as paramUse) error {
	from, to := b.Env.Client, b.Env.Connection
	if b.Env.Value.Flavor == value.MariaDB || from == to.Charset || from.Name == "binary" {
		return b.converted(text, to)
	}
	if as == inColumn || as == inBits {
		b.Source = value.StringSource(text, from.Default())
		return nil
	}
	if err := b.converted(text, to); err != nil {
		return err
	}
	if back, bad := charset.Convert(nil, from, to.Charset, b.Source.Bytes); bad >= 0 || !bytes.Equal(back, text) {
		return sqlerr.ValueRefused("a parameter with characters that character_set_connection lacks")
	}
	return nil
}

// derives reports whether a server gives a parameter another type than the client
// did before it stores it, so that another value may come of it: MySQL does since
// 8.0.22, by the column. Package value knows what comes of numbers; of strings,
// dates and times these are known to differ.
func (b *Binder) derives(t *value.Type, s *value.Source) bool {
	if !s.Param || b.Env.Value.Flavor == value.MariaDB {
		return false
	}
	switch {
	case t.Kind == value.Year:
		return s.Form == value.FormTime
	case t.Kind.IsText(), t.Kind.IsBytes():
		return (s.Form == value.FormDateTime || s.Form == value.FormTime) && s.Fraction > 0
	}
	return false
}

// HasBlank reports whether a text for a number, a date or a time may have a no-break space in it: servers
// skip it in some character sets and places, as they do others.
func HasBlank(t *value.Type, s *value.Source) bool {
	return s.Form == value.FormString && (t.Kind.IsNumber() || t.Kind.IsTemporal()) && s.Collation != nil &&
		s.Collation.Charset.BytesMax == 1 && bytes.IndexByte(s.Bytes, 0xa0) >= 0
}

// ErrBlank refuses what HasBlank is true of.
var ErrBlank = sqlerr.ValueRefused("a text with a no-break space, as a number, a date or a time,")

// Integer reads an integer of whatever width.
func (p *Param) Integer() value.Source {
	var u uint64
	for i := len(p.Bytes) - 1; i >= 0; i-- {
		u = u<<8 | uint64(p.Bytes[i])
	}
	if p.Unsigned {
		return value.Source{Form: value.FormUint, Number: u}
	}
	shift := 64 - 8*len(p.Bytes)
	return value.IntSource(int64(u<<shift) >> shift)
}

// doubleParam refuses what no literal says: servers do with it what comes of their machine.
func (b *Binder) doubleParam(f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return sqlerr.ValueRefused("a parameter that is NaN or infinite")
	}
	b.Source = value.DoubleSource(f)
	return nil
}

func (b *Binder) clockParam(p *Param, k value.Kind) error {
	s, ok := value.ParamSource(k, p.Bytes)
	if !ok {
		return sqlerr.ValueRefused("a date or time out of range")
	}
	b.Source = s
	return nil
}
