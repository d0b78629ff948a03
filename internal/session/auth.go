package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"tunic/internal/failure"
	"tunic/internal/login"
	"tunic/internal/metrics"
	"tunic/internal/parting"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// verdict is how a login ended.
type verdict uint8

const (
	broken   verdict = iota // a connection failed, or tunic refused
	denied                  // the server refused, and the client has been told
	admitted                // the client is in
)

// authenticate relays packets until the server lets the client in or does not.
func (s *Session) authenticate(ctx context.Context, x *login.Exchange) verdict {
	defer x.Wipe()
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
			err = x.Retry(payload)
		case wire.AuthMore:
			err = x.More(data, payload)
		case wire.AuthFactor:
			err = x.Factor()
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
	wait := s.current.Logins.Deny(login.AddressOf(s.peer))
	if wait == 0 {
		return
	}
	s.shared.Metrics.LoginsSlowed.Inc()
	if s.Mark().Phase() == PhaseLogin {
		_ = s.server.Close()
		s.place.Vacate()
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
	}
	_ = s.socket.SetDeadline(time.Now().Add(parting.Farewell))
}

// logDenied counts and logs a login that the server has denied.
func (s *Session) logDenied(payload []byte) {
	s.shared.Metrics.Login(metrics.LoginDenied).Inc()
	denial, _ := wire.DecodeErr(payload) // error 0 is one that cannot be read
	s.logRefusal("the server denied a login", slog.Int("error", int(denial.Number)))
}

// loginFailed ends a login because of the client, or because tunic does not go on with it: then it
// tells the client why.
func (s *Session) loginFailed(err error) {
	if refused, ok := errors.AsType[*login.RefusedError](err); ok {
		s.shared.Metrics.Login(metrics.LoginRefused).Inc()
		s.logRefusal("login refused", failure.Code(refused.Why))
		_ = s.fail(refused.Why)
		return
	}
	s.shared.Metrics.Login(metrics.LoginAborted).Inc()
	s.clientFailed(err)
}

// loginBroke ends a login because of the server. A client that logs in anew is in a
// session, and finds its connection closed as after any other command.
func (s *Session) loginBroke(e *sqlerr.Error) {
	s.shared.Metrics.Login(metrics.LoginAborted).Inc()
	if s.ending.IsCut() {
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

// admit passes the server's OK on, unless the server may have taken tunic for
// the client.
func (s *Session) admit(ctx context.Context, ok []byte) verdict {
	ok = bytes.Clone(ok)
	if s.server.OverSocket() {
		if err := s.checkSocketAccount(ctx); err != nil {
			s.shared.Refusals.Warn("login over the server's Unix socket refused",
				failure.Client, s.peer.String(), "reason", failure.Reason(err))
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

// errSocketAccount says that an account may log in on the operating system's
// word.
var errSocketAccount = errors.New("the account can log in by something else than a password")

// checkSocketAccount refuses accounts that the server may have let in because
// of the process at the other end of its Unix socket, which is tunic and not
// the client.
func (s *Session) checkSocketAccount(ctx context.Context) error {
	account, err := s.server.CurrentUser()
	if err != nil {
		return err
	}
	if s.shared.Service == nil {
		return errors.New("no service account to look the account up with")
	}
	ok, err := s.shared.Service.PasswordOnly(ctx, account.User, account.Host)
	if err != nil {
		return fmt.Errorf("look up the account's plugins: %w", err)
	}
	if !ok {
		return errSocketAccount
	}
	return nil
}
