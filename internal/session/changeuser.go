package session

import (
	"bytes"
	"context"
	"errors"
	"time"

	"tunic/internal/login"
	"tunic/internal/metrics"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// changeUser logs the client in anew (COM_CHANGE_USER). The server resets the
// session before it checks the account, so nothing is left of it in both cases;
// after a refusal it lets the client try again.
func (s *Session) changeUser(payload []byte) error {
	m, err := wire.DecodeChangeUser(bytes.Clone(payload), s.caps)
	if err != nil {
		return s.refuseAndEnd(sqlerr.Malformed("COM_CHANGE_USER"), err)
	}
	if refusal := s.judgeAccount(m.User); refusal != nil {
		s.logRefusal("change of user refused", logCode(refusal))
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
	outcome := s.authenticate(ctx, x)
	if outcome == broken {
		return errNotAdmitted
	}
	_ = s.socket.SetDeadline(time.Time{})
	_ = s.server.SetDeadline(time.Time{})
	s.forgetStatements()
	if outcome == denied {
		s.response = wire.Response{}
		s.state.Forget()
		return nil
	}
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
