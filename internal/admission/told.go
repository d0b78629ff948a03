package admission

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tunic/internal/backend"
	"tunic/internal/failure"
	"tunic/internal/login"
	"tunic/internal/metrics"
	"tunic/internal/parting"
	"tunic/internal/sqlerr"
)

// serverFailed counts and logs a failure to get through to the server, and
// tells the client.
func (e *Entry) serverFailed(err error) {
	if e.host.Ending.IsCut() {
		_ = e.host.Fail(sqlerr.ShuttingDown())
		return
	}
	why, answer := metrics.BackendDial, sqlerr.ServerUnreachable(e.door.Target.Network())
	switch {
	case errors.Is(err, backend.ErrTLS), errors.Is(err, backend.ErrNoTLS):
		why, answer = metrics.BackendTLS, sqlerr.ServerTLS()
	case errors.Is(err, backend.ErrGreeting):
		why, answer = metrics.BackendGreeting, sqlerr.ServerMalformed("greeting")
	case errors.Is(err, context.DeadlineExceeded):
		why = metrics.BackendTimeout
	}
	e.door.Metrics.Backend.Error(why).Inc()
	e.door.Refusals.Warn("cannot use the database server", failure.Client, e.Peer.String(), "error", err)
	_ = e.host.Fail(answer)
}

// clientFailed counts a client that left or went silent during its login.
func (e *Entry) clientFailed(err error) {
	if e.host.Ending.IsCut() {
		e.turnAway(metrics.RefusedDrain, sqlerr.ShuttingDown())
		return
	}
	if failure.IsTimeout(err) || errors.Is(err, context.DeadlineExceeded) {
		_ = e.socket.SetDeadline(time.Now().Add(parting.Farewell))
		e.turnAway(metrics.RefusedHandshakeTimeout, sqlerr.HandshakeTimeout(e.rules.Limits.HandshakeTimeout))
		return
	}
	if answer := failure.OfClient(err); answer != nil {
		e.turnAway(metrics.RefusedHandshake, answer)
		return
	}
	e.door.Metrics.Connections.Refused(metrics.RefusedHandshake).Inc()
	e.Log.Debug("the client left during its login", "reason", failure.Reason(err))
}

// turnAway counts, logs and tells why a client is not let in.
func (e *Entry) turnAway(as metrics.ConnectionRefusal, why *sqlerr.Error) {
	e.door.Metrics.Connections.Refused(as).Inc()
	e.logRefusal("connection refused", failure.Code(why))
	_ = e.host.Fail(why)
}

// loginFailed ends a login because of the client, or because tunic does not go on with it: then it
// tells the client why.
func (e *Entry) loginFailed(err error) {
	if refused, ok := errors.AsType[*login.RefusedError](err); ok {
		e.door.Metrics.Login(metrics.LoginRefused).Inc()
		e.logRefusal("login refused", failure.Code(refused.Why))
		_ = e.host.Fail(refused.Why)
		return
	}
	e.door.Metrics.Login(metrics.LoginAborted).Inc()
	e.clientFailed(err)
}

// logRefusal logs that the client was not let in: who it is by its address, and
// why by a number. No name is logged, as people type passwords in its place.
func (e *Entry) logRefusal(message string, why slog.Attr) {
	e.door.Refusals.Info(message, slog.String(failure.Client, e.Peer.String()), why)
}
