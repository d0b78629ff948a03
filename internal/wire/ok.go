package wire

import "encoding/binary"

const (
	headerOK   = 0x00
	headerFile = 0xfb
	headerEOF  = 0xfe
	headerErr  = 0xff
)

// OK says that a command has been done.
//
//	field            type
//	header           1: 0x00, or 0xfe at the end of rows under DEPRECATE_EOF
//	affected rows    length-encoded integer
//	last insert id   length-encoded integer
//	status           2
//	warnings         2
//	info             length-encoded, left out if empty and nothing follows
//	session state    length-encoded, with SESSION_TRACK and StatusSessionState
//
// Without SESSION_TRACK the manual calls the info the rest of the packet; servers
// put its length there all the same, and clients expect it. An info without it,
// from a server that keeps to the manual, is understood as well.
type OK struct {
	EndOfRows    bool // header 0xfe
	AffectedRows uint64
	LastInsertID uint64
	Status       Status
	Warnings     uint16
	Info         []byte
	SessionState []byte // changes, see SessionChanges
}

// DecodeOK decodes an OK as the capabilities of the connection shape it.
func DecodeOK(payload []byte, caps Capability) (OK, error) {
	d := decoder{rest: payload}
	header := d.uint8()
	ok := OK{EndOfRows: header == headerEOF}
	if header != headerOK && header != headerEOF {
		return OK{}, malformed("OK", "header")
	}
	ok.AffectedRows = d.lenenc()
	ok.LastInsertID = d.lenenc()
	ok.Status = Status(d.uint16())
	ok.Warnings = d.uint16()
	ok.decodeInfo(&d, caps)
	if d.bad || len(d.rest) > 0 {
		return OK{}, malformed("OK", "length")
	}
	return ok, nil
}

// decodeInfo decodes what follows the counters.
func (m *OK) decodeInfo(d *decoder, caps Capability) {
	if len(d.rest) == 0 {
		return
	}
	whole := *d
	m.Info = d.lenencBytes()
	switch {
	case !caps.Has(ClientSessionTrack):
		if d.bad || len(d.rest) > 0 {
			*d = whole
			m.Info = d.remaining()
		}
	case m.Status&StatusSessionState != 0 && len(d.rest) > 0:
		m.SessionState = d.lenencBytes()
	}
}

// AppendOK appends the payload for a connection with these capabilities.
func (m OK) AppendOK(b []byte, caps Capability) []byte {
	header := byte(headerOK)
	if m.EndOfRows {
		header = headerEOF
	}
	b = AppendLenenc(AppendLenenc(append(b, header), m.AffectedRows), m.LastInsertID)
	b = binary.LittleEndian.AppendUint16(b, uint16(m.Status))
	b = binary.LittleEndian.AppendUint16(b, m.Warnings)
	tracked := caps.Has(ClientSessionTrack) && m.Status&StatusSessionState != 0
	if len(m.Info) > 0 || tracked {
		b = AppendLenencBytes(b, m.Info)
	}
	if tracked {
		b = AppendLenencBytes(b, m.SessionState)
	}
	return b
}

// EOF ends column definitions, and rows where DEPRECATE_EOF was not agreed on.
//
//	field     type
//	header    1: 0xfe
//	warnings  2
//	status    2
type EOF struct {
	Warnings uint16
	Status   Status
}

// eofBytesMax tells an EOF from a row that starts with the byte 0xfe, which is
// the length prefix of a string of at least 2^24 bytes.
const eofBytesMax = 8

// DecodeEOF decodes an EOF.
func DecodeEOF(payload []byte) (EOF, error) {
	d := decoder{rest: payload}
	header := d.uint8()
	m := EOF{Warnings: d.uint16(), Status: Status(d.uint16())}
	if d.bad || header != headerEOF || len(d.rest) > 0 {
		return EOF{}, malformed("EOF", "length")
	}
	return m, nil
}

// AppendTo appends the payload.
func (m EOF) AppendTo(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(append(b, headerEOF), m.Warnings)
	return binary.LittleEndian.AppendUint16(b, uint16(m.Status))
}

// Err says that a command failed.
//
//	field     type
//	header    1: 0xff
//	number    2
//	marker    1: '#', absent in errors sent before the handshake is done
//	state     5: SQLSTATE, absent with the marker
//	message   rest
type Err struct {
	Number  uint16
	State   string // SQLSTATE, five bytes, or empty
	Message []byte
}

// DecodeErr decodes an error.
func DecodeErr(payload []byte) (Err, error) {
	d := decoder{rest: payload}
	header := d.uint8()
	m := Err{Number: d.uint16()}
	if d.bad || header != headerErr {
		return Err{}, malformed("ERR", "header")
	}
	if len(d.rest) >= 6 && d.rest[0] == '#' {
		d.take(1)
		m.State = string(d.take(5))
	}
	m.Message = d.remaining()
	return m, nil
}

// AppendTo appends the payload.
func (m Err) AppendTo(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(append(b, headerErr), m.Number)
	if m.State != "" {
		b = append(append(b, '#'), m.State...)
	}
	return append(b, m.Message...)
}

// IsProgress reports whether payload is MariaDB's progress report, which has the
// form of an error number 0xffff and may come before the answer to a long
// statement.
func IsProgress(payload []byte) bool {
	return len(payload) >= 3 && payload[0] == headerErr && payload[1] == 0xff && payload[2] == 0xff
}
