package session

import (
	"crypto/x509"
	"net"
	"net/netip"
	"slices"

	"tunic/internal/config"
	"tunic/internal/plan"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// Which accounts reach protected tables the operator of tunic says. Whoever may create accounts at
// the server, or set passwords, has no say in it: an account is judged by the name that the client
// logs in with, by where it is, and by its certificate, before the server is asked.

// judgeAccount notes what a client that logs in as user may reach and say; it is an error if it
// may not log in at all.
func (s *Session) judgeAccount(user []byte) *sqlerr.Error {
	s.user = string(user)
	s.outsider = !s.among(s.current.Clients.Accounts, string(user))
	s.annotates = s.among(s.current.Annotators, string(user))
	if s.outsider && s.current.Clients.Others != config.OthersPlain {
		return sqlerr.AccountRefused()
	}
	return nil
}

// among reports whether the client's account is one of a list, or there is no list.
func (s *Session) among(accounts []config.ClientAccount, user string) bool {
	host := hostOf(s.peer)
	return len(accounts) == 0 || slices.ContainsFunc(accounts, func(a config.ClientAccount) bool {
		return policy.Glob(a.User, user) && policy.Glob(a.Host, host) && (a.Certificate == "" || bears(s.certificate, a.Certificate))
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

// mayNotDefine refuses a definition to who may reach plain tables only, unless tunic has no part in
// it: one adds layers, which tell the server of values, and makes tables that the account could not
// use.
func (s *Session) mayNotDefine(p *plan.Plan) bool {
	return s.outsider && (p.Grant != nil || p.View != nil || p.MayDefine || p.Made != nil && p.Made.ReadsProtected || s.mayDefineProtected(p))
}
