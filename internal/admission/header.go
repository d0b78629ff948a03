package admission

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

// Arrive learns where the client is. It is false if the connection is of a balancer that has not
// said so.
func (e *Entry) Arrive() bool {
	if !login.InNetworks(e.door.Proxies, e.socket.RemoteAddr()) {
		return true
	}
	_ = e.socket.SetDeadline(time.Now().Add(e.rules.Limits.HandshakeTimeout))
	if err := e.readHeader(); err != nil {
		if e.host.Ending.IsCut() {
			e.turnAway(metrics.RefusedDrain, sqlerr.ShuttingDown())
			return false
		}
		_ = e.socket.SetDeadline(time.Now().Add(parting.Farewell))
		e.turnAway(metrics.RefusedProxy, sqlerr.NoProxyHeader())
		e.Log.Debug("no header of the PROXY protocol", "reason", failure.Reason(err))
		return false
	}
	_ = e.socket.SetDeadline(time.Time{})
	return true
}

// readHeader reads the header. Of a connection of the balancer's own, as for a health check, the
// client is the balancer. What has come behind the header is the client's.
func (e *Entry) readHeader() error {
	client, begun, err := login.ReadHeader(e.socket)
	if err != nil {
		return err
	}
	if client != nil {
		e.Peer = client
		e.Log = e.door.Log.With(slog.String(failure.Client, client.String()), slog.String("by", e.socket.RemoteAddr().String()))
	}
	if len(begun) > 0 {
		e.Client = wire.NewConn(login.Begun(e.socket, begun), loginBytesMax)
	}
	return nil
}
