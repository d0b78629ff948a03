package backend

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
)

// Service is tunic's own account at the server. It is safe for use by many
// goroutines and opens connections as it needs them.
type Service struct {
	db     *sql.DB
	config *mysql.Config
	// patient has no limit on the time of a statement.
	patient *sql.DB
	held    *sql.DB // the same, for the ledger alone
	target  *Target
}

const (
	serviceConnectionsMax = 16
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
	slow := c.Clone()
	slow.ReadTimeout, slow.WriteTimeout = 0, 0
	patient, err := mysql.NewConnector(slow)
	if err != nil {
		return nil, fmt.Errorf("service account: %w", err)
	}
	return &Service{db: openPool(connector), config: c, patient: openPool(patient), held: openPool(patient), target: t}, nil
}

func openPool(c driver.Connector) *sql.DB {
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(serviceConnectionsMax)
	db.SetConnMaxIdleTime(serviceIdleTime)
	return db
}

// Close ends its connections.
func (s *Service) Close() error { return errors.Join(s.db.Close(), s.patient.Close(), s.held.Close()) }

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

// Galera reports whether the server is a node of a Galera cluster.
func (s *Service) Galera(ctx context.Context) (bool, error) {
	var name, on string
	err := s.db.QueryRowContext(ctx, "SHOW GLOBAL VARIABLES LIKE 'wsrep_on'").Scan(&name, &on)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return on == "ON", err
}

// PasswordOnly reports whether the account user@host can be logged in to with a
// password alone. Any other plugin may take the operating system's word for who
// the client is (unix_socket, auth_socket), and over a Unix socket that client is
// tunic. An account that cannot be found is none.
func (s *Service) PasswordOnly(ctx context.Context, user, host string) (bool, error) {
	var valid bool
	var list []byte
	err := s.db.QueryRowContext(ctx, pluginsMariaDB, user, host).Scan(&valid, &list)
	if refusal, ok := errors.AsType[*mysql.MySQLError](err); ok && (refusal.Number == noSuchTable || refusal.Number == tableDenied) {
		err = s.db.QueryRowContext(ctx, pluginsMySQL, user, host).Scan(&valid, &list)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var plugins []string
	if valid && list != nil {
		valid = json.Unmarshal(list, &plugins) == nil
	}
	if !valid {
		return false, errAccountRow
	}
	for _, plugin := range plugins {
		if !passwordPlugins[strings.ToLower(plugin)] {
			return false, nil
		}
	}
	return true, nil
}

// errAccountRow is an account that somebody has written by hand, in a form of which
// it is not sure how the server reads it.
var errAccountRow = errors.New("the account's row in mysql.global_priv is not in the form that the server writes")

// passwordPlugins are the servers' names of the plugins that ask for a password
// and for nothing else. An account that names none has mysql_native_password.
var passwordPlugins = map[string]bool{
	"": true, "mysql_native_password": true, "caching_sha2_password": true, "sha256_password": true, "ed25519": true, "parsec": true,
}

const (
	noSuchTable = 1146
	tableDenied = 1142
	// global_priv is MariaDB's from 10.4 on. Its JSON holds the plugin of the
	// account and, in auth_or, those that will do as well; NULL comes of one that
	// names none, as well as of what is no JSON, which the server reads all the
	// same. mysql.user has one plugin an account.
	pluginsMariaDB = "SELECT JSON_VALID(Priv), JSON_EXTRACT(Priv, '$.plugin', '$.auth_or[*].plugin') FROM mysql.global_priv WHERE User = ? AND Host = ?"
	pluginsMySQL   = "SELECT TRUE, JSON_ARRAY(plugin) FROM mysql.user WHERE User = ? AND Host = ?"
)

// DB is the account's connections, for who asks the server more than the methods
// here do, and waits for locks of others. They are closed with the Service.
func (s *Service) DB() *sql.DB { return s.patient }

// Held are connections of the account's that only the ledger uses: it is not to wait for others.
func (s *Service) Held() *sql.DB { return s.held }
