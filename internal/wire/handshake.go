package wire

import "encoding/binary"

// ChallengeBytes is the size of the challenge that native passwords,
// caching_sha2_password and sha256_password are answered with.
const ChallengeBytes = 20

// protocolVersion is the only handshake version of servers since MySQL 3.21.
const protocolVersion = 10

// Handshake is the server's greeting (Protocol::HandshakeV10).
//
//	field              type
//	protocol           1: 10
//	server version     zero-terminated
//	connection id      4
//	challenge 1        8
//	filler             1
//	capabilities low   2
//	character set      1
//	status             2
//	capabilities high  2
//	challenge length   1, with the zero byte at its end
//	filler             6
//	MariaDB flags      4, if ClientMySQL is not set, else filler
//	challenge 2        max(13, challenge length - 8)
//	plugin             zero-terminated
type Handshake struct {
	Version      []byte
	ConnectionID uint32
	Challenge    []byte // without the zero byte at its end
	Capabilities Capability
	Charset      uint8
	Status       Status
	Plugin       []byte
}

// DecodeHandshake decodes the greeting of a server that speaks protocol 4.1.
func DecodeHandshake(payload []byte) (Handshake, error) {
	d := decoder{rest: payload}
	if d.uint8() != protocolVersion {
		return Handshake{}, malformed("handshake", "protocol version")
	}
	m := Handshake{Version: d.zeroTerminated(), ConnectionID: d.uint32()}
	m.Challenge = append(m.Challenge, d.take(8)...)
	d.take(1)
	m.Capabilities = Capability(d.uint16())
	m.Charset = d.uint8()
	m.Status = Status(d.uint16())
	m.Capabilities |= Capability(d.uint16()) << 16
	challengeBytes := int(d.uint8())
	d.take(6)
	if extended := d.uint32(); m.Capabilities&ClientMySQL == 0 {
		m.Capabilities |= Capability(extended) << 32
	}
	second := d.take(max(13, challengeBytes-8))
	if d.bad || !m.Capabilities.Has(ClientProtocol41|ClientSecureConnection) {
		return Handshake{}, malformed("handshake", "server older than 4.1, or cut short")
	}
	m.Challenge = append(m.Challenge, second[:len(second)-1]...)
	if m.Capabilities.Has(ClientPluginAuth) {
		m.Plugin = d.zeroTerminatedOrRest()
	}
	if d.bad {
		return Handshake{}, malformed("handshake", "plugin")
	}
	return m, nil
}

// AppendTo appends the payload. The challenge must have at least 20 bytes.
func (m Handshake) AppendTo(b []byte) []byte {
	b = appendZeroTerminated(append(b, protocolVersion), m.Version)
	b = binary.LittleEndian.AppendUint32(b, m.ConnectionID)
	b = append(append(b, m.Challenge[:8]...), 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(m.Capabilities&0xffff))
	b = append(b, m.Charset)
	b = binary.LittleEndian.AppendUint16(b, uint16(m.Status))
	b = binary.LittleEndian.AppendUint16(b, uint16(m.Capabilities>>16&0xffff))
	b = append(b, byte(len(m.Challenge)+1), 0, 0, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(m.Capabilities>>32))
	b = append(append(b, m.Challenge[8:]...), 0)
	if m.Capabilities.Has(ClientPluginAuth) {
		b = appendZeroTerminated(b, m.Plugin)
	}
	return b
}

// Greeting is the fixed start of the client's answer to a handshake. Sent alone
// it asks for TLS (Protocol::SSLRequest); the login follows over TLS.
//
//	field           type
//	capabilities    4
//	packet limit    4
//	character set   1
//	filler          19
//	MariaDB flags   4, if ClientMySQL is not set, else filler
type Greeting struct {
	Capabilities Capability
	PacketLimit  uint32
	Charset      uint8
}

const greetingBytes = 32

func decodeGreeting(d *decoder) Greeting {
	m := Greeting{Capabilities: Capability(d.uint32()), PacketLimit: d.uint32(), Charset: d.uint8()}
	d.take(19)
	if extended := d.uint32(); m.Capabilities&ClientMySQL == 0 {
		m.Capabilities |= Capability(extended) << 32
	}
	return m
}

