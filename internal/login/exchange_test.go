package login

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"testing"

	"tunic/internal/wire"
)

// peer is one side of an exchange: what it was sent, and what it says.
type peer struct {
	secured bool
	got     [][]byte
	says    [][]byte
}

func (p *peer) Send(m wire.Message) error {
	p.got = append(p.got, bytes.Clone(m.(wire.Bytes)))
	return nil
}

func (p *peer) ReadPacket() ([]byte, error) {
	if len(p.says) == 0 {
		return nil, io.EOF
	}
	next := p.says[0]
	p.says = p.says[1:]
	return next, nil
}

func (p *peer) Secured() bool         { return p.secured }
func (p *peer) WillBeSecured() bool   { return p.secured }
func (p *peer) WillBeEncrypted() bool { return p.secured }

// TestFirst: the answer that comes with a login goes on if its plugin is relayed, and a password in clear only where
// nobody can read along.
func TestFirst(t *testing.T) {
	answer := []byte("answer")
	for _, c := range []struct {
		plugin         string
		client, server bool
		passes         bool
	}{
		{pluginNative, false, false, true},
		{pluginCachingSHA2, true, false, true},
		{pluginEd25519, false, true, true},
		{pluginParsec, false, false, true},
		{pluginSHA256, false, false, true},
		{pluginSHA256, true, true, true},
		{pluginClear, true, true, true},
		{pluginClear, true, false, false},
		{pluginClear, false, true, false},
		{pluginDialog, false, false, false},
		{"authentication_ldap_sasl_client", true, true, false},
		{"", true, true, false},
	} {
		x := New(&peer{}, &peer{secured: c.server}, new(Key), c.client, c.plugin, nil)
		got, err := x.First(answer)
		if err != nil || c.passes != bytes.Equal(got, answer) || !c.passes && got != nil {
			t.Errorf("%s, client %t, server %t: %q, %v", c.plugin, c.client, c.server, got, err)
		}
	}
}

// TestRefused: what tunic does not go on with is an error, and neither side is sent anything.
func TestRefused(t *testing.T) {
	for name, do := range map[string]func(x *Exchange) error{
		"an old plugin":     func(x *Exchange) error { return x.Retry([]byte{0xfe}) },
		"another plugin":    func(x *Exchange) error { return x.Retry([]byte("\xfeldap\x00challenge\x00")) },
		"a clear password":  func(x *Exchange) error { return x.Retry([]byte("\xfe" + pluginClear + "\x00\x00")) },
		"one more proof":    (*Exchange).Factor,
		"an unknown plugin": func(x *Exchange) error { x.plugin = "x"; return x.More([]byte{1}, []byte{1, 1}) },
	} {
		client, server := &peer{}, &peer{}
		err := do(New(client, server, new(Key), false, pluginNative, nil))
		if refused, ok := errors.AsType[*RefusedError](err); !ok || refused.Why.Code == 0 || len(client.got)+len(server.got) > 0 {
			t.Errorf("%s: %v; the client got %q, the server %q", name, err, client.got, server.got)
		}
	}
}

// TestBridge: where one side alone is secured, a password goes over the other one encrypted, whichever plugin asks for
// it; and nothing of it is kept.
func TestBridge(t *testing.T) {
	challenge, password := []byte("01234567890123456789"), []byte("secret\x00")
	private, err := rsa.GenerateKey(rand.Reader, rsaBits)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	t.Run("the client is secured", func(t *testing.T) {
		client, server := &peer{says: [][]byte{bytes.Clone(password)}}, &peer{}
		x := New(client, server, new(Key), true, pluginCachingSHA2, challenge)
		if err := errors.Join(x.More([]byte{fullAuthNeeded}, []byte{1, fullAuthNeeded}), x.More(public, append([]byte{1}, public...))); err != nil {
			t.Fatal(err)
		}
		if len(server.got) != 2 || !bytes.Equal(server.got[0], requestKeyCachingSHA2) {
			t.Fatalf("the server got %q", server.got)
		}
		opened, err := rsa.DecryptOAEP(sha1.New(), nil, private, server.got[1], nil)
		if err != nil {
			t.Fatal(err)
		}
		if xorChallenge(opened, challenge); !bytes.Equal(opened, password) || x.held != nil {
			t.Errorf("the server got %q, and %q is held", opened, x.held)
		}
	})
	t.Run("the server is secured", func(t *testing.T) {
		key := new(Key)
		_, own, err := key.load()
		if err != nil {
			t.Fatal(err)
		}
		hidden := bytes.Clone(password)
		xorChallenge(hidden, challenge)
		sealed, err := rsa.EncryptOAEP(sha1.New(), rand.Reader, &own.PublicKey, hidden, nil)
		if err != nil {
			t.Fatal(err)
		}
		client, server := &peer{says: [][]byte{requestKeyCachingSHA2, sealed}}, &peer{secured: true}
		x := New(client, server, key, false, pluginCachingSHA2, challenge)
		if err := x.More([]byte{fullAuthNeeded}, []byte{1, fullAuthNeeded}); err != nil {
			t.Fatal(err)
		}
		if len(server.got) != 1 || len(server.got[0]) != len(password) {
			t.Errorf("the server got %q", server.got)
		}
		if len(client.got) != 2 || !bytes.Contains(client.got[1], []byte("PUBLIC KEY")) {
			t.Errorf("the client got %q", client.got)
		}
		client.says = [][]byte{[]byte("sealed for another key")}
		if _, ok := errors.AsType[*RefusedError](x.More([]byte{fullAuthNeeded}, []byte{1, fullAuthNeeded})); !ok {
			t.Error("what was sealed for another key is not refused")
		}
	})
}
