package session

import (
	"log/slog"
	"time"

	"tunic/internal/failure"
	"tunic/internal/login"
	"tunic/internal/metrics"
	"tunic/internal/parting"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// arrive learns where the client is. It is false if the connection is of a balancer that has not
// said so.
func (s *Session) arrive() bool {
	if !login.InNetworks(s.shared.Proxies, s.socket.RemoteAddr()) {
		return true
	}
	_ = s.socket.SetDeadline(time.Now().Add(s.current.Limits.HandshakeTimeout))
	if err := s.readHeader(); err != nil {
		if s.ending.IsCut() {
			s.turnAway(metrics.RefusedDrain, sqlerr.ShuttingDown())
			return false
		}
		_ = s.socket.SetDeadline(time.Now().Add(parting.Farewell))
		s.turnAway(metrics.RefusedProxy, sqlerr.NoProxyHeader())
		s.log.Debug("no header of the PROXY protocol", "reason", failure.Reason(err))
		return false
	}
	_ = s.socket.SetDeadline(time.Time{})
	return true
}

// readHeader reads the header. Of a connection of the balancer's own, as for a health check, the
// client is the balancer. What has come behind the header is the client's.
func (s *Session) readHeader() error {
	client, begun, err := login.ReadHeader(s.socket)
	if err != nil {
		return err
	}
	if client != nil {
		s.peer = client
		s.log = s.shared.Log.With(slog.String(failure.Client, client.String()), slog.String("by", s.socket.RemoteAddr().String()))
	}
	if len(begun) > 0 {
		s.client = wire.NewConn(login.Begun(s.socket, begun), loginBytesMax)
	}
	return nil
}
