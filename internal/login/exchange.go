package login

import (
	"bytes"

	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Authentication plugins whose packets tunic relays. Each proves the password
// against a challenge of the server, or is bridged (see bridge.go).
const (
	pluginNative      = "mysql_native_password"
	pluginCachingSHA2 = "caching_sha2_password"
	pluginSHA256      = "sha256_password"
	pluginEd25519     = "client_ed25519"
	pluginParsec      = "parsec"
	pluginClear       = "mysql_clear_password"
	pluginDialog      = "dialog"
)

// cachingSHA2 answers of the server.
const (
	fastAuthDone   = 0x03
	fullAuthNeeded = 0x04
)

// Exchange is one login under way: at the start of a connection, or of
// COM_CHANGE_USER.
type Exchange struct {
	client    client
	server    server
	key       *Key
	secure    bool // nobody between the client and tunic can read along
	plugin    string
	challenge []byte
	// held is a password that the client has sent over TLS and that must be
	// encrypted before it goes to the server. It is wiped when it is used.
	held []byte
}

// client is the client's connection, and server that to the server.
type client interface {
	Send(m wire.Message) error
	ReadPacket() ([]byte, error)
}

type server interface {
	Send(m wire.Message) error
	// Secured reports whether nobody between the two ends can read, WillBeSecured whether that is so when the
	// login has been sent, and WillBeEncrypted whether TLS is what does it.
	Secured() bool
	WillBeSecured() bool
	WillBeEncrypted() bool
}

// New begins a login with the plugin that the client has named, and the challenge of the server's
// greeting.
func New(c client, s server, key *Key, secure bool, plugin string, challenge []byte) *Exchange {
	return &Exchange{client: c, server: s, key: key, secure: secure, plugin: plugin, challenge: challenge}
}

// Plugin is the one under way.
func (x *Exchange) Plugin() string { return x.plugin }

// TakeForNative is for a client that has named no plugin: it is what servers take it for, or refuse.
func (x *Exchange) TakeForNative() { x.plugin = pluginNative }

// ask sends the client a message and reads what it says to it.
func (x *Exchange) ask(m wire.Message) ([]byte, error) {
	if err := x.client.Send(m); err != nil {
		return nil, err
	}
	return x.client.ReadPacket()
}

// RefusedError says that tunic does not go on with a login, and why.
type RefusedError struct{ Why *sqlerr.Error }

// Error implements error.
func (e *RefusedError) Error() string { return "login refused" }

// refuse ends a login that tunic does not go on with.
func (x *Exchange) refuse(e *sqlerr.Error) error { return &RefusedError{e} }

// Factor refuses a wish of the server's for one more proof.
func (x *Exchange) Factor() error {
	return x.refuse(sqlerr.PluginNotRelayed("multi-factor authentication"))
}

// check refuses plugins that tunic does not relay, and those that send a
// password in clear where somebody could read along.
func (x *Exchange) check() error {
	switch x.plugin {
	case pluginNative, pluginCachingSHA2, pluginSHA256, pluginEd25519, pluginParsec:
		return nil
	case pluginClear, pluginDialog:
		if x.secure && x.server.WillBeSecured() {
			return nil
		}
		return x.refuse(sqlerr.PluginNeedsTLS(x.plugin))
	default:
		return x.refuse(sqlerr.PluginNotRelayed(x.plugin))
	}
}

// First looks at the answer that comes with the login, before it is sent on.
// An answer for a plugin that tunic does not relay is left out: the server then
// asks for the account's own plugin.
func (x *Exchange) First(answer []byte) ([]byte, error) {
	switch x.plugin {
	case pluginNative, pluginCachingSHA2, pluginEd25519, pluginParsec:
		return answer, nil
	case pluginSHA256:
		return x.sha256Answer(answer)
	case pluginClear, pluginDialog:
		if x.secure && x.server.WillBeSecured() {
			return answer, nil
		}
	}
	return nil, nil
}

// Retry relays the server's wish for another plugin, and the client's answer.
func (x *Exchange) Retry(payload []byte) error {
	x.Wipe()
	m, err := wire.DecodeAuthSwitch(payload)
	if err != nil {
		return x.refuse(sqlerr.PluginNotRelayed("mysql_old_password"))
	}
	x.plugin = string(m.Plugin)
	x.challenge = bytes.Clone(bytes.TrimSuffix(m.Challenge, []byte{0}))
	if err := x.check(); err != nil {
		return err
	}
	answer, err := x.ask(wire.Bytes(payload))
	if err != nil {
		return err
	}
	if x.plugin == pluginSHA256 {
		if answer, err = x.sha256Answer(answer); err != nil {
			return err
		}
	}
	return x.server.Send(wire.Bytes(answer))
}

// More relays data of the plugin. data is what the plugin sees of payload.
func (x *Exchange) More(data, payload []byte) error {
	if err := x.check(); err != nil {
		return err
	}
	if x.held != nil {
		return x.sendHeld(data)
	}
	if x.plugin == pluginCachingSHA2 && len(data) == 1 {
		switch {
		case data[0] == fastAuthDone:
			return x.client.Send(wire.Bytes(payload))
		case data[0] == fullAuthNeeded && x.secure != x.server.Secured():
			return x.bridgeCachingSHA2(payload)
		}
	}
	answer, err := x.ask(wire.Bytes(payload))
	if err != nil {
		return err
	}
	return x.server.Send(wire.Bytes(answer))
}
