package difftest

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1" //nolint:gosec // mysql_native_password and RSA-OAEP of the protocol are made of it
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"

	"tunic/internal/wire"
)

// Authentication plugins the client can answer.
const (
	pluginNative = "mysql_native_password"
	pluginSHA2   = "caching_sha2_password"
	pluginSHA256 = "sha256_password"
)

// login answers the greeting and follows the exchange to its end.
func (c *Client) login(spec SessionSpec, collation uint8, useTLS bool) Reply {
	reply := Reply{Label: "login"}
	a := &answer{client: c, reply: &reply}
	a.begin()
	c.password = spec.Password
	err := c.sendLogin(spec, collation, useTLS)
	if err == nil {
		err = a.authenticate()
	}
	if err == nil && a.result.ErrNumber == 0 {
		err = c.compress()
	}
	if err != nil {
		reply.Broken = brokenBy(err)
	}
	if reply.Broken != "" || a.result.ErrNumber != 0 {
		c.Close()
	}
	return reply
}

func (c *Client) sendLogin(spec SessionSpec, collation uint8, useTLS bool) error {
	if spec.Database != "" {
		c.caps |= wire.ClientConnectWithDB
	}
	login := wire.Login{
		Greeting: wire.Greeting{Capabilities: c.caps, PacketLimit: wire.PacketBytesMax, Charset: collation},
		User:     []byte(spec.User),
		Database: []byte(spec.Database),
		Plugin:   c.greeting.Plugin,
	}
	if useTLS {
		login.Capabilities |= wire.ClientSSL
		if err := c.secureConnection(login.Greeting); err != nil {
			return err
		}
	}
	if !c.caps.Has(wire.ClientPluginAuth) {
		login.Plugin = []byte(pluginNative)
	}
	var err error
	if login.Answer, err = prove(string(login.Plugin), c.greeting.Challenge, c.password); err != nil {
		login.Plugin, login.Answer = []byte(pluginNative), nil // the server will switch
	}
	if c.caps.Has(wire.ClientConnectAttrs) {
		login.Attributes = attributes("_client_name", "difftest", "program_name", "difftest")
	}
	if wire.NegotiatedCompression(c.caps) == wire.CompressionZstd {
		login.ZstdLevel = 3
	}
	return c.wire.Send(login)
}

func attributes(pairs ...string) []byte {
	var b []byte
	for _, s := range pairs {
		b = wire.AppendLenencBytes(b, []byte(s))
	}
	return b
}

// authenticate follows the server's packets up to OK or an error.
func (a *answer) authenticate() error {
	for round := 0; ; round++ {
		payload, err := a.client.read()
		if err != nil {
			return err
		}
		kind, data := wire.ClassifyAuth(payload)
		note := fmt.Sprintf("auth.%d", round)
		switch kind {
		case wire.AuthOK, wire.AuthErr:
			a.result.Raw = append(a.result.Raw, payload)
			return a.end(payload)
		case wire.AuthRetry:
			err = a.switchPlugin(note, payload)
		case wire.AuthMore:
			err = a.more(note, data)
		case wire.AuthFactor:
			err = fmt.Errorf("the server asks for a second factor")
		}
		if err != nil {
			return err
		}
	}
}

// switchPlugin answers a challenge for another plugin.
func (a *answer) switchPlugin(note string, payload []byte) error {
	m, err := wire.DecodeAuthSwitch(payload)
	if err != nil {
		return err
	}
	a.result.set(note, fmt.Sprintf("switch to %s, %d bytes", m.Plugin, len(m.Challenge)))
	a.client.greeting.Challenge = bytes.TrimSuffix(m.Challenge, []byte{0})
	response, err := a.client.respond(string(m.Plugin))
	if err != nil {
		return err
	}
	return a.client.wire.Send(wire.Bytes(response))
}

// respond is the first answer to a challenge. That of sha256_password is the
// password where nobody can listen, and elsewhere the question for the key to
// seal it with.
func (c *Client) respond(plugin string) ([]byte, error) {
	switch {
	case plugin != pluginSHA256:
		return prove(plugin, c.greeting.Challenge, c.password)
	case c.secure:
		return append([]byte(c.password), passwordEndsBy), nil
	default:
		return []byte{sha256AskForKey}, nil
	}
}

