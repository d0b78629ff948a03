package wire

import "encoding/binary"

// columnsMax is the most columns a result can have. MySQL's servers stop at 4096
// (MySQL manual, "Limits on Table Column Count"); this leaves room for others.
const columnsMax = 1 << 16

// ResultHeader starts a result set.
//
//	field             type
//	columns           length-encoded integer
//	metadata follows  1, only with MariaDB's CACHE_METADATA: 0 if the column
//	                  definitions are those the client has already
type ResultHeader struct {
	Columns         int
	MetadataFollows bool
}

// DecodeResultHeader decodes the first packet of a result set.
func DecodeResultHeader(payload []byte, caps Capability) (ResultHeader, error) {
	d := decoder{rest: payload}
	n := d.lenenc()
	m := ResultHeader{MetadataFollows: true}
	if caps.Has(MariaDBCacheMetadata) {
		m.MetadataFollows = d.uint8() != 0
	}
	if d.bad || len(d.rest) > 0 || n == 0 || n > columnsMax {
		return ResultHeader{}, malformed("result set", "number of columns")
	}
	m.Columns = int(n)
	return m, nil
}

// AppendHeader appends the payload for a connection with these capabilities.
func (m ResultHeader) AppendHeader(b []byte, caps Capability) []byte {
	b = AppendLenenc(b, uint64(m.Columns))
	if caps.Has(MariaDBCacheMetadata) {
		follows := byte(0)
		if m.MetadataFollows {
			follows = 1
		}
		b = append(b, follows)
	}
	return b
}

// PrepareOK describes a prepared statement; parameter and column definitions
// follow it.
//
//	field     type
//	header    1: 0x00
//	id        4
//	columns   2
//	params    2
//	filler    1
//	warnings  2, left out by very old servers
type PrepareOK struct {
	ID       uint32
	Columns  uint16
	Params   uint16
	Warnings uint16
}

// prepareOKBytesMin is the size of the shortest description. An OK is shorter
// unless it tells something, which MySQL's does not where the two may be taken for
// each other.
const prepareOKBytesMin = 10

// DecodePrepareOK decodes the first packet of the answer to COM_STMT_PREPARE.
func DecodePrepareOK(payload []byte) (PrepareOK, error) {
	d := decoder{rest: payload}
	header := d.uint8()
	m := PrepareOK{ID: d.uint32(), Columns: d.uint16(), Params: d.uint16()}
	d.take(1)
	if len(d.rest) > 0 {
		m.Warnings = d.uint16()
	}
	if d.bad || header != headerOK || len(d.rest) > 0 {
		return PrepareOK{}, malformed("COM_STMT_PREPARE_OK", "length")
	}
	return m, nil
}

// AppendTo appends the payload.
func (m PrepareOK) AppendTo(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, headerOK), m.ID)
	b = binary.LittleEndian.AppendUint16(b, m.Columns)
	b = binary.LittleEndian.AppendUint16(b, m.Params)
	return binary.LittleEndian.AppendUint16(append(b, 0), m.Warnings)
}
