package wire

// Cell is one value of a row as it stands in the packet.
type Cell struct {
	Null  bool
	Bytes []byte // text form, or the binary form without its length prefix
}

// DecodeTextRow decodes a row of the text protocol into cells, which it reuses.
//
//	field  type
//	value  length-encoded, or 0xfb for NULL; for each column
func DecodeTextRow(cells []Cell, payload []byte, columns int) ([]Cell, error) {
	cells = cells[:0]
	d := decoder{rest: payload}
	for range columns {
		if len(d.rest) > 0 && d.rest[0] == 0xfb {
			d.take(1)
			cells = append(cells, Cell{Null: true})
			continue
		}
		if n := d.shortLength(); n >= 0 {
			cells = append(cells, Cell{Bytes: d.rest[1 : n+1 : n+1]})
			d.rest = d.rest[n+1:]
			continue
		}
		cells = append(cells, Cell{Bytes: d.lenencBytes()})
		if d.bad {
			break
		}
	}
	if d.bad || len(d.rest) > 0 {
		return nil, malformed("text row", "length")
	}
	return cells, nil
}

// DecodeTexts decodes a row of the text protocol into texts of their own; NULL is nil.
func DecodeTexts(payload []byte, columns int) ([]*string, error) {
	cells, err := DecodeTextRow(nil, payload, columns)
	if err != nil {
		return nil, err
	}
	row := make([]*string, len(cells))
	for i, cell := range cells {
		if !cell.Null {
			text := string(cell.Bytes)
			row[i] = &text
		}
	}
	return row, nil
}

// shortLength is the length of a value whose length is one byte, as most are, if all of it
// is there; else -1.
func (d *decoder) shortLength() int {
	if len(d.rest) == 0 || d.rest[0] >= 0xfb || int(d.rest[0]) >= len(d.rest) {
		return -1
	}
	return int(d.rest[0])
}

// AppendTextRow appends a row of the text protocol.
func AppendTextRow(b []byte, cells []Cell) []byte {
	for i := range cells {
		if cells[i].Null {
			b = append(b, 0xfb)
			continue
		}
		b = AppendLenencBytes(b, cells[i].Bytes)
	}
	return b
}

// DecodeBinaryRow decodes a row of the binary protocol into cells, which it
// reuses.
//
//	field   type
//	header  1: 0x00
//	nulls   (columns + 9) / 8, bit i+2 for column i
//	values  in the form of their type, see takeBinary
func DecodeBinaryRow(cells []Cell, payload []byte, types []Type) ([]Cell, error) {
	cells = cells[:0]
	d := decoder{rest: payload}
	header := d.uint8()
	nulls := d.take((len(types) + 9) / 8)
	if d.bad || header != 0 {
		return nil, malformed("binary row", "header")
	}
	for i, t := range types {
		if bit := i + 2; nulls[bit/8]>>(bit%8)&1 == 1 {
			cells = append(cells, Cell{Null: true})
			continue
		}
		cells = append(cells, Cell{Bytes: takeBinary(&d, t)})
	}
	if d.bad || len(d.rest) > 0 {
		return nil, malformed("binary row", "length")
	}
	return cells, nil
}

// AppendBinaryRow appends a row of the binary protocol. ok is false if a value
// cannot be of its column's type.
func AppendBinaryRow(b []byte, cells []Cell, types []Type) (row []byte, ok bool) {
	b, nulls := AppendBinaryHead(b, len(types))
	for i, t := range types {
		if cells[i].Null {
			SetBinaryNull(b[nulls:], i)
			continue
		}
		begin := len(b)
		b = appendBinary(b, t, cells[i].Bytes)
		d := decoder{rest: b[begin:]}
		if value := takeBinary(&d, t); d.bad || len(d.rest) > 0 || len(value) != len(cells[i].Bytes) {
			return b, false
		}
	}
	return b, true
}

// AppendBinaryHead appends what a row of the binary protocol of so many columns begins with: a byte 0, and the
// bits of NULLs, which begin at nulls. None is set.
func AppendBinaryHead(b []byte, columns int) (row []byte, nulls int) {
	nulls = len(b) + 1
	for range 1 + (columns+nullsBefore+7)/8 {
		b = append(b, 0)
	}
	return b, nulls
}

// nullsBefore are the bits that stand before those of the columns.
const nullsBefore = 2

// SetBinaryNull says in the bits of NULLs that a column is NULL.
func SetBinaryNull(nulls []byte, column int) {
	nulls[(column+nullsBefore)/8] |= 1 << ((column + nullsBefore) % 8)
}

// appendBinary appends a value in the binary form of its type, without a look at
// whether it is one.
func appendBinary(b []byte, t Type, value []byte) []byte {
	switch t {
	case TypeNull, TypeTiny, TypeShort, TypeYear, TypeLong, TypeInt24, TypeFloat, TypeLongLong, TypeDouble:
		return append(b, value...)
	case TypeDate, TypeDatetime, TypeTimestamp, TypeTime:
		return append(append(b, byte(len(value))), value...)
	default:
		return AppendLenencBytes(b, value)
	}
}

// AppendBinaryValue appends a value as it stands in a row of the binary protocol:
// a cell of DecodeBinaryRow with its length before it, where the type has one.
func AppendBinaryValue(b []byte, t Type, value []byte) []byte { return appendBinary(b, t, value) }

// TakeBinaryValue takes the value at the start of b, in the binary form of its type,
// without the length before it, and returns what follows. It fails for a type whose
// form is not known.
func TakeBinaryValue(b []byte, t Type) (value, rest []byte, ok bool) {
	d := decoder{rest: b}
	value = takeBinary(&d, t)
	return value, d.rest, !d.bad
}

// takeBinary steps over a value in the binary form of its type and returns it
// without its length prefix (MySQL source documentation, "Binary Protocol
// Value"). A type it does not know has a form it does not know either.
func takeBinary(d *decoder, t Type) []byte {
	switch t {
	case TypeNull:
		return nil
	case TypeTiny:
		return d.take(1)
	case TypeShort, TypeYear:
		return d.take(2)
	case TypeLong, TypeInt24, TypeFloat:
		return d.take(4)
	case TypeLongLong, TypeDouble:
		return d.take(8)
	case TypeDate, TypeDatetime, TypeTimestamp, TypeTime:
		return d.take(int(d.uint8()))
	case TypeDecimal, TypeNewDecimal, TypeVarchar, TypeVarString, TypeString, TypeEnum, TypeSet, TypeBit,
		TypeTinyBlob, TypeMediumBlob, TypeLongBlob, TypeBlob, TypeJSON, TypeGeometry, TypeVector:
		if n := d.shortLength(); n >= 0 {
			value := d.rest[1 : n+1 : n+1]
			d.rest = d.rest[n+1:]
			return value
		}
		return d.lenencBytes()
	default:
		d.bad, d.rest = true, nil
		return nil
	}
}
