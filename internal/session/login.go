package session

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"math"
	"time"

	"tunic/internal/backend"
	"tunic/internal/failure"
	"tunic/internal/login"
	"tunic/internal/metrics"
	"tunic/internal/parting"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

const (
	// loginBytesMax limits packets before the client is let in. Connection
	// attributes may take 64 KiB, the rest is short.
	loginBytesMax = 128 << 10
	// offered are the capabilities that tunic relays. Not offered:
	// OPTIONAL_RESULTSET_METADATA (results without metadata could not be
	// understood), MULTI_FACTOR_AUTHENTICATION, MariaDB's COM_MULTI, and
	// CAPABILITY_EXTENSION, which no server gives a meaning.
	offered = wire.ClientMySQL | wire.ClientFoundRows | wire.ClientLongFlag | wire.ClientConnectWithDB |
		wire.ClientNoSchema | wire.ClientODBC | wire.ClientLocalFiles | wire.ClientIgnoreSpace | wire.ClientProtocol41 |
		wire.ClientInteractive | wire.ClientTransactions | wire.ClientReserved | wire.ClientSecureConnection |
		wire.ClientMultiStatements | wire.ClientMultiResults | wire.ClientPSMultiResults | wire.ClientPluginAuth |
		wire.ClientConnectAttrs | wire.ClientPluginAuthLenenc | wire.ClientExpiredPasswords | wire.ClientSessionTrack |
		wire.ClientDeprecateEOF | wire.ClientQueryAttributes | wire.MariaDBProgress | wire.MariaDBBulkOperations |
		wire.MariaDBExtendedMetadata | wire.MariaDBCacheMetadata | wire.MariaDBBulkUnitResults
	// compressions are tunic's own to offer: the connection to the server is
	// never compressed.
	compressions = wire.ClientCompress | wire.ClientZstdCompression
)

// login connects to the server, greets the client with the server's greeting,
// and relays challenge and answer until the server lets the client in. It
// reports whether it did.
func (s *Session) login(ctx context.Context) bool {
	s.mark.set(PhaseLogin)
	if !s.awaitPlace(ctx) {
		return false
	}
	defer s.place.Leave()
	deadline := time.Now().Add(s.current.Limits.HandshakeTimeout)
	_ = s.socket.SetDeadline(deadline)
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	if !s.connect(ctx) {
		return false
	}
	_ = s.server.SetDeadline(deadline)
	m, ok := s.greet(ctx)
	if !ok {
		return false
	}
	as, refusal := s.judgeAccount(string(m.User))
	if refusal != nil {
		s.turnAway(metrics.RefusedAccount, refusal)
		return false
	}
	x := s.exchange(m.Plugin)
	var err error
	if m.Answer, err = x.First(m.Answer); err != nil {
		s.loginFailed(err)
		return false
	}
	if err := s.server.Greet(ctx, m); err != nil {
		s.serverFailed(err)
		return false
	}
	return s.authenticate(ctx, x) == admitted && s.begin(m, as)
}

// awaitPlace waits until the login may have a connection of the server's, as long as a
// login may take. A client that finds no place is told so in place of the greeting.
func (s *Session) awaitPlace(ctx context.Context) bool {
	if s.current.Logins == nil {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, s.current.Limits.HandshakeTimeout)
	defer cancel()
	if s.place = s.current.Logins.Enter(ctx, login.AddressOf(s.peer)); s.place != nil {
		return true
	}
	_ = s.socket.SetDeadline(time.Now().Add(parting.Farewell))
	if s.ending.IsCut() || errors.Is(ctx.Err(), context.Canceled) {
		s.turnAway(metrics.RefusedDrain, sqlerr.ShuttingDown())
		return false
	}
	s.turnAway(metrics.RefusedLogins, sqlerr.TooManyLogins())
	return false
}

// connect opens the session's connection to the server. A server that refuses
// it says why to the client.
func (s *Session) connect(ctx context.Context) bool {
	server, err := s.shared.Target.Dial(ctx)
	if refusal, ok := errors.AsType[*backend.GreetingError](err); ok {
		s.shared.Metrics.Connections.Refused(metrics.RefusedBackend).Inc()
		s.logRefusal("the server refused a connection", slog.Int("error", int(refusal.Err.Number)))
		_ = s.client.Send(refusal.Err)
		return false
	}
	if err != nil {
		s.shared.Metrics.Connections.Refused(metrics.RefusedBackend).Inc()
		s.serverFailed(err)
		return false
	}
	s.shared.Metrics.Backend.Connects.Inc()
	s.server = server
	s.owned.Store(server)
	return true
}

// serverFailed counts and logs a failure to get through to the server, and
// tells the client.
func (s *Session) serverFailed(err error) {
	if s.ending.IsCut() {
		_ = s.fail(sqlerr.ShuttingDown())
		return
	}
	why, answer := metrics.BackendDial, sqlerr.ServerUnreachable(s.shared.Target.Network())
	switch {
	case errors.Is(err, backend.ErrTLS), errors.Is(err, backend.ErrNoTLS):
		why, answer = metrics.BackendTLS, sqlerr.ServerTLS()
	case errors.Is(err, backend.ErrGreeting):
		why, answer = metrics.BackendGreeting, sqlerr.ServerMalformed("greeting")
	case errors.Is(err, context.DeadlineExceeded):
		why = metrics.BackendTimeout
	}
	s.shared.Metrics.Backend.Error(why).Inc()
	s.shared.Refusals.Warn("cannot use the database server", failure.Client, s.peer.String(), "error", err)
	_ = s.fail(answer)
}

