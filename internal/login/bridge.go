package login

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1" //nolint:gosec // what the plugins prescribe for OAEP
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"sync"

	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// rsaBits is the size of tunic's key for these exchanges.
const rsaBits = 2048

// requestKey asks for the public key: the first for caching_sha2_password, the
// second for sha256_password.
var (
	requestKeyCachingSHA2 = []byte{0x02}
	requestKeySHA256      = []byte{0x01}
)

// Key is the RSA key with which clients without TLS encrypt their
// password for tunic. It is made when it is first needed and lives as long as
// the process.
type Key struct {
	once sync.Once
	key  *rsa.PrivateKey
	pem  []byte
	err  error
}

func (e *Key) load() ([]byte, *rsa.PrivateKey, error) {
	e.once.Do(func() {
		if e.key, e.err = rsa.GenerateKey(rand.Reader, rsaBits); e.err != nil {
			return
		}
		der, err := x509.MarshalPKIXPublicKey(&e.key.PublicKey)
		e.pem, e.err = pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), err
	})
	return e.pem, e.key, e.err
}

// Wipe overwrites a held password.
func (x *Exchange) Wipe() {
	clear(x.held)
	x.held = nil
}

// bridgeCachingSHA2 finishes caching_sha2_password when one side is secured and
// the other is not. fullAuth is the server's packet that asks for the password.
func (x *Exchange) bridgeCachingSHA2(fullAuth []byte) error {
	answer, err := x.ask(wire.Bytes(fullAuth))
	if err != nil {
		return err
	}
	if x.secure { // the client's password in clear, for a server without TLS
		x.held = append([]byte(nil), answer...)
		clear(answer)
		return x.server.Send(wire.Bytes(requestKeyCachingSHA2))
	}
	password, err := x.openPassword(answer, requestKeyCachingSHA2)
	if err != nil {
		return err
	}
	defer clear(password)
	return x.server.Send(wire.Bytes(password))
}

// sha256Answer turns the client's answer to sha256_password into what the
// server expects on its side. Here a server holds TLS alone for secured, not
// its Unix socket.
func (x *Exchange) sha256Answer(answer []byte) ([]byte, error) {
	empty := len(answer) == 0 || len(answer) == 1 && answer[0] == 0
	encrypted := x.server.WillBeEncrypted()
	switch {
	case empty || x.secure == encrypted:
		return answer, nil
	case x.secure:
		x.held = append([]byte(nil), answer...)
		clear(answer)
		return requestKeySHA256, nil
	default:
		return x.openPassword(answer, requestKeySHA256)
	}
}

// sendHeld encrypts the held password with the server's key and sends it.
func (x *Exchange) sendHeld(serverKey []byte) error {
	defer x.Wipe()
	block, _ := pem.Decode(serverKey)
	if block == nil {
		return x.refuse(sqlerr.ServerMalformed("public key"))
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return x.refuse(sqlerr.ServerMalformed("public key"))
	}
	key, ok := parsed.(*rsa.PublicKey)
	if !ok {
		return x.refuse(sqlerr.ServerMalformed("public key"))
	}
	xorChallenge(x.held, x.challenge)
	sealed, err := rsa.EncryptOAEP(sha1.New(), rand.Reader, key, x.held, nil) //nolint:gosec // prescribed
	if err != nil {
		return fmt.Errorf("encrypt the answer for the server: %w", err)
	}
	return x.server.Send(wire.Bytes(sealed))
}

// openPassword gives the client tunic's key, if it asks for one, and opens what
// it sends. A client that has kept the server's own key cannot be read.
func (x *Exchange) openPassword(answer, request []byte) ([]byte, error) {
	public, key, err := x.key.load()
	if err != nil {
		return nil, err
	}
	if string(answer) == string(request) {
		if answer, err = x.ask(wire.Bytes(append([]byte{0x01}, public...))); err != nil {
			return nil, err
		}
	}
	password, err := rsa.DecryptOAEP(sha1.New(), nil, key, answer, nil) //nolint:gosec // prescribed
	if err != nil {
		return nil, x.refuse(sqlerr.BadHandshake("the encrypted password"))
	}
	xorChallenge(password, x.challenge)
	return password, nil
}

// xorChallenge hides or uncovers a password with the challenge, as both plugins
// do before they encrypt.
func xorChallenge(password, challenge []byte) {
	if len(challenge) == 0 {
		return
	}
	for i := range password {
		password[i] ^= challenge[i%len(challenge)]
	}
}
