package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"tunic/internal/config"
	"tunic/internal/sqlerr"
)

// certificates hold the TLS configuration that new clients get.
type certificates struct {
	cfg     config.ClientTLS // as tunic was started
	current atomic.Pointer[tls.Config]
	made    bool // the pair is self-signed and new
}

// newCertificates loads the pair, or makes one on first start.
func newCertificates(cfg config.ClientTLS) (*certificates, error) {
	c := &certificates{cfg: cfg}
	if cfg.Mode == config.ClientTLSDisabled {
		return c, nil
	}
	loaded, err := c.load(cfg)
	if err != nil {
		return nil, err
	}
	c.current.Store(loaded)
	return c, nil
}

// config returns how a session gets its TLS configuration, or nil if clients
// get no TLS.
func (c *certificates) config() func() *tls.Config {
	if c.cfg.Mode == config.ClientTLSDisabled {
		return nil
	}
	return c.current.Load
}

// files are the paths of the certificate and its key.
func (c *certificates) files(cfg config.ClientTLS) (cert, key string) {
	if cfg.Cert == "" {
		return filepath.Join(c.cfg.Dir, "server-cert.pem"), filepath.Join(c.cfg.Dir, "server-key.pem")
	}
	return cfg.Cert, cfg.Key
}

// load reads the files of a configuration, or makes a pair if it names none; it is nil if clients
// get no TLS.
func (c *certificates) load(of config.ClientTLS) (*tls.Config, error) {
	if c.cfg.Mode == config.ClientTLSDisabled {
		return nil, nil //nolint:nilnil // there is nothing to load
	}
	certPath, keyPath := c.files(of)
	if of.Cert == "" {
		made, err := makePair(certPath, keyPath)
		if err != nil {
			return nil, sqlerr.StartTLSMade(c.cfg.Dir, err)
		}
		c.made = c.made || made
	}
	pair, err := loadPair(certPath, keyPath)
	if err != nil {
		return nil, err
	}
	cfg := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	if of.ClientCA != "" {
		pem, err := os.ReadFile(of.ClientCA)
		if err != nil {
			return nil, sqlerr.StartTLSFile("--tls-client-ca", of.ClientCA, err)
		}
		cfg.ClientCAs = x509.NewCertPool()
		if !cfg.ClientCAs.AppendCertsFromPEM(pem) {
			return nil, sqlerr.StartTLSFile("--tls-client-ca", of.ClientCA, errors.New("no PEM certificate in it"))
		}
		cfg.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return cfg, nil
}

// loadPair reads a certificate and its key. What is wrong with one of the files is
// said of that file.
func loadPair(certPath, keyPath string) (tls.Certificate, error) {
	cert, leaf, err := readPEM(certPath, "certificate", isCertificate)
	if err == nil {
		_, err = x509.ParseCertificate(leaf.Bytes)
	}
	if err != nil {
		return tls.Certificate{}, sqlerr.StartTLSFile("--tls-cert", certPath, err)
	}
	if err := checkKeyMode(keyPath); err != nil {
		return tls.Certificate{}, err
	}
	key, private, err := readPEM(keyPath, "private key", isPrivateKey)
	if err == nil && isEncrypted(private) {
		err = errors.New("the private key is encrypted with a passphrase, which tunic cannot ask for")
	}
	if err != nil {
		return tls.Certificate{}, sqlerr.StartTLSFile("--tls-key", keyPath, err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return tls.Certificate{}, sqlerr.StartTLSPair(certPath, keyPath, err)
	}
	return pair, nil
}

// readPEM reads a file, and the first block in it of a type that is wanted.
func readPEM(path, name string, wanted func(blockType string) bool) (content []byte, block *pem.Block, err error) {
	content, err = os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	for rest := content; ; {
		switch block, rest = pem.Decode(rest); {
		case block == nil:
			return nil, nil, errors.New("no PEM " + name + " in it")
		case wanted(block.Type):
			return content, block, nil
		}
	}
}

// isCertificate and isPrivateKey are the types of blocks that [tls.X509KeyPair] takes.
func isCertificate(blockType string) bool { return blockType == "CERTIFICATE" }

func isPrivateKey(blockType string) bool {
	return blockType == "PRIVATE KEY" || strings.HasSuffix(blockType, " PRIVATE KEY")
}

// isEncrypted reports whether a private key has a passphrase: of PKCS #8, or of the
// older form (RFC 1421) that says so in a header.
func isEncrypted(key *pem.Block) bool {
	return key.Type == "ENCRYPTED PRIVATE KEY" || key.Headers["DEK-Info"] != ""
}

// checkKeyMode refuses a private key that other users can read or replace.
func checkKeyMode(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return sqlerr.StartTLSFile("--tls-key", path, err)
	case !config.Private(info):
		return sqlerr.StartTLSMode("--tls-key", path, info.Mode().Perm())
	}
	return nil
}

// leaf is the certificate that clients see now, or nil if they get no TLS.
func (c *certificates) leaf() *x509.Certificate {
	if cfg := c.current.Load(); cfg != nil {
		return cfg.Certificates[0].Leaf // LoadX509KeyPair has parsed it
	}
	return nil
}

// pairYears is how long a made pair is valid: nobody renews it, and who pins it
// wants it to stay.
const pairYears = 10

// makePair writes a self-signed pair unless there is one.
func makePair(certPath, keyPath string) (made bool, err error) {
	_, certErr := os.Stat(certPath)
	_, keyErr := os.Stat(keyPath)
	if certErr == nil && keyErr == nil {
		return false, nil
	}
	if certErr == nil || keyErr == nil || !errors.Is(certErr, fs.ErrNotExist) {
		return false, errors.New("one of server-cert.pem and server-key.pem is missing or unreadable")
	}
	if err := os.MkdirAll(filepath.Dir(certPath), 0o700); err != nil {
		return false, err
	}
	cert, key, err := selfSigned()
	if err != nil {
		return false, err
	}
	if err := os.WriteFile(keyPath, key, 0o600); err != nil {
		return false, err
	}
	return true, os.WriteFile(certPath, cert, 0o644) //nolint:gosec // clients may be given it to verify
}

func selfSigned() (cert, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, nil, err
	}
	host, _ := os.Hostname()
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "tunic", Organization: []string{"tunic self-signed"}},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(pairYears, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost", host}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		return nil, nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), nil
}
