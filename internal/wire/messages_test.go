package wire_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"tunic/internal/wire"
)

// TestRecordedLogins decodes what real servers and clients have said during
// logins (see TestRecord), and encodes it again.
func TestRecordedLogins(t *testing.T) {
	datadriven.Walk(t, "testdata/messages", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			payload := unhex(t, d.Input)
			switch d.Cmd {
			case "handshake":
				return recordedHandshake(t, payload)
			case "login":
				return recordedLogin(t, payload)
			case "auth":
				return recordedAuth(t, payload)
			default:
				t.Fatalf("unknown directive %q", d.Cmd)
				return ""
			}
		})
	})
}

func recordedHandshake(t *testing.T, payload []byte) string {
	m, err := wire.DecodeHandshake(payload)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("version %s\nconnection %d\nchallenge %d bytes\nplugin %s\ncharset %d\nstatus %#x\n%s%s",
		m.Version, m.ConnectionID, len(m.Challenge), m.Plugin, m.Charset, uint16(m.Status), flags(m.Capabilities), again(payload, m))
}

func recordedLogin(t *testing.T, payload []byte) string {
	m, err := wire.DecodeLogin(payload)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("user %s\nanswer %d bytes\ndatabase %s\nplugin %s\nattributes %d bytes\npacket limit %d\ncharset %d\n%s%s",
		m.User, len(m.Answer), m.Database, m.Plugin, len(m.Attributes), m.PacketLimit, m.Charset, flags(m.Capabilities), again(payload, m))
}

func recordedAuth(t *testing.T, payload []byte) string {
	kind, data := wire.ClassifyAuth(payload)
	switch kind {
	case wire.AuthOK:
		m, err := wire.DecodeOK(payload, 0)
		same(t, nil, err)
		return fmt.Sprintf("OK, status %#x\n", uint16(m.Status))
	case wire.AuthErr:
		m, err := wire.DecodeErr(payload)
		same(t, nil, err)
		return fmt.Sprintf("error %d (%s): %s\n%s", m.Number, m.State, m.Message, again(payload, m))
	case wire.AuthRetry:
		m, err := wire.DecodeAuthSwitch(payload)
		same(t, nil, err)
		return fmt.Sprintf("switch to %s, challenge %d bytes\n%s", m.Plugin, len(m.Challenge), again(payload, m))
	default:
		return fmt.Sprintf("data of the plugin, %d bytes, first %#x\n", len(data), data[:1])
	}
}

// flags lists capabilities on lines of their own.
func flags(caps wire.Capability) string {
	return "  " + strings.ReplaceAll(caps.String(), "|", "\n  ") + "\n"
}

// again says whether a message encodes to the bytes it came from.
func again(payload []byte, m wire.Message) string {
	if bytes.Equal(payload, m.AppendTo(nil)) {
		return "encodes to the same bytes\n"
	}
	return "encodes to other bytes\n"
}
