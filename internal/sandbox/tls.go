package sandbox

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// The files of a server that offers TLS, in its folder.
const (
	caFile         = "ca.pem"
	serverCertFile = "server-cert.pem"
	serverKeyFile  = "server-key.pem"
)

// certificateLife is long enough that a folder kept between two days still works.
const certificateLife = 365 * 24 * time.Hour

func certificateArgs(dir string) []string {
	return []string{
		"--ssl-ca=" + filepath.Join(dir, caFile),
		"--ssl-cert=" + filepath.Join(dir, serverCertFile),
		"--ssl-key=" + filepath.Join(dir, serverKeyFile),
	}
}

// makeCertificates writes a CA and a server certificate signed by it, and returns
// the path of the CA's. Nobody keeps the CA's key.
func makeCertificates(dir string) (string, error) {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", err
	}
	ca := certificate(1, "tunic sandbox CA")
	ca.IsCA, ca.KeyUsage = true, x509.KeyUsageCertSign
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, caKey.Public(), caKey)
	if err != nil {
		return "", err
	}
	serverKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", err
	}
	server := certificate(2, "tunic sandbox server")
	server.KeyUsage = x509.KeyUsageDigitalSignature
	server.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	server.DNSNames, server.IPAddresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1)}
	serverDER, err := x509.CreateCertificate(rand.Reader, server, ca, serverKey.Public(), caKey)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, caFile)
	return path, writePair(dir, caDER, serverDER, serverKey)
}

func certificate(serial int64, name string) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber:          big.NewInt(serial),
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             now.Add(-time.Hour), // clocks differ
		NotAfter:              now.Add(certificateLife),
		BasicConstraintsValid: true,
	}
}

func writePair(dir string, caDER, serverDER []byte, serverKey crypto.PrivateKey) error {
	keyDER, err := x509.MarshalPKCS8PrivateKey(serverKey)
	if err != nil {
		return fmt.Errorf("server key: %w", err)
	}
	for _, f := range []struct {
		name, kind string
		der        []byte
	}{
		{caFile, "CERTIFICATE", caDER},
		{serverCertFile, "CERTIFICATE", serverDER},
		{serverKeyFile, "PRIVATE KEY", keyDER},
	} {
		text := pem.EncodeToMemory(&pem.Block{Type: f.kind, Bytes: f.der})
		if err := os.WriteFile(filepath.Join(dir, f.name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
