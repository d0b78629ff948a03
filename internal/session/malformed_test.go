package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/wire"
	"tunic/internal/wire/wiretest"
)

// brokenCommands are what no client should send, that servers answer with an
// error and go on.
var brokenCommands = []struct {
	name, payload string
	caps          wire.Capability
	// mariadb says that MariaDB answers otherwise than tunic does.
	mariadb string
}{
	{"nothing", "", 0, ""},
	{"execute without a statement", "\x17\x01\x00", 0, ""},
	{"execute of nothing", "\x17", 0, ""},
	{"execute cut short", "\x17\x01\x00\x00\x00", 0, ""},
	{"close cut short", "\x19\x01\x00", 0, ""},
	{"long data of nothing", "\x18", 0, ""},
	{"long data without a parameter", "\x18\x01\x00\x00\x00", 0, ""},
	{"long data with half a parameter", "\x18\x01\x00\x00\x00\x00", 0, ""},
	{"fetch cut short", "\x1c\x01\x00", 0, "1243: it takes what is missing for zeros"},
	{"reset cut short", "\x1a\x01", 0, "1243: it takes what is missing for zeros"},
	{"an empty query", "\x03", 0, ""},
	{"a query without attributes", "\x03", wire.ClientQueryAttributes, ""},
	{"a query with half of its attributes", "\x03\x00", wire.ClientQueryAttributes, ""},
	{"a query with attributes that are none", "\x03\x05", wire.ClientQueryAttributes, ""},
	{"an empty query with attributes", "\x03\x00\x01", wire.ClientQueryAttributes, ""},
	{"a query whose attributes are cut short", "\x03\x01\x01\x00", wire.ClientQueryAttributes, ""},
	{"an empty statement prepared", "\x16", 0, ""},
	{"no schema", "\x02", 0, ""},
	{"COM_SLEEP", "\x00", 0, ""},
	{"COM_CREATE_DB", "\x05x", 0, ""},
	{"COM_DROP_DB", "\x06x", 0, ""},
	{"COM_TIME", "\x0f", 0, ""},
	{"COM_DELAYED_INSERT", "\x10", 0, ""},
	{"COM_CONNECT_OUT", "\x14", 0, ""},
	{"COM_DAEMON", "\x1d", 0, ""},
	{"a byte that is no command", "\x7f", 0, ""},
}

// TestBrokenCommands: a command that is none is answered as the server answers it
// directly, and the session goes on.
func TestBrokenCommands(t *testing.T) {
	for _, server := range sandboxtest.Available(t) {
		all := shared(t, server.Addr)
		for _, c := range brokenCommands {
			t.Run(fmt.Sprintf("%s/%s, %s", server.Flavor, c.name, c.caps), func(t *testing.T) {
				if server.Flavor == sandbox.MariaDB && c.mariadb != "" {
					t.Skip("MariaDB answers with ", c.mariadb)
				}
				account := wiretest.Client{User: "app", Password: "app", Caps: wiretest.ClientCaps | c.caps}
				direct, err := account.Dial(t.Context(), server.Addr)
				if err != nil {
					t.Fatal(err)
				}
				defer direct.Close()
				client, _, _ := startSession(t, all)
				through := wiretest.NewPeer(client)
				if err := account.Login(through); err != nil {
					t.Fatal(err)
				}
				for range 2 {
					want, got := errorsOf(t, direct, c.payload), errorsOf(t, through, c.payload)
					if !slices.Equal(want, got) {
						t.Errorf("tunic answers with %q, the server with %q", got, want)
					}
				}
			})
		}
	}
}

// errorsOf sends a command and a ping behind it, and returns the errors that come
// before the ping's OK.
func errorsOf(t *testing.T, p *wiretest.Peer, command string) (errors []string) {
	t.Helper()
	for _, payload := range []string{command, string(rune(wire.ComPing))} {
		if err := p.Command([]byte(payload)); err != nil {
			t.Fatal(err)
		}
	}
	for {
		p.Wire.SetSequence(1)
		if err := p.Read(); err != nil {
			t.Fatal(err)
		}
		if p.Last[0] == 0 {
			return errors
		}
		m, err := wire.DecodeErr(p.Last)
		if err != nil {
			t.Fatal(err)
		}
		errors = append(errors, fmt.Sprint(m.Number, " ", strings.ToUpper(m.State)))
	}
}
