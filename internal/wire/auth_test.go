package wire_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/wire"
)

func decodeAuthSwitch(b []byte) error {
	_, err := wire.DecodeAuthSwitch(b)
	return err
}

func TestAuthSwitchRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := wire.AuthSwitch{Plugin: drawText(t, "plugin"), Challenge: drawBytes(t, "challenge")}
		payload := m.AppendTo(nil)
		got, err := wire.DecodeAuthSwitch(payload)
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, got)
		refusesCuts(t, payload, 1+len(m.Plugin)+1, decodeAuthSwitch)
	})
}

func TestAuthSwitchRefuses(t *testing.T) {
	refuses(t, decodeAuthSwitch,
		badMessage{"nothing", ""},
		badMessage{"the switch to passwords of before 4.1", "\xfe"},
		badMessage{"no end of the plugin", "\xfemysql_native_password"},
		badMessage{"an OK", "\x00mysql_native_password\x00"},
	)
}

func TestClassifyAuth(t *testing.T) {
	for _, c := range []struct {
		name, payload string
		kind          wire.AuthKind
		data          string
	}{
		{"OK", "\x00\x00\x00\x02\x00\x00\x00", wire.AuthOK, ""},
		{"error", "\xff\x15\x04#28000Access denied", wire.AuthErr, ""},
		{"switch", "\xfemysql_native_password\x00", wire.AuthRetry, ""},
		{"data that is marked", "\x01\x03", wire.AuthMore, "\x03"},
		{"data that needs no mark", "\x03", wire.AuthMore, "\x03"},
		{"a key", "\x01-----BEGIN PUBLIC KEY-----", wire.AuthMore, "-----BEGIN PUBLIC KEY-----"},
		{"a question of a dialog", "\x04Password:", wire.AuthMore, "\x04Password:"},
		{"marked, and empty", "\x01", wire.AuthMore, ""},
		{"empty", "", wire.AuthMore, ""},
		{"next factor", "\x02authentication_webauthn\x00", wire.AuthFactor, ""},
	} {
		kind, data := wire.ClassifyAuth([]byte(c.payload))
		if kind != c.kind || string(data) != c.data {
			t.Errorf("%s: kind %d, data %q, want kind %d, data %q", c.name, kind, data, c.kind, c.data)
		}
	}
}

// changeUserCaps are the flags that shape COM_CHANGE_USER.
const changeUserCaps = wire.ClientSecureConnection | wire.ClientPluginAuth | wire.ClientConnectAttrs

func drawChangeUser(t *rapid.T, caps wire.Capability) wire.ChangeUser {
	m := wire.ChangeUser{
		User: drawText(t, "user"), Database: drawText(t, "database"), Charset: rapid.Uint16().Draw(t, "charset"),
	}
	if caps.Has(wire.ClientSecureConnection) {
		m.Answer = drawShort(t, "answer")
	} else {
		m.Answer = drawText(t, "answer")
	}
	if caps.Has(wire.ClientPluginAuth) {
		m.Plugin = drawText(t, "plugin")
	}
	if caps.Has(wire.ClientConnectAttrs) {
		m.Rest = wire.AppendLenencBytes(nil, drawBytes(t, "attributes"))
	}
	return m
}

func TestChangeUserRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		caps := drawCaps(t, 0, changeUserCaps)
		m := drawChangeUser(t, caps)
		payload := m.AppendCommand(nil, caps)
		got, err := wire.DecodeChangeUser(payload, caps)
		if err != nil {
			t.Fatal(err)
		}
		same(t, m, got)
		refusesCuts(t, payload, 1+len(m.User)+1+len(m.Answer)+1+len(m.Database), func(b []byte) error {
			_, err := wire.DecodeChangeUser(b, caps)
			return err
		})
	})
}

func TestChangeUserRefuses(t *testing.T) {
	refuses(t, func(b []byte) error {
		_, err := wire.DecodeChangeUser(b, changeUserCaps)
		return err
	},
		badMessage{"nothing", ""},
		badMessage{"another command", "\x03joe\x00\x00shop\x00"},
		badMessage{"a user without end", "\x11joe"},
		badMessage{"an answer longer than the packet", "\x11joe\x00\x09abc"},
		badMessage{"a database without end", "\x11joe\x00\x03abcshop"},
		badMessage{"half a character set", "\x11joe\x00\x03abcshop\x00\x2d"},
	)
}

// What a client leaves out stays left out.
func TestChangeUserIsNotCompleted(t *testing.T) {
	const head = "\x11joe\x00\x03abcshop\x00"
	for _, tail := range []string{"", "\x2d\x00", "\x2d\x00\x00", "\x2d\x00plugin\x00", "\x2d\x00plugin\x00\x04\x01a\x01b"} {
		for _, caps := range []wire.Capability{changeUserCaps, changeUserCaps &^ wire.ClientPluginAuth} {
			m, err := wire.DecodeChangeUser([]byte(head+tail), caps)
			if err != nil || string(m.Database) != "shop" {
				t.Errorf("%q: %+v, %v", tail, m, err)
			}
			if got := m.AppendCommand(nil, caps); string(got) != head+tail {
				t.Errorf("%q is encoded as %q", head+tail, got)
			}
		}
	}
}

func TestBytesAreAMessage(t *testing.T) {
	if got := wire.Bytes("cd").AppendTo([]byte("ab")); !bytes.Equal(got, []byte("abcd")) {
		t.Errorf("%q", got)
	}
}
