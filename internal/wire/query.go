package wire

import (
	"encoding/binary"
	"math"
)

// Query runs one or more statements (COM_QUERY).
//
//	field             type
//	command           1
//	with QUERY_ATTRIBUTES:
//	  attributes      length-encoded number of them
//	  sets            length-encoded, always 1
//	  values          see Values, with names, if there are any
//	text              rest
type Query struct {
	Attributes []byte // from the number of attributes to the text, as sent
	Text       []byte
}

// DecodeQuery decodes a COM_QUERY. The values of attributes are stepped over.
func DecodeQuery(payload []byte, caps Capability) (Query, error) {
	if len(payload) == 0 || Command(payload[0]) != ComQuery {
		return Query{}, malformed("COM_QUERY", "command")
	}
	if !caps.Has(ClientQueryAttributes) {
		return Query{Text: payload[1:]}, nil
	}
	d := decoder{rest: payload[1:]}
	count, sets := d.lenenc(), d.lenenc()
	if count > math.MaxUint16 || sets != 1 {
		return Query{}, malformed("COM_QUERY", "query attributes")
	}
	if count > 0 {
		if err := skipAttributes(&d, int(count)); err != nil {
			return Query{}, err
		}
	}
	if d.bad {
		return Query{}, malformed("COM_QUERY", "query attributes")
	}
	head := len(payload) - len(d.rest)
	return Query{Attributes: payload[1:head], Text: payload[head:]}, nil
}

// attributeValue steps over the value of a query attribute. A server that did
// not agree with tunic on where it ends would run another text than the one
// tunic has looked at, so only types are taken whose form is beyond doubt: MySQL
// reads all others as length-encoded, whatever their name promises.
func attributeValue(d *decoder, t uint16) {
	const unsigned = 0x8000
	switch t &^ unsigned {
	case uint16(TypeTiny), uint16(TypeShort), uint16(TypeLong), uint16(TypeLongLong), uint16(TypeFloat), uint16(TypeDouble),
		uint16(TypeString), uint16(TypeVarString), uint16(TypeVarchar), uint16(TypeBlob), uint16(TypeNewDecimal):
		takeBinary(d, Type(t&0xff))
	case uint16(TypeDate), uint16(TypeDatetime), uint16(TypeTimestamp), uint16(TypeTime):
		if length := int(d.uint8()); length <= temporalBytesMax {
			d.take(length)
			return
		}
		d.bad = true
	default:
		d.bad = true
	}
}

// temporalBytesMax is the longest binary form of a date or time: a TIME with
// microseconds.
const temporalBytesMax = 12

// skipAttributes steps over a null bitmap, types with names, and values.
func skipAttributes(d *decoder, count int) error {
	nulls := d.take((count + 7) / 8)
	if d.uint8() != 1 {
		return malformed("COM_QUERY", "types of query attributes")
	}
	types := make([]uint16, 0, 8)
	for range count {
		types = append(types, d.uint16())
		d.lenencBytes()
		if d.bad {
			return malformed("COM_QUERY", "names of query attributes")
		}
	}
	for i, t := range types {
		if nulls[i/8]>>(i%8)&1 == 0 {
			attributeValue(d, t)
		}
	}
	return nil
}

// AppendQuery appends the payload for a connection with these capabilities.
func (m Query) AppendQuery(b []byte, caps Capability) []byte {
	b = append(b, byte(ComQuery))
	if caps.Has(ClientQueryAttributes) {
		if len(m.Attributes) == 0 {
			b = append(b, 0, 1)
		}
		b = append(b, m.Attributes...)
	}
	return append(b, m.Text...)
}

// Execute is the head of a COM_STMT_EXECUTE, COM_STMT_BULK_EXECUTE,
// COM_STMT_FETCH, COM_STMT_RESET, COM_STMT_CLOSE or COM_STMT_SEND_LONG_DATA:
// all start with the statement's identity.
//
//	field      type
//	command    1
//	statement  4
//	rest
type Execute struct {
	Command   Command
	Statement uint32
	Rest      []byte
}

// LastPrepared is the statement number with which MariaDB's clients mean the
// statement that was prepared last, to send both commands in one go.
const LastPrepared = math.MaxUint32

// DecodeExecute decodes the head of a command on a prepared statement.
func DecodeExecute(payload []byte) (Execute, error) {
	d := decoder{rest: payload}
	m := Execute{Command: Command(d.uint8()), Statement: d.uint32()}
	m.Rest = d.remaining()
	if d.bad {
		return Execute{}, malformed("command on a prepared statement", "cut short")
	}
	return m, nil
}

// CutShort reports whether the command lacks what servers want behind the
// statement's number before they look for the statement: 1 byte of flags and 4 of
// iterations to execute it, 2 of a parameter's number for long data.
func (m Execute) CutShort() bool {
	switch m.Command {
	case ComStmtExecute:
		return len(m.Rest) < 1+4
	case ComStmtLongData:
		return len(m.Rest) < 2
	default:
		return false
	}
}

// cursorFlags are the flags of COM_STMT_EXECUTE that ask for a cursor, of
// whatever kind (enum_cursor_type).
const cursorFlags = 0x07

// AsksCursor reports whether the command is a COM_STMT_EXECUTE that asks for a
// cursor in place of rows.
func (m Execute) AsksCursor() bool {
	return m.Command == ComStmtExecute && len(m.Rest) > 0 && m.Rest[0]&cursorFlags != 0
}

// AppendTo appends the payload.
func (m Execute) AppendTo(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, byte(m.Command)), m.Statement)
	return append(b, m.Rest...)
}
