package wiretest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1" //nolint:gosec // the protocol's own
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	"tunic/internal/wire"
)

// Plugins a Client can log in with.
const (
	NativePassword = "mysql_native_password" //nolint:gosec // a name
	CachingSHA2    = "caching_sha2_password"
)

// Signals within caching_sha2_password's exchange.
const (
	sha2Fast       = 3 // server: the answer to the challenge was enough
	sha2Full       = 4 // server: it wants the password itself
	sha2RequestKey = 2 // client: it wants the server's RSA key
)

// prove answers a challenge as the plugin wants it.
func prove(plugin, password string, challenge []byte) ([]byte, error) {
	if password == "" {
		return nil, nil
	}
	challenge = challenge[:min(len(challenge), wire.ChallengeBytes)]
	switch plugin {
	case NativePassword:
		return proveNative(password, challenge), nil
	case CachingSHA2:
		return proveSHA2(password, challenge), nil
	default:
		return nil, fmt.Errorf("login with %s is not scripted", plugin)
	}
}

// proveNative is SHA1(password) XOR SHA1(challenge, SHA1(SHA1(password))).
func proveNative(password string, challenge []byte) []byte {
	once := sha1.Sum([]byte(password))                                       //nolint:gosec // the protocol's own
	twice := sha1.Sum(once[:])                                               //nolint:gosec // the protocol's own
	mask := sha1.Sum(append(append([]byte(nil), challenge...), twice[:]...)) //nolint:gosec // the protocol's own
	subtle.XORBytes(mask[:], mask[:], once[:])
	return mask[:]
}

// proveSHA2 is SHA256(password) XOR SHA256(SHA256(SHA256(password)), challenge).
func proveSHA2(password string, challenge []byte) []byte {
	once := sha256.Sum256([]byte(password))
	twice := sha256.Sum256(once[:])
	mask := sha256.Sum256(append(twice[:], challenge...))
	subtle.XORBytes(mask[:], mask[:], once[:])
	return mask[:]
}

// sealPassword hides the password for the server that has the key.
func sealPassword(password string, challenge, keyPEM []byte) ([]byte, error) {
	block, _ := pem.Decode(keyPEM)
	if block == nil {
		return nil, errors.New("the server's key is not PEM")
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	key, ok := parsed.(*rsa.PublicKey)
	if !ok {
		return nil, fmt.Errorf("the server's key is a %T", parsed)
	}
	plain := append([]byte(password), 0)
	for i := range plain {
		plain[i] ^= challenge[i%wire.ChallengeBytes]
	}
	return rsa.EncryptOAEP(sha1.New(), rand.Reader, key, plain, nil) //nolint:gosec // the protocol's own
}
