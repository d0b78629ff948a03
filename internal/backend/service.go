package backend

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
)

// Service is tunic's own account at the server. It is safe for use by many
// goroutines and opens connections as it needs them.
type Service struct{ db *sql.DB }

const (
	serviceConnectionsMax = 4
	serviceIdleTime       = time.Minute
)

// NewService prepares the account; it does not connect. Nothing of it is on the
// path of a client's query, so it uses the well-kept driver.
func NewService(t *Target, account config.Service) (*Service, error) {
	c := mysql.NewConfig()
	c.User, c.Passwd = account.User, account.Password.Reveal()
	c.Net, c.Addr = t.network, t.address
	c.Timeout, c.ReadTimeout = t.timeout, t.timeout
	c.TLS = t.tls
	c.AllowFallbackToPlaintext = t.mode == config.TLSPreferred
	if t.mode == config.TLSPreferred && t.network == "unix" {
		c.TLS = nil
	}
	c.ConnectionAttributes = "program_name:tunic"
	c.Logger = &mysql.NopLogger{} // errors are returned; the driver's own lines are not tunic's
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return nil, fmt.Errorf("service account: %w", err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(serviceConnectionsMax)
	db.SetConnMaxIdleTime(serviceIdleTime)
	return &Service{db: db}, nil
}

// Close ends its connections.
func (s *Service) Close() error { return s.db.Close() }

// Ping asks the server whether the account still gets in.
func (s *Service) Ping(ctx context.Context) error { return s.db.PingContext(ctx) }

// Refused reports whether err is the server's refusal of the account, rather
// than a server that cannot be reached.
func Refused(err error) bool {
	refusal, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && refusal.Number != tooManyConnections
}

const tooManyConnections = 1040

// PacketBytes is the server's max_allowed_packet.
func (s *Service) PacketBytes(ctx context.Context) (int64, error) {
	var n int64
	err := s.db.QueryRowContext(ctx, "SELECT @@GLOBAL.max_allowed_packet").Scan(&n)
	return n, err
}

// OperatingSystemLogin reports whether the account user@host can log in by the
// operating system's word alone (unix_socket, auth_socket): over a Unix socket
// the server would take tunic's process for the client.
func (s *Service) OperatingSystemLogin(ctx context.Context, user, host string) (bool, error) {
	var found int
	err := s.db.QueryRowContext(ctx, osLoginMariaDB, user, host).Scan(&found)
	if refusal, ok := errors.AsType[*mysql.MySQLError](err); ok && refusal.Number == noSuchTable {
		err = s.db.QueryRowContext(ctx, osLoginMySQL, user, host).Scan(&found)
	}
	return found > 0, err
}

const (
	noSuchTable = 1146
	// global_priv is MariaDB's from 10.4 on; its JSON lists every plugin the
	// account may use. mysql.user has one plugin an account.
	osLoginMariaDB = "SELECT COUNT(*) FROM mysql.global_priv WHERE User = ? AND Host = ? AND (Priv LIKE '%unix_socket%' OR Priv LIKE '%auth_socket%')"
	osLoginMySQL   = "SELECT COUNT(*) FROM mysql.user WHERE User = ? AND Host = ? AND plugin IN ('unix_socket', 'auth_socket')"
)
