package server

import "time"

// expiryNotice is how long before the end of the certificate the log speaks of
// it, once a day.
const (
	expiryNotice = 14 * 24 * time.Hour
	expiryRepeat = 24 * time.Hour
)

// certPath is the file of the certificate that clients see.
func (s *Server) certPath() string {
	cert, _ := s.tls.files(s.live.Load().TLS)
	return cert
}

// checkCertificate measures how long the certificate that clients see is valid,
// and warns of one that they will not accept. Clients judge it, most do not even
// look, so it is no reason not to serve.
func (s *Server) checkCertificate(now time.Time) {
	leaf := s.tls.leaf()
	if leaf == nil {
		return
	}
	s.metrics.CertificateNotAfter.Set(leaf.NotAfter.Unix())
	var problem string
	switch {
	case now.After(leaf.NotAfter):
		problem = "the certificate for clients has expired"
	case now.Before(leaf.NotBefore):
		problem = "the certificate for clients is not valid yet"
	case leaf.NotAfter.Sub(now) < expiryNotice:
		problem = "the certificate for clients expires soon"
	default:
		return
	}
	s.log.Warn(problem, "cert", s.certPath(), "not_before", leaf.NotBefore, "not_after", leaf.NotAfter,
		"fix", "renew it and send SIGHUP")
}
