package server

import (
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"strings"
	"testing"
	"time"

	"tunic/internal/config"
)

// TestCertificateWarnings: clients may refuse a certificate that has expired, so
// the log and a metric speak of it in time.
func TestCertificateWarnings(t *testing.T) {
	begin := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	leaf := &x509.Certificate{NotBefore: begin, NotAfter: begin.AddDate(1, 0, 0)}
	c := &certificates{}
	c.current.Store(&tls.Config{Certificates: []tls.Certificate{{Leaf: leaf}}})
	for _, now := range []struct {
		at   time.Time
		want string
	}{
		{begin.Add(-time.Second), "is not valid yet"},
		{begin, ""},
		{leaf.NotAfter.Add(-expiryNotice), ""},
		{leaf.NotAfter.Add(-expiryNotice + time.Second), "expires soon"},
		{leaf.NotAfter, "expires soon"},
		{leaf.NotAfter.Add(time.Second), "has expired"},
	} {
		lines := new(logged)
		s := &Server{tls: c, metrics: testMetrics(), log: slog.New(slog.NewTextHandler(lines, nil))}
		s.live.Store(config.Default())
		s.checkCertificate(now.at)
		if got := lines.String(); !strings.Contains(got, now.want) || (now.want == "") != (got == "") {
			t.Errorf("at %v: %q, want %q", now.at, got, now.want)
		}
		if got := s.metrics.CertificateNotAfter.Value(); got != leaf.NotAfter.Unix() {
			t.Errorf("the metric is %d", got)
		}
	}
}

// TestNoCertificate: without TLS there is nothing to warn of.
func TestNoCertificate(t *testing.T) {
	c, err := newCertificates(config.ClientTLS{Mode: config.ClientTLSDisabled})
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{tls: c}
	s.checkCertificate(time.Now())
}

// TestDescriptorWarning: two descriptors a client, and some besides.
func TestDescriptorWarning(t *testing.T) {
	cfg := config.Default()
	cfg.Limits.Connections = 4096
	for limit, warns := range map[uint64]bool{1024: true, 8192: true, 8255: true, 8256: false, 65536: false} {
		lines := new(logged)
		s := &Server{log: slog.New(slog.NewTextHandler(lines, nil))}
		s.live.Store(cfg)
		s.warnDescriptors(limit)
		if got := strings.Contains(lines.String(), "needed=8256"); got != warns {
			t.Errorf("limit %d: %q", limit, lines.String())
		}
	}
}
