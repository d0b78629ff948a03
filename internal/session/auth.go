package session

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"tunic/internal/metrics"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Authentication plugins whose packets tunic relays. Each proves the password
// against a challenge of the server, or is bridged (see bridge.go).
const (
	pluginNative      = "mysql_native_password"
	pluginCachingSHA2 = "caching_sha2_password"
	pluginSHA256      = "sha256_password"
	pluginEd25519     = "client_ed25519"
	pluginParsec      = "parsec"
	pluginClear       = "mysql_clear_password"
	pluginDialog      = "dialog"
)

// cachingSHA2 answers of the server.
const (
	fastAuthDone   = 0x03
	fullAuthNeeded = 0x04
)

// exchange is one login under way: at the start of a connection, or of
// COM_CHANGE_USER.
type exchange struct {
	*Session
	plugin    string
	challenge []byte
	// held is a password that the client has sent over TLS and that must be
	// encrypted before it goes to the server. It is wiped when it is used.
	held []byte
}

// errRefused ends a login that tunic itself refuses, after the client was told.
var errRefused = errors.New("login refused")

// verdict is how a login ended.
type verdict uint8

const (
	broken   verdict = iota // a connection failed, or tunic refused
	denied                  // the server refused, and the client has been told
	admitted                // the client is in
)

// authenticate relays packets until the server lets the client in or does not.
func (s *Session) authenticate(ctx context.Context, x *exchange) verdict {
	defer x.wipe()
	for {
		payload, err := s.server.ReadPacket()
		if err != nil {
			s.loginBroke(sqlerr.ServerLost())
			return broken
		}
		kind, data := wire.ClassifyAuth(payload)
		switch kind {
		case wire.AuthOK:
			return s.admit(ctx, payload)
		case wire.AuthErr:
			s.logDenied(payload)
			s.slowDown(ctx, payload)
			s.client.WritePacket(payload)
			if s.client.Flush() != nil {
				return broken
			}
			return denied
		case wire.AuthRetry:
			err = x.retry(payload)
		case wire.AuthMore:
			err = x.more(data, payload)
		case wire.AuthFactor:
			err = x.refuse(sqlerr.PluginNotRelayed("multi-factor authentication"))
		}
		if err != nil {
			s.loginFailed(err)
			return broken
		}
	}
}

// wrongAccount are the errors of servers for a wrong name or password:
// ER_ACCESS_DENIED_ERROR, and ER_ACCESS_DENIED_NO_PASSWORD_ERROR of MariaDB and MySQL.
var wrongAccount = []uint16{1045, 1698}

// slowDown lets who has been denied often wait for the next denial. A connection that has
// not been let in is of no use any more, and is given back to the server before that.
func (s *Session) slowDown(ctx context.Context, payload []byte) {
	denial, err := wire.DecodeErr(payload)
	if s.current.Logins == nil || err != nil || !slices.Contains(wrongAccount, denial.Number) {
		return
	}
	wait := s.current.Logins.deny(addressOf(s.peer))
	if wait == 0 {
		return
	}
	s.shared.Metrics.LoginsSlowed.Inc()
	if s.Mark().Phase() == PhaseLogin {
		_ = s.server.Close()
		s.place.vacate()
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
	}
	_ = s.socket.SetDeadline(time.Now().Add(farewell))
}

// logDenied counts and logs a login that the server has denied.
func (s *Session) logDenied(payload []byte) {
	s.shared.Metrics.Login(metrics.LoginDenied).Inc()
	denial, _ := wire.DecodeErr(payload) // error 0 is one that cannot be read
	s.logRefusal("the server denied a login", slog.Int("error", int(denial.Number)))
}

// loginFailed ends a login because of the client, unless tunic has refused it
// and said so.
func (s *Session) loginFailed(err error) {
	if errors.Is(err, errRefused) {
		return
	}
	s.shared.Metrics.Login(metrics.LoginAborted).Inc()
	s.clientFailed(err)
}