// What caching_sha2_password says between the answer and the OK.
const (
	sha2Known      = 3 // the answer was right: an OK follows
	sha2WantsAll   = 4 // the server must see the password once
	sha2AskForKey  = 2
	passwordEndsBy = 0

	sha256AskForKey = 1 // of sha256_password
)

// more follows caching_sha2_password. Its words are compared, its key is not: it
// is each server's own.
func (a *answer) more(note string, data []byte) error {
	c := a.client
	switch {
	case len(data) == 1 && data[0] == sha2Known:
		a.result.set(note, "known")
		return nil
	case len(data) == 1 && data[0] == sha2WantsAll && c.secure:
		a.result.set(note, "wants the password")
		return c.wire.Send(wire.Bytes(append([]byte(c.password), passwordEndsBy)))
	case len(data) == 1 && data[0] == sha2WantsAll:
		a.result.set(note, "wants the password")
		return c.wire.Send(wire.Bytes{sha2AskForKey})
	default:
		a.result.set(note, "key")
		sealed, err := sealPassword(c.password, c.greeting.Challenge, data)
		if err != nil {
			return err
		}
		return c.wire.Send(wire.Bytes(sealed))
	}
}

// prove is the answer to a challenge.
func prove(plugin string, challenge []byte, password string) ([]byte, error) {
	if password == "" {
		return nil, nil
	}
	challenge = challenge[:min(len(challenge), wire.ChallengeBytes)]
	switch plugin {
	case pluginNative:
		stage1 := sha1.Sum([]byte(password))                           //nolint:gosec // see the import
		stage2 := sha1.Sum(stage1[:])                                  //nolint:gosec // see the import
		mask := sha1.Sum(append(bytes.Clone(challenge), stage2[:]...)) //nolint:gosec // see the import
		return xor(stage1[:], mask[:]), nil
	case pluginSHA2:
		stage1 := sha256.Sum256([]byte(password))
		stage2 := sha256.Sum256(stage1[:])
		mask := sha256.Sum256(append(stage2[:], challenge...))
		return xor(stage1[:], mask[:]), nil
	default:
		return nil, fmt.Errorf("plugin %s is not one this client knows", plugin)
	}
}

// sealPassword encrypts the password with the server's key for the way through a
// connection without TLS.
func sealPassword(password string, challenge, keyPEM []byte) ([]byte, error) {
	block, _ := pem.Decode(keyPEM)
	if block == nil {
		return nil, fmt.Errorf("the server's key is not PEM: %d bytes", len(keyPEM))
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	key, ok := parsed.(*rsa.PublicKey)
	if !ok {
		return nil, fmt.Errorf("the server's key is %T, want RSA", parsed)
	}
	plain := append([]byte(password), passwordEndsBy)
	return rsa.EncryptOAEP(sha1.New(), rand.Reader, key, xor(plain, challenge), nil) //nolint:gosec // see the import
}

// xor masks a with b, repeating b.
func xor(a, b []byte) []byte {
	out := make([]byte, len(a))
	for i := range a {
		out[i] = a[i] ^ b[i%len(b)]
	}
	return out
}

// changeUser logs in anew on the same connection.
func (c *Client) changeUser(spec SessionSpec) Reply {
	response, err := prove(string(c.greeting.Plugin), c.greeting.Challenge, spec.Password)
	if err != nil {
		return Reply{Label: "change-user", Broken: err.Error()}
	}
	c.password = spec.Password
	command := wire.ChangeUser{
		User: []byte(spec.User), Answer: response, Database: []byte(spec.Database),
		Charset: uint16(spec.Collation), Plugin: c.greeting.Plugin,
	}
	if c.caps.Has(wire.ClientConnectAttrs) {
		command.Rest = wire.AppendLenencBytes(nil, attributes("_client_name", "difftest"))
	}
	return c.roundTrip("change-user", command.AppendCommand(nil, c.caps), func(a *answer) error {
		a.begin()
		return a.authenticate()
	})
}
