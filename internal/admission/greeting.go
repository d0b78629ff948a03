package admission

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"math"

	"tunic/internal/failure"
	"tunic/internal/login"
	"tunic/internal/metrics"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

const (
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

// offer is what tunic tells the client it can do: what the server can and tunic
// relays, and what tunic does itself.
func (e *Entry) offer() wire.Capability {
	offer := e.Server.Handshake.Capabilities & offered
	offer |= wire.ClientDeprecateEOF // translated where the server does not have it
	if e.host.Protects {
		offer &^= wire.MariaDBBulkOperations | wire.MariaDBBulkUnitResults // of many rows in one execution, which tunic does not do
	}
	if e.door.TLS != nil && !e.secure {
		offer |= wire.ClientSSL
	}
	if e.door.Compression {
		offer |= compressions
	}
	return offer
}

// greet exchanges greetings with the client and returns its login.
func (e *Entry) greet(ctx context.Context) (m wire.Login, ok bool) {
	offer := e.offer()
	greeting := e.Server.Handshake
	greeting.Capabilities = offer
	payload, err := e.ask(greeting)
	if err == nil && wire.IsTLSRequest(payload) && offer.Has(wire.ClientSSL) {
		if payload, err = e.startTLS(ctx); err != nil {
			e.tlsFailed(err)
			return m, false
		}
	}
	if err != nil {
		e.clientFailed(err)
		return m, false
	}
	if e.rules.RequireTLS && !e.secure {
		e.turnAway(metrics.RefusedTLS, sqlerr.TLSRequired())
		return m, false
	}
	m, err = wire.DecodeLogin(bytes.Clone(payload)) // further packets may come before it is used
	if err != nil {
		e.turnAway(metrics.RefusedHandshake, sqlerr.BadHandshake("the client's login"))
		return m, false
	}
	if len(m.Answer) > math.MaxUint8 && !offer.Has(wire.ClientPluginAuthLenenc) {
		e.turnAway(metrics.RefusedHandshake, sqlerr.BadHandshake("the client's login"))
		return m, false
	}
	e.Caps = m.Capabilities & offer
	m.Capabilities &= offer | wire.ClientIgnoreSigpipe | wire.ClientRememberOptions
	return m, true
}

// ask sends the client a message and reads what it says to it.
func (e *Entry) ask(m wire.Message) ([]byte, error) {
	if err := e.Client.Send(m); err != nil {
		return nil, err
	}
	return e.Client.ReadPacket()
}

// startTLS encrypts the client's connection and reads the login that follows.
func (e *Entry) startTLS(ctx context.Context) ([]byte, error) {
	begun := login.Begun(e.socket, e.Client.TakeBuffered())
	conn := tls.Server(begun, e.door.TLS())
	if err := e.Client.SetTransport(conn); err != nil {
		return nil, err
	}
	if err := conn.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	e.secure = true
	if shown := conn.ConnectionState().PeerCertificates; len(shown) > 0 {
		e.certificate = shown[0]
	}
	return e.Client.ReadPacket()
}

// tlsFailed counts and logs a client with which TLS did not come about. A client
// that only left, or went silent, has done so during its login like any other.
func (e *Entry) tlsFailed(err error) {
	if e.host.Ending.IsCut() || failure.IsTimeout(err) || errors.Is(err, context.DeadlineExceeded) || login.HasLeft(err) {
		e.clientFailed(err)
		return
	}
	e.door.Metrics.Connections.Refused(metrics.RefusedTLS).Inc()
	e.logRefusal("TLS with the client failed", slog.String("reason", login.TLSReason(err, failure.Reason(err))))
}