// AppendTo appends the payload.
func (m Greeting) AppendTo(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(m.Capabilities&mysqlCapabilities))
	b = binary.LittleEndian.AppendUint32(b, m.PacketLimit)
	b = append(b, m.Charset)
	b = append(b, make([]byte, 19)...)
	return binary.LittleEndian.AppendUint32(b, uint32(m.Capabilities>>32))
}

// IsTLSRequest reports whether a client's answer to the handshake asks for TLS.
func IsTLSRequest(payload []byte) bool {
	d := decoder{rest: payload}
	m := decodeGreeting(&d)
	return len(payload) == greetingBytes && m.Capabilities.Has(ClientSSL)
}

// Login is the client's answer to a handshake (Protocol::HandshakeResponse41).
//
//	field           type
//	greeting        32, see Greeting
//	user            zero-terminated
//	answer          length-encoded with PLUGIN_AUTH_LENENC, else 1 byte length
//	database        zero-terminated, with CONNECT_WITH_DB
//	plugin          zero-terminated, with PLUGIN_AUTH
//	attributes      length-encoded, with CONNECT_ATTRS
//	zstd level      1, with ZSTD_COMPRESSION_ALGORITHM
type Login struct {
	Greeting
	User       []byte
	Answer     []byte
	Database   []byte
	Plugin     []byte
	Attributes []byte // length-encoded keys and values
	ZstdLevel  uint8
}

// DecodeLogin decodes a login with protocol 4.1. Fields at the end that a flag
// announces and that are not there are taken as empty, as servers do.
func DecodeLogin(payload []byte) (Login, error) {
	d := decoder{rest: payload}
	m := Login{Greeting: decodeGreeting(&d)}
	if d.bad || !m.Capabilities.Has(ClientProtocol41) {
		return Login{}, malformed("login", "client older than 4.1, or cut short")
	}
	m.User = d.zeroTerminated()
	switch {
	case m.Capabilities.Has(ClientPluginAuthLenenc):
		m.Answer = d.lenencBytes()
	case m.Capabilities.Has(ClientSecureConnection):
		m.Answer = d.take(int(d.uint8()))
	default:
		m.Answer = d.zeroTerminated()
	}
	if m.Capabilities.Has(ClientConnectWithDB) && len(d.rest) > 0 {
		m.Database = d.zeroTerminatedOrRest()
	}
	if m.Capabilities.Has(ClientPluginAuth) && len(d.rest) > 0 {
		m.Plugin = d.zeroTerminatedOrRest()
	}
	if m.Capabilities.Has(ClientConnectAttrs) && len(d.rest) > 0 {
		m.Attributes = d.lenencBytes()
	}
	if m.Capabilities.Has(ClientZstdCompression) && len(d.rest) > 0 {
		m.ZstdLevel = d.uint8()
	}
	if d.bad {
		return Login{}, malformed("login", "cut short")
	}
	return m, nil
}

// AppendTo appends the payload.
func (m Login) AppendTo(b []byte) []byte {
	b = appendZeroTerminated(m.Greeting.AppendTo(b), m.User)
	switch {
	case m.Capabilities.Has(ClientPluginAuthLenenc):
		b = AppendLenencBytes(b, m.Answer)
	case m.Capabilities.Has(ClientSecureConnection):
		b = append(append(b, byte(len(m.Answer))), m.Answer...)
	default:
		b = appendZeroTerminated(b, m.Answer)
	}
	if m.Capabilities.Has(ClientConnectWithDB) {
		b = appendZeroTerminated(b, m.Database)
	}
	if m.Capabilities.Has(ClientPluginAuth) {
		b = appendZeroTerminated(b, m.Plugin)
	}
	if m.Capabilities.Has(ClientConnectAttrs) {
		b = AppendLenencBytes(b, m.Attributes)
	}
	if m.Capabilities.Has(ClientZstdCompression) {
		b = append(b, m.ZstdLevel)
	}
	return b
}
