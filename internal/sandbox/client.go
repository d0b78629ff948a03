package sandbox

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/go-sql-driver/mysql"
)

// DSN returns the data source name with which the go-sql-driver connects to the
// server over TCP. The database may be "".
func (s *Server) DSN(user, password, db string) string {
	return clientConfig("tcp", s.Addr, user, password, db).FormatDSN()
}

// Exec runs statements one after the other on one connection, as root over the
// socket, and stops at the first error. The error says which statement it was by
// number, not by text.
func (s *Server) Exec(ctx context.Context, statements ...string) error {
	return execAll(ctx, s.Socket, rootPassword, statements)
}

func execAll(ctx context.Context, socket, password string, statements []string) error {
	config := clientConfig("unix", socket, "root", password, "")
	config.Logger = &mysql.NopLogger{} // a server that is not up yet is no news
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close() //nolint:errcheck // what matters was answered
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // closed with db
	for i, statement := range statements {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("statement %d of %d: %w", i+1, len(statements), err)
		}
	}
	return nil
}

func clientConfig(network, addr, user, password, db string) *mysql.Config {
	config := mysql.NewConfig()
	config.Net, config.Addr = network, addr
	config.User, config.Passwd, config.DBName = user, password, db
	return config
}
