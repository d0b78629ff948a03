package wire

// AuthSwitch asks the client to log in with another plugin
// (Protocol::AuthSwitchRequest).
//
//	field      type
//	header     1: 0xfe
//	plugin     zero-terminated
//	challenge  rest
type AuthSwitch struct {
	Plugin    []byte
	Challenge []byte // as sent; most plugins put a zero byte at its end
}

// DecodeAuthSwitch decodes a request to switch. The one-byte form asks for the
// passwords of MySQL before 4.1, which tunic does not relay.
func DecodeAuthSwitch(payload []byte) (AuthSwitch, error) {
	d := decoder{rest: payload}
	header := d.uint8()
	m := AuthSwitch{Plugin: d.zeroTerminated()}
	m.Challenge = d.remaining()
	if d.bad || header != headerEOF {
		return AuthSwitch{}, malformed("auth switch request", "plugin")
	}
	return m, nil
}

// AppendTo appends the payload.
func (m AuthSwitch) AppendTo(b []byte) []byte {
	return append(appendZeroTerminated(append(b, headerEOF), m.Plugin), m.Challenge...)
}

// AuthKind tells the packets a server sends during a login apart.
type AuthKind uint8

// Kinds of packets of a login, by their first byte.
const (
	AuthOK     AuthKind = iota // the login is done
	AuthErr                    // the login failed
	AuthRetry                  // AuthSwitch
	AuthMore                   // data of the plugin (Protocol::AuthMoreData)
	AuthFactor                 // the next factor of several: not relayed
)

// ClassifyAuth tells what a server's packet during a login is. Data of a plugin
// comes with a leading 0x01 where it could be taken for another kind, and
// without one otherwise; the plugin's data follows in both cases.
func ClassifyAuth(payload []byte) (kind AuthKind, data []byte) {
	if len(payload) == 0 {
		return AuthMore, payload
	}
	switch payload[0] {
	case headerOK:
		return AuthOK, nil
	case headerErr:
		return AuthErr, nil
	case headerEOF:
		return AuthRetry, nil
	case 0x01:
		return AuthMore, payload[1:]
	case 0x02:
		return AuthFactor, nil
	default:
		return AuthMore, payload
	}
}

// Bytes is a packet of plain bytes.
type Bytes []byte

// AppendTo appends the payload.
func (m Bytes) AppendTo(b []byte) []byte { return append(b, m...) }

// ChangeUser logs in anew on an open connection (COM_CHANGE_USER).
//
//	field           type
//	command         1
//	user            zero-terminated
//	answer          1 byte length, then the answer
//	database        zero-terminated
//	character set   2
//	plugin          zero-terminated, with PLUGIN_AUTH
//	attributes      length-encoded, with CONNECT_ATTRS
//
// A client may end the packet behind the database or behind the character set.
// What it leaves out the server fills in, or refuses, as it likes.
type ChangeUser struct {
	User     []byte
	Answer   []byte
	Database []byte
	Charset  uint16
	Plugin   []byte
	Rest     []byte // attributes, as sent

	NoCharset bool // the packet ends before the character set
	NoPlugin  bool // it ends before the plugin, of which there should be one
}

// DecodeChangeUser decodes the command.
func DecodeChangeUser(payload []byte, caps Capability) (ChangeUser, error) {
	d := decoder{rest: payload}
	command := Command(d.uint8())
	m := ChangeUser{User: d.zeroTerminated()}
	if caps.Has(ClientSecureConnection) {
		m.Answer = d.take(int(d.uint8()))
	} else {
		m.Answer = d.zeroTerminated()
	}
	m.Database = d.zeroTerminated()
	if m.NoCharset = len(d.rest) == 0; !m.NoCharset {
		m.Charset = d.uint16()
	}
	if caps.Has(ClientPluginAuth) {
		if m.NoPlugin = len(d.rest) == 0; !m.NoPlugin {
			m.Plugin = d.zeroTerminatedOrRest()
		}
	}
	m.Rest = d.remaining()
	if d.bad || command != ComChangeUser {
		return ChangeUser{}, malformed("COM_CHANGE_USER", "cut short")
	}
	return m, nil
}

// AppendCommand appends the payload for a connection with these capabilities.
func (m ChangeUser) AppendCommand(b []byte, caps Capability) []byte {
	b = appendZeroTerminated(append(b, byte(ComChangeUser)), m.User)
	if caps.Has(ClientSecureConnection) {
		b = append(append(b, byte(len(m.Answer))), m.Answer...)
	} else {
		b = appendZeroTerminated(b, m.Answer)
	}
	b = appendZeroTerminated(b, m.Database)
	if m.NoCharset {
		return b
	}
	b = append(b, byte(m.Charset), byte(m.Charset>>8))
	if caps.Has(ClientPluginAuth) {
		if m.NoPlugin {
			return b
		}
		b = appendZeroTerminated(b, m.Plugin)
	}
	return append(b, m.Rest...)
}
