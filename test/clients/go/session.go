package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/go-sql-driver/mysql"
)

// A target is what the runner told about the server.
type target struct {
	host, port, user, password, database string
	ca, otherCA                          string // PEM files: the right one, and a wrong one
	flavor                               string // mariadb or mysql
	types                                string // types.tsv
	scratch                              string // a folder for files
	account, accountPassword             string // prefix of the login accounts
}

func targetFromEnv() target {
	return target{
		host: os.Getenv("CLIENT_HOST"), port: os.Getenv("CLIENT_PORT"),
		user: os.Getenv("CLIENT_USER"), password: os.Getenv("CLIENT_PASSWORD"),
		database: os.Getenv("CLIENT_DATABASE"), ca: os.Getenv("CLIENT_CA"), otherCA: os.Getenv("CLIENT_OTHER_CA"),
		flavor: os.Getenv("CLIENT_FLAVOR"), types: os.Getenv("CLIENT_TYPES"),
		scratch: os.Getenv("CLIENT_SCRATCH"),
		account: os.Getenv("CLIENT_ACCOUNT"), accountPassword: os.Getenv("CLIENT_ACCOUNT_PASSWORD"),
	}
}

func (t target) config() *mysql.Config {
	c := mysql.NewConfig()
	c.Net, c.Addr = "tcp", net.JoinHostPort(t.host, t.port)
	c.User, c.Passwd, c.DBName = t.user, t.password, t.database
	c.Logger = &mysql.NopLogger{}
	return c
}

// pool returns a pool whose connections are configured by edits.
func (t target) pool(edits ...func(*mysql.Config)) (*sql.DB, error) {
	c := t.config()
	for _, edit := range edits {
		edit(c)
	}
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(connector), nil
}

// A session is one connection and the pool that it is alone in.
type session struct {
	*sql.Conn
	pool *sql.DB
}

func (t target) login(ctx context.Context, edits ...func(*mysql.Config)) (*session, error) {
	pool, err := t.pool(edits...)
	if err != nil {
		return nil, err
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return &session{Conn: conn, pool: pool}, nil
}

func (s *session) close() {
	_ = s.Conn.Close()
	_ = s.pool.Close()
}

// exec runs statements until one fails.
func (s *session) exec(ctx context.Context, statements ...string) error {
	for _, statement := range statements {
		if _, err := s.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%.60s: %w", statement, err)
		}
	}
	return nil
}

// expect runs a query and compares the one value it answers, as text.
func (s *session) expect(ctx context.Context, want, query string, args ...any) error {
	var got sql.NullString
	if err := s.QueryRowContext(ctx, query, args...).Scan(&got); err != nil {
		return fmt.Errorf("%.60s: %w", query, err)
	}
	if !got.Valid {
		got.String = "NULL"
	}
	return equal(query, got.String, want)
}

// with logs in, runs a check and logs out.
func with(run func(context.Context, *session) error, edits ...func(*mysql.Config)) func(context.Context, target) error {
	return func(ctx context.Context, t target) error {
		s, err := t.login(ctx, edits...)
		if err != nil {
			return err
		}
		defer s.close()
		return run(ctx, s)
	}
}

// withTwo does so with two connections.
func withTwo(run func(ctx context.Context, one, two *session) error) func(context.Context, target) error {
	return func(ctx context.Context, t target) error {
		two, err := t.login(ctx)
		if err != nil {
			return err
		}
		defer two.close()
		return with(func(ctx context.Context, one *session) error { return run(ctx, one, two) })(ctx, t)
	}
}

func equal[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("%.80s: got %.80v, want %.80v", what, got, want)
	}
	return nil
}

// wantError checks that err is the server's error of this code and SQLSTATE.
func wantError(err error, code uint16, state string) error {
	var e *mysql.MySQLError
	if !errors.As(err, &e) {
		return errors.Join(fmt.Errorf("want error %d", code), err)
	}
	if e.Number != code || string(e.SQLState[:]) != state {
		return fmt.Errorf("got %d (%s), want %d (%s)", e.Number, e.SQLState, code, state)
	}
	return nil
}
