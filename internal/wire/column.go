package wire

import "encoding/binary"

// Type is the type of a column, parameter or query attribute.
type Type uint8

// Types (MySQL source documentation, "enum_field_types").
const (
	TypeDecimal    Type = 0x00
	TypeTiny       Type = 0x01
	TypeShort      Type = 0x02
	TypeLong       Type = 0x03
	TypeFloat      Type = 0x04
	TypeDouble     Type = 0x05
	TypeNull       Type = 0x06
	TypeTimestamp  Type = 0x07
	TypeLongLong   Type = 0x08
	TypeInt24      Type = 0x09
	TypeDate       Type = 0x0a
	TypeTime       Type = 0x0b
	TypeDatetime   Type = 0x0c
	TypeYear       Type = 0x0d
	TypeVarchar    Type = 0x0f
	TypeBit        Type = 0x10
	TypeVector     Type = 0xf2
	TypeJSON       Type = 0xf5
	TypeNewDecimal Type = 0xf6
	TypeEnum       Type = 0xf7
	TypeSet        Type = 0xf8
	TypeTinyBlob   Type = 0xf9
	TypeMediumBlob Type = 0xfa
	TypeLongBlob   Type = 0xfb
	TypeBlob       Type = 0xfc
	TypeVarString  Type = 0xfd
	TypeString     Type = 0xfe
	TypeGeometry   Type = 0xff
)

// ColumnDefinition describes a column or parameter
// (Protocol::ColumnDefinition41).
//
//	field          type
//	catalog        length-encoded, always "def"
//	schema         length-encoded
//	table          length-encoded, the alias
//	original table length-encoded
//	name           length-encoded, the alias
//	original name  length-encoded
//	extended       length-encoded, with MariaDB's EXTENDED_METADATA
//	fixed fields   length-encoded, always 12
//	character set  2
//	length         4
//	type           1
//	flags          2
//	decimals       1
//	filler         2
//	default        length-encoded, only in the answer to COM_FIELD_LIST
type ColumnDefinition struct {
	Catalog, Schema, Table, OrgTable, Name, OrgName []byte
	Extended                                        []byte
	Charset                                         uint16
	Length                                          uint32
	Type                                            Type
	Flags                                           uint16
	Decimals                                        uint8
	Default                                         []byte // nil if there is none
}

const fixedColumnBytes = 12

// DecodeColumn decodes a column definition.
func DecodeColumn(payload []byte, caps Capability) (ColumnDefinition, error) {
	d := decoder{rest: payload}
	m := ColumnDefinition{
		Catalog: d.lenencBytes(), Schema: d.lenencBytes(), Table: d.lenencBytes(),
		OrgTable: d.lenencBytes(), Name: d.lenencBytes(), OrgName: d.lenencBytes(),
	}
	if caps.Has(MariaDBExtendedMetadata) {
		m.Extended = d.lenencBytes()
	}
	if d.lenenc() != fixedColumnBytes {
		return ColumnDefinition{}, malformed("column definition", "fixed fields")
	}
	m.Charset, m.Length, m.Type = d.uint16(), d.uint32(), Type(d.uint8())
	m.Flags, m.Decimals = d.uint16(), d.uint8()
	d.take(2)
	if len(d.rest) > 0 {
		m.Default = d.remaining()
	}
	if d.bad {
		return ColumnDefinition{}, malformed("column definition", "cut short")
	}
	return m, nil
}

// AppendColumn appends the payload for a connection with these capabilities.
func (m ColumnDefinition) AppendColumn(b []byte, caps Capability) []byte {
	for _, s := range [...][]byte{m.Catalog, m.Schema, m.Table, m.OrgTable, m.Name, m.OrgName} {
		b = AppendLenencBytes(b, s)
	}
	if caps.Has(MariaDBExtendedMetadata) {
		b = AppendLenencBytes(b, m.Extended)
	}
	b = binary.LittleEndian.AppendUint16(append(b, fixedColumnBytes), m.Charset)
	b = binary.LittleEndian.AppendUint32(b, m.Length)
	b = binary.LittleEndian.AppendUint16(append(b, byte(m.Type)), m.Flags)
	return append(append(b, m.Decimals, 0, 0), m.Default...)
}