// offer is what tunic tells the client it can do: what the server can and tunic
// relays, and what tunic does itself.
func (s *Session) offer() wire.Capability {
	offer := s.server.Handshake.Capabilities & offered
	offer |= wire.ClientDeprecateEOF // translated where the server does not have it
	if s.shared.Engine != nil {
		offer &^= wire.MariaDBBulkOperations | wire.MariaDBBulkUnitResults // of many rows in one execution, which tunic does not do
	}
	if s.shared.TLS != nil && !s.secure {
		offer |= wire.ClientSSL
	}
	if s.shared.Compression {
		offer |= compressions
	}
	return offer
}

// greet exchanges greetings with the client and returns its login.
func (s *Session) greet(ctx context.Context) (m wire.Login, ok bool) {
	offer := s.offer()
	greeting := s.server.Handshake
	greeting.Capabilities = offer
	payload, err := s.ask(greeting)
	if err == nil && wire.IsTLSRequest(payload) && offer.Has(wire.ClientSSL) {
		if payload, err = s.startTLS(ctx); err != nil {
			s.tlsFailed(err)
			return m, false
		}
	}
	if err != nil {
		s.clientFailed(err)
		return m, false
	}
	if s.current.RequireTLS && !s.secure {
		s.turnAway(metrics.RefusedTLS, sqlerr.TLSRequired())
		return m, false
	}
	m, err = wire.DecodeLogin(bytes.Clone(payload)) // further packets may come before it is used
	if err != nil {
		s.turnAway(metrics.RefusedHandshake, sqlerr.BadHandshake("the client's login"))
		return m, false
	}
	if len(m.Answer) > math.MaxUint8 && !offer.Has(wire.ClientPluginAuthLenenc) {
		s.turnAway(metrics.RefusedHandshake, sqlerr.BadHandshake("the client's login"))
		return m, false
	}
	s.caps = m.Capabilities & offer
	m.Capabilities &= offer | wire.ClientIgnoreSigpipe | wire.ClientRememberOptions
	return m, true
}

// ask sends the client a message and reads what it says to it.
func (s *Session) ask(m wire.Message) ([]byte, error) {
	if err := s.client.Send(m); err != nil {
		return nil, err
	}
	return s.client.ReadPacket()
}

// clientFailed counts a client that left or went silent during its login.
func (s *Session) clientFailed(err error) {
	if s.ending.IsCut() {
		s.turnAway(metrics.RefusedDrain, sqlerr.ShuttingDown())
		return
	}
	if failure.IsTimeout(err) || errors.Is(err, context.DeadlineExceeded) {
		_ = s.socket.SetDeadline(time.Now().Add(parting.Farewell))
		s.turnAway(metrics.RefusedHandshakeTimeout, sqlerr.HandshakeTimeout(s.current.Limits.HandshakeTimeout))
		return
	}
	if answer := failure.OfClient(err); answer != nil {
		s.turnAway(metrics.RefusedHandshake, answer)
		return
	}
	s.shared.Metrics.Connections.Refused(metrics.RefusedHandshake).Inc()
	s.log.Debug("the client left during its login", "reason", failure.Reason(err))
}

// turnAway counts, logs and tells why a client is not let in.
func (s *Session) turnAway(why metrics.ConnectionRefusal, e *sqlerr.Error) {
	s.shared.Metrics.Connections.Refused(why).Inc()
	s.logRefusal("connection refused", failure.Code(e))
	_ = s.fail(e)
}

// tlsFailed counts and logs a client with which TLS did not come about. A client
// that only left, or went silent, has done so during its login like any other.
func (s *Session) tlsFailed(err error) {
	if s.ending.IsCut() || failure.IsTimeout(err) || errors.Is(err, context.DeadlineExceeded) || login.HasLeft(err) {
		s.clientFailed(err)
		return
	}
	s.shared.Metrics.Connections.Refused(metrics.RefusedTLS).Inc()
	s.logRefusal("TLS with the client failed", slog.String("reason", login.TLSReason(err, failure.Reason(err))))
}

// startTLS encrypts the client's connection and reads the login that follows.
func (s *Session) startTLS(ctx context.Context) ([]byte, error) {
	begun := login.Begun(s.socket, s.client.TakeBuffered())
	conn := tls.Server(begun, s.shared.TLS())
	if err := s.client.SetTransport(conn); err != nil {
		return nil, err
	}
	if err := conn.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	s.secure = true
	if shown := conn.ConnectionState().PeerCertificates; len(shown) > 0 {
		s.certificate = shown[0]
	}
	return s.client.ReadPacket()
}

// compress wraps the client's connection in the compressed protocol.
func (s *Session) compress(algorithm wire.Compression, level uint8) error {
	return s.client.SetTransport(wire.NewCompressed(s.client.Transport(), algorithm, level))
}

// begin turns the connection from its login to its commands.
func (s *Session) begin(m wire.Login, as account) bool {
	s.account = as
	algorithm := wire.NegotiatedCompression(s.caps)
	if algorithm != wire.CompressionNone {
		if err := s.compress(algorithm, m.ZstdLevel); err != nil {
			return false
		}
	}
	s.client.SetLimit(int(s.current.Limits.PacketBytes))
	if s.shared.Memory != nil {
		s.client.SetAdmit(largeBytes, s.reserve)
	}
	s.server.Admitted()
	_ = s.socket.SetDeadline(time.Time{})
	_ = s.server.SetDeadline(time.Time{})
	s.state.Begin(string(m.Database), uint16(m.Charset), string(s.server.Handshake.Version))
	s.shared.Metrics.Login(metrics.LoginOK).Inc()
	return true
}
