package backend

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrNotSeen says that the service account sees no such connection at the server:
// its statement has ended, the account lacks the privilege PROCESS, or what answers
// at the target is a balancer and the account is at another server.
var ErrNotSeen = errors.New("the service account sees no such connection")

// StopStatement ends the statement that runs on a connection (KILL QUERY), which may
// have been closed on this side. It takes the privileges PROCESS and CONNECTION_ADMIN
// (MariaDB: CONNECTION ADMIN).
//
// A connection's number means something at its own server only. Where the target is a
// balancer, the account may have come to another, where the number is somebody
// else's; so the number is used only where it goes with the port that the server sees
// the connection come from.
func (s *Service) StopStatement(ctx context.Context, c *Conn) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // it goes back to the pool
	number := c.Handshake.ConnectionID
	thread, err := ThreadOf(ctx, conn, uint64(number))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNotSeen
	case err != nil:
		return err
	case !c.comesFrom(thread.Host):
		return fmt.Errorf("%w: the one with its number comes from elsewhere", ErrNotSeen)
	}
	_, err = conn.ExecContext(ctx, "KILL QUERY "+strconv.FormatUint(uint64(number), 10))
	return err
}

// comesFrom reports whether a connection is the one that a server shows with this
// host: HOST:PORT, or a name alone for its Unix socket, which leads to one server
// only.
func (c *Conn) comesFrom(host string) bool {
	port := c.LocalPort()
	if port == 0 {
		return c.OverSocket()
	}
	return isFrom(host, port)
}

// isFrom reports whether a server shows this host, HOST:PORT, of a connection from a port.
func isFrom(host string, port int) bool { return strings.HasSuffix(host, ":"+strconv.Itoa(port)) }
