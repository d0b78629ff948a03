package wire_test

import (
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/wire"
)

const allCaps = wire.Capability(1<<38 - 1)

// consistent drops MariaDB's flags where the flag that excludes them is set.
func consistent(caps wire.Capability) wire.Capability {
	if caps.Has(wire.ClientMySQL) {
		return caps & (1<<32 - 1)
	}
	return caps
}

func drawHandshake(t *rapid.T) wire.Handshake {
	m := wire.Handshake{
		Version:      drawText(t, "version"),
		ConnectionID: rapid.Uint32().Draw(t, "connection"),
		Challenge:    rapid.SliceOfN(rapid.Byte(), 20, 254).Draw(t, "challenge"),
		Capabilities: consistent(drawCaps(t, wire.ClientProtocol41|wire.ClientSecureConnection, allCaps)),
		Charset:      rapid.Byte().Draw(t, "charset"),
		Status:       drawStatus(t),
	}
	if m.Capabilities.Has(wire.ClientPluginAuth) {
		m.Plugin = drawText(t, "plugin")
	}
	return m
}

func decodeHandshake(b []byte) error {
	_, err := wire.DecodeHandshake(b)
	return err
}

func TestHandshakeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawHandshake(t)
		payload := m.AppendTo(nil)
		got, err := wire.DecodeHandshake(payload)
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, got)
		end := len(payload) // the plugin's name is the only field that may be cut
		if m.Capabilities.Has(wire.ClientPluginAuth) {
			end -= len(m.Plugin) + 1
		}
		refusesCuts(t, payload, end, decodeHandshake)
	})
}

func TestHandshakeRefuses(t *testing.T) {
	good := string(wire.Handshake{
		Version: []byte("8"), Challenge: []byte("0123456789abcdefghij"),
		Capabilities: wire.ClientProtocol41 | wire.ClientSecureConnection,
	}.AppendTo(nil))
	old := string(wire.Handshake{Version: []byte("4"), Challenge: []byte("0123456789abcdefghij"), Capabilities: wire.ClientProtocol41}.AppendTo(nil))
	refuses(t, decodeHandshake,
		badMessage{"nothing", ""},
		badMessage{"version 9", "\x09" + good[1:]},
		badMessage{"an error", "\xff\x10\x04Too many connections"},
		badMessage{"no end of the version", "\x0a8.0.0"},
		badMessage{"an old server", old},
	)
}

// A challenge that is said to be shorter than it can be still has its 12 bytes
// in the second part, as the manual has it.
func TestHandshakeShortChallenge(t *testing.T) {
	payload := wire.Handshake{
		Version: []byte("8"), Challenge: []byte("0123456789abcdefghij"),
		Capabilities: wire.ClientProtocol41 | wire.ClientSecureConnection,
	}.AppendTo(nil)
	for _, length := range []byte{0, 8, 20, 21} {
		payload[len("\x0a8\x00")+4+8+1+2+1+2+2] = length
		m, err := wire.DecodeHandshake(payload)
		if err != nil || string(m.Challenge) != "0123456789abcdefghij" {
			t.Errorf("length %d: challenge %q, error %v", length, m.Challenge, err)
		}
	}
}

func drawLogin(t *rapid.T) wire.Login {
	m := wire.Login{
		Greeting: wire.Greeting{
			Capabilities: consistent(drawCaps(t, wire.ClientProtocol41, allCaps)),
			PacketLimit:  rapid.Uint32().Draw(t, "packet limit"),
			Charset:      rapid.Byte().Draw(t, "charset"),
		},
		User: drawText(t, "user"),
	}
	switch caps := m.Capabilities; {
	case caps.Has(wire.ClientPluginAuthLenenc):
		m.Answer = drawBytes(t, "answer")
	case caps.Has(wire.ClientSecureConnection):
		m.Answer = drawShort(t, "answer")
	default:
		m.Answer = drawText(t, "answer")
	}
	if m.Capabilities.Has(wire.ClientConnectWithDB) {
		m.Database = drawText(t, "database")
	}
	if m.Capabilities.Has(wire.ClientPluginAuth) {
		m.Plugin = drawText(t, "plugin")
	}
	if m.Capabilities.Has(wire.ClientConnectAttrs) {
		m.Attributes = drawBytes(t, "attributes")
	}
	if m.Capabilities.Has(wire.ClientZstdCompression) {
		m.ZstdLevel = rapid.Byte().Draw(t, "level")
	}
	return m
}

