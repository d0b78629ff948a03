package login

import (
	"crypto/x509"
	"net"
	"net/netip"
	"slices"

	"tunic/internal/config"
	"tunic/internal/policy"
)

// Among reports whether the account of a client, by its name, by where it is and by its certificate, is one of a
// list, or there is no list.
func Among(accounts []config.ClientAccount, user string, peer net.Addr, certificate *x509.Certificate) bool {
	host := hostOf(peer)
	return len(accounts) == 0 || slices.ContainsFunc(accounts, func(a config.ClientAccount) bool {
		return policy.Glob(a.User, user) && policy.Glob(a.Host, host) && (a.Certificate == "" || bears(certificate, a.Certificate))
	})
}

// hostOf is where a client is, as the operator writes it.
func hostOf(a net.Addr) string {
	if a.Network() == "unix" {
		return "localhost"
	}
	if ip := ipOf(a); ip.IsValid() {
		return ip.String()
	}
	return a.String()
}

// ipOf is the IP of a client; not valid if it has none.
func ipOf(a net.Addr) netip.Addr {
	whole, _ := netip.ParseAddrPort(a.String()) // zero if it fails
	return whole.Addr().Unmap().WithZone("")
}

// bears reports whether a certificate, which was verified, is made out to a name.
func bears(c *x509.Certificate, name string) bool {
	if c == nil {
		return false
	}
	names := slices.Concat([]string{c.Subject.CommonName}, c.DNSNames, c.EmailAddresses)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	for _, uri := range c.URIs {
		names = append(names, uri.String())
	}
	return slices.ContainsFunc(names, func(has string) bool { return has != "" && policy.Glob(name, has) })
}