// loginBroke ends a login because of the server. A client that logs in anew is in a
// session, and finds its connection closed as after any other command.
func (s *Session) loginBroke(e *sqlerr.Error) {
	s.shared.Metrics.Login(metrics.LoginAborted).Inc()
	if s.isCut() {
		_ = s.fail(sqlerr.ShuttingDown())
		return
	}
	s.shared.Metrics.Backend.Error(metrics.BackendLost).Inc()
	if s.Mark().Phase() != PhaseLogin && e.Is(sqlerr.ServerLost()) {
		_ = s.serverLeft(nil)
		return
	}
	_ = s.fail(e)
}

// refuse tells the client why tunic does not go on with its login.
func (x *exchange) refuse(e *sqlerr.Error) error {
	x.shared.Metrics.Login(metrics.LoginRefused).Inc()
	x.logRefusal("login refused", logCode(e))
	_ = x.fail(e)
	return errRefused
}

// check refuses plugins that tunic does not relay, and those that send a
// password in clear where somebody could read along.
func (x *exchange) check() error {
	switch x.plugin {
	case pluginNative, pluginCachingSHA2, pluginSHA256, pluginEd25519, pluginParsec:
		return nil
	case pluginClear, pluginDialog:
		if x.secure && x.server.WillBeSecured() {
			return nil
		}
		return x.refuse(sqlerr.PluginNeedsTLS(x.plugin))
	default:
		return x.refuse(sqlerr.PluginNotRelayed(x.plugin))
	}
}

// first looks at the answer that comes with the login, before it is sent on.
// An answer for a plugin that tunic does not relay is left out: the server then
// asks for the account's own plugin.
func (x *exchange) first(answer []byte) ([]byte, error) {
	switch x.plugin {
	case pluginNative, pluginCachingSHA2, pluginEd25519, pluginParsec:
		return answer, nil
	case pluginSHA256:
		return x.sha256Answer(answer)
	case pluginClear, pluginDialog:
		if x.secure && x.server.WillBeSecured() {
			return answer, nil
		}
	}
	return nil, nil
}

// retry relays the server's wish for another plugin, and the client's answer.
func (x *exchange) retry(payload []byte) error {
	x.wipe()
	m, err := wire.DecodeAuthSwitch(payload)
	if err != nil {
		return x.refuse(sqlerr.PluginNotRelayed("mysql_old_password"))
	}
	x.plugin = string(m.Plugin)
	x.challenge = bytes.Clone(bytes.TrimSuffix(m.Challenge, []byte{0}))
	if err := x.check(); err != nil {
		return err
	}
	answer, err := x.ask(wire.Bytes(payload))
	if err != nil {
		return err
	}
	if x.plugin == pluginSHA256 {
		if answer, err = x.sha256Answer(answer); err != nil {
			return err
		}
	}
	return x.server.Send(wire.Bytes(answer))
}

// more relays data of the plugin. data is what the plugin sees of payload.
func (x *exchange) more(data, payload []byte) error {
	if err := x.check(); err != nil {
		return err
	}
	if x.held != nil {
		return x.sendHeld(data)
	}
	if x.plugin == pluginCachingSHA2 && len(data) == 1 {
		switch {
		case data[0] == fastAuthDone:
			return x.client.Send(wire.Bytes(payload))
		case data[0] == fullAuthNeeded && x.secure != x.server.Secured():
			return x.bridgeCachingSHA2(payload)
		}
	}
	answer, err := x.ask(wire.Bytes(payload))
	if err != nil {
		return err
	}
	return x.server.Send(wire.Bytes(answer))
}

// admit passes the server's OK on, unless the server may have taken tunic for
// the client.
func (s *Session) admit(ctx context.Context, ok []byte) verdict {
	ok = bytes.Clone(ok)
	if s.server.OverSocket() {
		if err := s.checkSocketAccount(ctx); err != nil {
			s.shared.Refusals.Warn("login over the server's Unix socket refused",
				clientAttr, s.peer.String(), "reason", reason(err))
			s.shared.Metrics.Login(metrics.LoginRefused).Inc()
			_ = s.fail(sqlerr.SocketAccount())
			return broken
		}
	}
	m, err := wire.DecodeOK(ok, s.server.Capabilities)
	if err != nil {
		s.loginBroke(sqlerr.ServerMalformed("answer"))
		return broken
	}
	s.response = wire.Response{Status: m.Status}
	s.client.WritePacket(ok)
	if s.client.Flush() != nil {
		return broken
	}
	return admitted
}
