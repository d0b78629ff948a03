package session

import (
	"bytes"
	"context"
	"errors"
	"time"

	"tunic/internal/failure"
	"tunic/internal/login"
	"tunic/internal/metrics"
	"tunic/internal/outcome"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// changeUser logs the client in anew (COM_CHANGE_USER). The server resets the
// session before it checks the account, so nothing is left of it in both cases.
// After a denial MariaDB goes on with the account that there was, whatever it has
// denied, and MySQL ends the connection. What others do has not been measured: the
// session ends, as nobody knows whose it is.
func (s *Session) changeUser(payload []byte) error {
	m, err := wire.DecodeChangeUser(bytes.Clone(payload), s.caps)
	if err != nil {
		return s.refuseAndEnd(sqlerr.Malformed("COM_CHANGE_USER"), err)
	}
	as, refusal := s.judgeAccount(string(m.User))
	if refusal != nil {
		s.logRefusal("change of user refused", failure.Code(refusal))
		s.shared.Metrics.Login(metrics.LoginRefused).Inc()
		return s.refuseAndEnd(refusal, errNotAdmitted)
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.current.Limits.HandshakeTimeout)
	defer cancel()
	deadline, _ := ctx.Deadline()
	_ = s.socket.SetDeadline(deadline)
	_ = s.server.SetDeadline(deadline)
	schema, charset := string(m.Database), m.Charset
	x := s.exchange(m.Plugin)
	if m.NoPlugin {
		x.TakeForNative()
	}
	if m.Answer, err = x.First(m.Answer); err != nil {
		s.loginFailed(err)
		return errNotAdmitted
	}
	m.Plugin = []byte(x.Plugin())
	s.server.SetSequence(0)
	if err := s.server.Send(wire.Bytes(m.AppendCommand(nil, s.server.Capabilities))); err != nil {
		return s.serverLost(payload, err)
	}
	ends := s.authenticate(ctx, x)
	if ends == broken || ends == denied && s.state.Modes()&sql.MariaDB == 0 {
		return errNotAdmitted
	}
	_ = s.socket.SetDeadline(time.Time{})
	_ = s.server.SetDeadline(time.Time{})
	s.forgetStatements()
	s.last = outcome.Last{}
	if ends == denied {
		s.response = wire.Response{}
		s.state.Reset() // the current schema stays, as the account does
		return nil
	}
	s.account = as
	s.state.Begin(schema, charset, string(s.server.Handshake.Version))
	s.shared.Metrics.Login(metrics.LoginOK).Inc()
	return nil
}

// errNotAdmitted ends a session whose client could not be logged in anew.
var errNotAdmitted = errors.New("a change of user failed")

// exchange starts a login with the plugin that the client has named. Clients from before plugins know of one.
func (s *Session) exchange(plugin []byte) *login.Exchange {
	x := login.New(s.client, s.server, s.shared.LoginKey, s.secure, string(plugin), s.server.Handshake.Challenge)
	if !s.caps.Has(wire.ClientPluginAuth) {
		x.TakeForNative()
	}
	return x
}
