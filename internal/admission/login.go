package admission

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"tunic/internal/backend"
	"tunic/internal/login"
	"tunic/internal/metrics"
	"tunic/internal/parting"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Login connects to the server, greets the client with the server's greeting,
// and relays challenge and answer until the server lets the client in. ok says
// whether it did; m is what the client has asked for then.
func (e *Entry) Login(ctx context.Context) (m wire.Login, ok bool) {
	if !e.awaitPlace(ctx) {
		return m, false
	}
	defer e.place.Leave()
	deadline := time.Now().Add(e.rules.Limits.HandshakeTimeout)
	_ = e.socket.SetDeadline(deadline)
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	if !e.connect(ctx) {
		return m, false
	}
	_ = e.Server.SetDeadline(deadline)
	m, ok = e.greet(ctx)
	if !ok {
		return m, false
	}
	as, refusal := e.Judge(string(m.User))
	if refusal != nil {
		e.turnAway(metrics.RefusedAccount, refusal)
		return m, false
	}
	x := e.exchange(m.Plugin)
	var err error
	if m.Answer, err = x.First(m.Answer); err != nil {
		e.loginFailed(err)
		return m, false
	}
	if err := e.Server.Greet(ctx, m); err != nil {
		e.serverFailed(err)
		return m, false
	}
	return m, e.authenticate(ctx, x) == Admitted && e.begin(m, as)
}

// awaitPlace waits until the login may have a connection of the server's, as long as a
// login may take. A client that finds no place is told so in place of the greeting.
func (e *Entry) awaitPlace(ctx context.Context) bool {
	if e.rules.Logins == nil {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, e.rules.Limits.HandshakeTimeout)
	defer cancel()
	if e.place = e.rules.Logins.Enter(ctx, login.AddressOf(e.Peer)); e.place != nil {
		return true
	}
	_ = e.socket.SetDeadline(time.Now().Add(parting.Farewell))
	if e.host.Ending.IsCut() || errors.Is(ctx.Err(), context.Canceled) {
		e.turnAway(metrics.RefusedDrain, sqlerr.ShuttingDown())
		return false
	}
	e.turnAway(metrics.RefusedLogins, sqlerr.TooManyLogins())
	return false
}

// connect opens the session's connection to the server. A server that refuses
// it says why to the client.
func (e *Entry) connect(ctx context.Context) bool {
	server, err := e.door.Target.Dial(ctx)
	if refusal, ok := errors.AsType[*backend.GreetingError](err); ok {
		e.door.Metrics.Connections.Refused(metrics.RefusedBackend).Inc()
		e.logRefusal("the server refused a connection", slog.Int("error", int(refusal.Err.Number)))
		_ = e.Client.Send(refusal.Err)
		return false
	}
	if err != nil {
		e.door.Metrics.Connections.Refused(metrics.RefusedBackend).Inc()
		e.serverFailed(err)
		return false
	}
	e.door.Metrics.Backend.Connects.Inc()
	e.Server = server
	e.host.Owned.Store(server)
	return true
}

// begin turns the connection from its login to its commands.
func (e *Entry) begin(m wire.Login, as Account) bool {
	e.Account = as
	if algorithm := wire.NegotiatedCompression(e.Caps); algorithm != wire.CompressionNone {
		if err := e.Client.SetTransport(wire.NewCompressed(e.Client.Transport(), algorithm, m.ZstdLevel)); err != nil {
			return false
		}
	}
	e.Client.SetLimit(int(e.rules.Limits.PacketBytes))
	e.Server.Admitted()
	_ = e.socket.SetDeadline(time.Time{})
	_ = e.Server.SetDeadline(time.Time{})
	e.door.Metrics.Login(metrics.LoginOK).Inc()
	e.anew = true
	return true
}
