package admission

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

// Verdict is how a login ended.
type Verdict uint8

// How logins end.
const (
	Broken   Verdict = iota // a connection failed, or tunic refused, and the client has been told
	Left                    // the server has gone, and the client, which is in a session, is to be told what it has said
	Denied                  // the server refused, and the client has been told
	Admitted                // the client is in
)

// exchange starts a login with the plugin that the client has named. Clients from before plugins know of one.
func (e *Entry) exchange(plugin []byte) *login.Exchange {
	x := login.New(e.Client, e.Server, e.door.LoginKey, e.secure, string(plugin), e.Server.Handshake.Challenge)
	if !e.Caps.Has(wire.ClientPluginAuth) {
		x.TakeForNative()
	}
	return x
}

// authenticate relays packets until the server lets the client in or does not.
func (e *Entry) authenticate(ctx context.Context, x *login.Exchange) Verdict {
	defer x.Wipe()
	for {
		payload, err := e.Server.ReadPacket()
		if err != nil {
			return e.loginBroke(sqlerr.ServerLost())
		}
		kind, data := wire.ClassifyAuth(payload)
		switch kind {
		case wire.AuthOK:
			return e.admit(ctx, payload)
		case wire.AuthErr:
			e.logDenied(payload)
			e.slowDown(ctx, payload)
			e.Client.WritePacket(payload)
			if e.Client.Flush() != nil {
				return Broken
			}
			return Denied
		case wire.AuthRetry:
			err = x.Retry(payload)
		case wire.AuthMore:
			err = x.More(data, payload)
		case wire.AuthFactor:
			err = x.Factor()
		}
		if err != nil {
			e.loginFailed(err)
			return Broken
		}
	}
}

// wrongAccount are the errors of servers for a wrong name or password:
// ER_ACCESS_DENIED_ERROR, and ER_ACCESS_DENIED_NO_PASSWORD_ERROR of MariaDB and MySQL.
var wrongAccount = []uint16{1045, 1698}

// slowDown lets who has been denied often wait for the next denial. A connection that has
// not been let in is of no use any more, and is given back to the server before that.
func (e *Entry) slowDown(ctx context.Context, payload []byte) {
	denial, err := wire.DecodeErr(payload)
	if e.rules.Logins == nil || err != nil || !slices.Contains(wrongAccount, denial.Number) {
		return
	}
	wait := e.rules.Logins.Deny(login.AddressOf(e.Peer))
	if wait == 0 {
		return
	}
	e.door.Metrics.LoginsSlowed.Inc()
	if !e.anew {
		_ = e.Server.Close()
		e.place.Vacate()
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
	}
	_ = e.socket.SetDeadline(time.Now().Add(parting.Farewell))
}

// logDenied counts and logs a login that the server has denied.
func (e *Entry) logDenied(payload []byte) {
	e.door.Metrics.Login(metrics.LoginDenied).Inc()
	denial, _ := wire.DecodeErr(payload) // error 0 is one that cannot be read
	e.logRefusal("the server denied a login", slog.Int("error", int(denial.Number)))
}

// loginBroke ends a login because of the server. A client that logs in anew is in a
// session, and finds its connection closed as after any other command.
func (e *Entry) loginBroke(why *sqlerr.Error) Verdict {
	e.door.Metrics.Login(metrics.LoginAborted).Inc()
	if e.host.Ending.IsCut() {
		_ = e.host.Fail(sqlerr.ShuttingDown())
		return Broken
	}
	e.door.Metrics.Backend.Error(metrics.BackendLost).Inc()
	if e.anew && why.Is(sqlerr.ServerLost()) {
		return Left
	}
	_ = e.host.Fail(why)
	return Broken
}

// admit passes the server's OK on, unless the server may have taken tunic for
// the client.
func (e *Entry) admit(ctx context.Context, ok []byte) Verdict {
	ok = bytes.Clone(ok)
	if e.Server.OverSocket() {
		if err := e.checkSocketAccount(ctx); err != nil {
			e.door.Refusals.Warn("login over the server's Unix socket refused",
				failure.Client, e.Peer.String(), "reason", failure.Reason(err))
			e.door.Metrics.Login(metrics.LoginRefused).Inc()
			_ = e.host.Fail(sqlerr.SocketAccount())
			return Broken
		}
	}
	m, err := wire.DecodeOK(ok, e.Server.Capabilities)
	if err != nil {
		return e.loginBroke(sqlerr.ServerMalformed("answer"))
	}
	e.Status = m.Status
	e.Client.WritePacket(ok)
	if e.Client.Flush() != nil {
		return Broken
	}
	return Admitted
}

// errSocketAccount says that an account may log in on the operating system's
// word.
var errSocketAccount = errors.New("the account can log in by something else than a password")

// checkSocketAccount refuses accounts that the server may have let in because
// of the process at the other end of its Unix socket, which is tunic and not
// the client.
func (e *Entry) checkSocketAccount(ctx context.Context) error {
	account, err := e.Server.CurrentUser()
	if err != nil {
		return err
	}
	if e.door.Service == nil {
		return errors.New("no service account to look the account up with")
	}
	ok, err := e.door.Service.PasswordOnly(ctx, account.User, account.Host)
	if err != nil {
		return fmt.Errorf("look up the account's plugins: %w", err)
	}
	if !ok {
		return errSocketAccount
	}
	return nil
}
