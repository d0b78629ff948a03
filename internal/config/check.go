package config

import (
	"cmp"
	"net"
	"path/filepath"
	"strings"
)

// check is what no setting can tell alone.
func (l *loader) check() error {
	for _, check := range []func() error{
		l.checkRequired,
		l.checkAddresses,
		l.checkTLS,
		l.checkPassphrase,
		l.readAdminToken,
		l.readServicePassword,
		l.checkPolicy,
		l.checkAccounts,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) checkRequired() error {
	for _, s := range table {
		if _, set := l.written[s.Env]; s.Required && !set {
			return &Error{
				Kind: Missing, Setting: "--" + s.Flag, Problem: "is not set",
				Fix: "give --" + s.Flag + " " + strings.ReplaceAll(s.Value, "|", " or ") + ", " + s.Env + " or " + s.Key + " in the file",
			}
		}
	}
	return nil
}

// checkAddresses refuses one address for clients and for operators, and a page that
// is served nowhere.
func (l *loader) checkAddresses() error {
	c := l.config
	switch {
	case c.Admin.Pprof && c.Admin.Address == "":
		return &Error{
			Kind: Conflict, Setting: l.where("admin-pprof"), Problem: "is of no use without --admin", Fix: "add --admin, or drop it",
		}
	case overlap(c.Listen, c.Admin.Address):
		return &Error{
			Kind: Conflict, Setting: l.where("admin"), Problem: c.Admin.Address + " is where clients connect (" + l.where("listen") + ")",
			Fix: "give it another port",
		}
	case len(c.ProxyProtocol) > 0 && strings.HasPrefix(c.Listen, unixPrefix):
		return &Error{
			Kind: Conflict, Setting: l.where("proxy-protocol"), Problem: "is of no use with --listen " + c.Listen + ": clients of a Unix socket have no network",
			Fix: "listen at HOST:PORT, or drop it",
		}
	}
	return nil
}

// overlap reports whether who listens on one address leaves nothing to listen on at
// the other. An address with port 0 gets a port that is free.
func overlap(a, b string) bool {
	hostA, portA, errA := net.SplitHostPort(a)
	hostB, portB, errB := net.SplitHostPort(b)
	if errA != nil || errB != nil || portA != portB || portA == "0" {
		return false
	}
	return hostA == hostB || covers(hostA, hostB) || covers(hostB, hostA)
}

// covers reports whether a host stands for all addresses of the machine, the other
// among them. 0.0.0.0 does for those of IPv4 only.
func covers(host, other string) bool {
	ip := net.ParseIP(host)
	switch {
	case host == "" || ip.Equal(net.IPv6unspecified):
		return true
	case ip.Equal(net.IPv4zero):
		one := net.ParseIP(other)
		return one == nil || one.To4() != nil
	}
	return false
}

// checkPolicy refuses protection without a key.
func (l *loader) checkPolicy() error {
	switch {
	case l.config.Key.File != "":
		return nil
	case l.config.Policy.Default == PolicyProtect:
		return &Error{
			Kind: Unprotected, Setting: l.where("policy-default") + " " + string(PolicyProtect), Problem: "needs a key file",
			Fix: "give --key FILE, made by tunic keygen, or --policy-default plain to relay without encryption",
		}
	case len(l.config.Policy.Rules) > 0:
		return &Error{
			Kind: Unprotected, Setting: l.config.Policy.Rules[0].From, Problem: "needs a key file",
			Fix: "give --key FILE, made by tunic keygen, or remove the rules",
		}
	case l.config.Project != (Project{}):
		return &Error{
			Kind: Unprotected, Setting: l.where("project"), Problem: "needs a key file",
			Fix: "give --key FILE, that of the project, or drop --project and --project-state-file",
		}
	}
	return nil
}

// checkTLS refuses half a pair, and files that the modes would not use.
func (l *loader) checkTLS() error {
	c := l.config
	conflict := func(flag, problem, fix string) error {
		return &Error{Kind: Conflict, Setting: l.where(flag), Problem: problem, Fix: fix}
	}
	switch {
	case c.TLS.Cert != "" && c.TLS.Key == "":
		return conflict("tls-cert", "needs the private key of the certificate", "add --tls-key")
	case c.TLS.Key != "" && c.TLS.Cert == "":
		return conflict("tls-key", "needs the certificate of the key", "add --tls-cert")
	case c.TLS.Mode == ClientTLSDisabled && c.TLS.Cert != "":
		return conflict("tls-cert", "is of no use with --tls disabled", "drop one of them")
	case c.TLS.Mode == ClientTLSDisabled && c.TLS.ClientCA != "":
		return conflict("tls-client-ca", "is of no use with --tls disabled", "drop one of them")
	case c.TLS.ClientCA != "" && strings.HasPrefix(c.Listen, unixPrefix):
		return conflict("tls-client-ca", "is of no use with --listen "+c.Listen+": clients use no TLS over a Unix socket, and show no certificate",
			"listen at HOST:PORT, or drop it and say with [[clients.accounts]] who gets in")
	case c.Backend.CA != "" && !c.Backend.TLS.verifies():
		return conflict("backend-ca", "is not used with --backend-tls "+string(c.Backend.TLS),
			"use --backend-tls verify-ca or verify-full")
	default:
		return nil
	}
}

// verifies reports whether the mode checks who signed the server's certificate.
func (m TLSMode) verifies() bool { return m == TLSVerifyCA || m == TLSVerifyFull }

// checkPassphrase leaves one passphrase of the key file, from the environment
// or from its file, whichever was given in the higher place; both in one place
// is a mistake, and so is one without a key file.
func (l *loader) checkPassphrase() error {
	if l.config.Key.File != "" {
		l.config.Key.From, l.config.Key.PassphraseFrom = l.where("key"), l.where("key-passphrase-file")
	}
	file, fromFile := l.written[envName("key-passphrase-file")]
	env, fromEnv := l.written[envPassphrase]
	switch {
	case !fromFile && !fromEnv:
		return nil
	case l.config.Key.File == "":
		return &Error{
			Kind: Conflict, Setting: cmp.Or(env.as, file.as), Problem: "opens no key file, as none is given", Fix: "add --key",
		}
	case fromFile && fromEnv && file.layer == env.layer:
		return &Error{Kind: Conflict, Setting: env.as, Problem: file.as + " is set as well", Fix: "keep one of them"}
	case fromEnv && env.layer > file.layer:
		l.config.Key.PassphraseFile = ""
	default:
		l.config.Key.Passphrase = Secret{}
	}
	return nil
}

// readAdminToken reads the token of the status.
func (l *loader) readAdminToken() (err error) {
	a := &l.config.Admin
	switch {
	case a.TokenFile == "":
		return nil
	case a.Address == "":
		return &Error{
			Kind: Conflict, Setting: l.where("admin-token-file"), Problem: "is of no use without --admin", Fix: "add --admin, or drop it",
		}
	}
	a.Token, err = ReadToken(a.TokenFile, l.where("admin-token-file"))
	return err
}

// readServicePassword takes the password from the environment or from its
// file, whichever was given in the higher place; both in one place is a
// mistake, as either could be the stale one.
func (l *loader) readServicePassword() error {
	const flag = "service-password-file"
	file, fromFile := l.written[envName(flag)]
	env, fromEnv := l.written[envPassword]
	l.config.Service.UserFrom = l.where("service-user")
	l.config.Service.PasswordFrom = envPassword
	switch {
	case !fromFile && !fromEnv:
		return &Error{
			Kind: Missing, Setting: "--" + flag, Problem: "the service account has no password",
			Fix: "give --" + flag + " PATH or set " + envPassword + " (empty for an account without one)",
		}
	case fromFile && fromEnv && file.layer == env.layer:
		return &Error{Kind: Conflict, Setting: env.as, Problem: file.as + " is set as well", Fix: "keep one of them"}
	case fromEnv && (!fromFile || env.layer > file.layer):
		l.config.Service.PasswordFile = ""
		return nil
	}
	l.config.Service.PasswordFrom = file.as
	password, err := readPassword(l.config.Service.PasswordFile, file.as)
	l.config.Service.Password = password
	return err
}

// fillDirs sets the folders whose default depends on who runs tunic.
func (c *Config) fillDirs(env map[string]string) {
	if c.TLS.Dir == "" {
		c.TLS.Dir = filepath.Join(stateDir(env), "tls")
	}
}

// stateDir is where tunic keeps what it makes: systemd's folder, or that of
// the XDG base directory specification, or the system's.
func stateDir(env map[string]string) string {
	if dir := env["STATE_DIRECTORY"]; dir != "" {
		return filepath.SplitList(dir)[0]
	}
	home := ""
	if dir := env["HOME"]; dir != "" {
		home = filepath.Join(dir, ".local", "state")
	}
	if base := cmp.Or(env["XDG_STATE_HOME"], home); base != "" {
		return filepath.Join(base, "tunic")
	}
	return "/var/lib/tunic"
}