func decodeLogin(b []byte) error {
	_, err := wire.DecodeLogin(b)
	return err
}

func TestLoginRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawLogin(t)
		payload := m.AppendTo(nil)
		got, err := wire.DecodeLogin(payload)
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, got)
		refusesCuts(t, payload, 32+len(m.User)+1+len(m.Answer), decodeLogin)
		if wire.IsTLSRequest(payload) {
			t.Fatal("a login is taken for a request for TLS")
		}
	})
}

// Clients leave out the zero byte at the end of the last field, and fields at the
// end that they have nothing to put into.
func TestLoginWithoutItsEnd(t *testing.T) {
	caps := wire.ClientProtocol41 | wire.ClientSecureConnection | wire.ClientConnectWithDB | wire.ClientPluginAuth |
		wire.ClientConnectAttrs | wire.ClientZstdCompression
	head := string(wire.Greeting{Capabilities: caps}.AppendTo(nil)) + "joe\x00\x02xy"
	for _, c := range []struct{ tail, database, plugin string }{
		{"", "", ""},
		{"shop", "shop", ""},
		{"shop\x00", "shop", ""},
		{"shop\x00native", "shop", "native"},
		{"shop\x00native\x00", "shop", "native"},
		{"\x00\x00\x00", "", ""},
	} {
		m, err := wire.DecodeLogin([]byte(head + c.tail))
		if err != nil || string(m.Database) != c.database || string(m.Plugin) != c.plugin {
			t.Errorf("%q: database %q, plugin %q, error %v", c.tail, m.Database, m.Plugin, err)
		}
	}
}

func TestLoginRefuses(t *testing.T) {
	caps := wire.ClientProtocol41 | wire.ClientSecureConnection | wire.ClientConnectAttrs
	head := string(wire.Greeting{Capabilities: caps}.AppendTo(nil))
	lenenc := string(wire.Greeting{Capabilities: caps | wire.ClientPluginAuthLenenc}.AppendTo(nil))
	refuses(t, decodeLogin,
		badMessage{"nothing", ""},
		badMessage{"a request for TLS only", head},
		badMessage{"a client older than 4.1", string(wire.Greeting{}.AppendTo(nil)) + "joe\x00\x00"},
		badMessage{"a user without end", head + "joe"},
		badMessage{"an answer longer than the packet", head + "joe\x00\x05xyz"},
		badMessage{"a length-encoded answer longer than the packet", lenenc + "joe\x00\xfe\xff\xff\xff\xff\xff\xff\xff\xffxyz"},
		badMessage{"attributes longer than the packet", head + "joe\x00\x00\x09abc"},
		badMessage{"attributes of length NULL", head + "joe\x00\x00\xfbabc"},
	)
}

func TestTLSRequest(t *testing.T) {
	for _, c := range []struct {
		name    string
		payload []byte
		want    bool
	}{
		{"asks", wire.Greeting{Capabilities: wire.ClientSSL | wire.ClientProtocol41}.AppendTo(nil), true},
		{"of MariaDB's client", wire.Greeting{Capabilities: wire.ClientSSL | wire.MariaDBProgress}.AppendTo(nil), true},
		{"does not ask", wire.Greeting{Capabilities: wire.ClientProtocol41}.AppendTo(nil), false},
		{"a byte more", append(wire.Greeting{Capabilities: wire.ClientSSL}.AppendTo(nil), 0), false},
		{"a byte less", wire.Greeting{Capabilities: wire.ClientSSL}.AppendTo(nil)[:31], false},
		{"nothing", nil, false},
	} {
		if got := wire.IsTLSRequest(c.payload); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

func TestCapabilityNames(t *testing.T) {
	seen := map[string]bool{}
	for bit := range 38 {
		name := (wire.Capability(1) << bit).String()
		if name == "" || seen[name] {
			t.Errorf("bit %d is called %q, as another or not at all", bit, name)
		}
		seen[name] = true
	}
	if got := (wire.ClientSSL | wire.MariaDBCacheMetadata).String(); got != "SSL|MARIADB_CACHE_METADATA" {
		t.Errorf("two flags are called %q", got)
	}
	if caps := wire.ClientSSL | wire.ClientODBC; !caps.Has(wire.ClientSSL) || caps.Has(wire.ClientSSL|wire.ClientCompress) {
		t.Error("Has wants all flags, and has it otherwise")
	}
}
