package session

import (
	"bufio"
	"errors"
	"log/slog"
	"net"
	"slices"
	"time"

	"github.com/pires/go-proxyproto"

	"tunic/internal/metrics"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// A balancer that speaks the PROXY protocol says in a header, before anything else on a
// connection, where the client is. Who is in a network that the operator has named has to send
// one, and is believed; from others it is what it would be without: no packet of MySQL's.

// headerBytes is more than any header without extensions has; others are read in several parts.
const headerBytes = 256

var errNoStream = errors.New("it is of no stream")

// arrive learns where the client is. It is false if the connection is of a balancer that has not
// said so.
func (s *Session) arrive() bool {
	if !s.isProxied() {
		return true
	}
	_ = s.socket.SetDeadline(time.Now().Add(s.current.Limits.HandshakeTimeout))
	if err := s.readHeader(); err != nil {
		if s.isCut() {
			s.turnAway(metrics.RefusedDrain, sqlerr.ShuttingDown())
			return false
		}
		_ = s.socket.SetDeadline(time.Now().Add(farewell))
		s.turnAway(metrics.RefusedProxy, sqlerr.NoProxyHeader())
		s.log.Debug("no header of the PROXY protocol", "reason", reason(err))
		return false
	}
	_ = s.socket.SetDeadline(time.Time{})
	return true
}

// isProxied reports whether the connection is from one of the networks of balancers.
func (s *Session) isProxied() bool {
	if len(s.shared.Proxies) == 0 {
		return false
	}
	ip := ipOf(s.socket.RemoteAddr())
	for _, network := range s.shared.Proxies {
		if network.Contains(ip) {
			return true
		}
	}
	return false
}

// readHeader reads the header. Of a connection of the balancer's own, as for a health check, the
// client is the balancer. What has come behind the header is the client's.
func (s *Session) readHeader() error {
	reader := bufio.NewReaderSize(s.socket, headerBytes)
	header, err := proxyproto.Read(reader)
	switch {
	case err != nil:
		return err
	case !header.TransportProtocol.IsUnspec() && !header.TransportProtocol.IsStream():
		return errNoStream
	}
	if client, ok := header.SourceAddr.(*net.TCPAddr); ok && !header.Command.IsLocal() {
		s.peer = client
		s.log = s.shared.Log.With(slog.String(clientAttr, client.String()), slog.String("by", s.socket.RemoteAddr().String()))
	}
	if begun, _ := reader.Peek(reader.Buffered()); len(begun) > 0 {
		s.client = wire.NewConn(&begunConn{Conn: s.socket, begun: slices.Clone(begun)}, loginBytesMax)
	}
	return nil
}
