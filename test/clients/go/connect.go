package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"

	"github.com/go-sql-driver/mysql"
)

var connectChecks = []check{
	{"connect.plain", with(selectOne)},
	{"connect.tls", connectTLS},
	{"connect.tls_untrusted", connectTLSUntrusted},
	{"connect.attributes", with(connectAttributes, func(c *mysql.Config) {
		c.ConnectionAttributes = "shoe_size:42"
	})},
	{"connect.wrong_password", connectWrongPassword},
	{"connect.unknown_database", connectUnknownDatabase},
	{"connect.zlib", connectZlib},
	{"connect.zstd", skip("the driver compresses with zlib only")},
	{"connect.parallel", connectParallel},
}

func selectOne(ctx context.Context, s *session) error { return s.expect(ctx, "1", "SELECT 1") }

// trusting makes the driver verify the server against a PEM file.
func trusting(ca string) (func(*mysql.Config), error) {
	pem, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate", ca)
	}
	return func(c *mysql.Config) {
		c.TLS = &tls.Config{RootCAs: pool, ServerName: "localhost", MinVersion: tls.VersionTLS12}
	}, nil
}

func connectTLS(ctx context.Context, t target) error {
	edit, err := trusting(t.ca)
	if err != nil {
		return err
	}
	return with(selectOne, edit)(ctx, t)
}

func connectTLSUntrusted(ctx context.Context, t target) error {
	edit, err := trusting(t.otherCA)
	if err != nil {
		return err
	}
	err = with(selectOne, edit)(ctx, t)
	var unknown x509.UnknownAuthorityError
	if !errors.As(err, &unknown) {
		return errors.Join(errors.New("want an unknown authority"), err)
	}
	return nil
}

func connectAttributes(ctx context.Context, s *session) error {
	return s.expect(ctx, "42", `SELECT attr_value FROM performance_schema.session_account_connect_attrs
		WHERE processlist_id = CONNECTION_ID() AND attr_name = 'shoe_size'`)
}

func connectWrongPassword(ctx context.Context, t target) error {
	t.password += "x"
	return wantError(with(selectOne)(ctx, t), 1045, "28000")
}

func connectUnknownDatabase(ctx context.Context, t target) error {
	t.database = "no_such_database"
	return wantError(with(selectOne)(ctx, t), 1049, "42000")
}

// A countedConn counts what it reads, so that a check can see whether what
// arrived was compressed.
type countedConn struct {
	net.Conn
	bytesRead *atomic.Int64
}

func (c countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.bytesRead.Add(int64(n))
	return n, err
}

func connectZlib(ctx context.Context, t target) error {
	var bytesRead atomic.Int64
	return with(func(ctx context.Context, s *session) error {
		if err := s.expect(ctx, "1000000", "SELECT LENGTH(?)", bytes.Repeat([]byte("a"), 1e6)); err != nil {
			return err
		}
		var got []byte
		if err := s.QueryRowContext(ctx, "SELECT REPEAT('a', 1000000)").Scan(&got); err != nil {
			return err
		}
		if n := bytesRead.Load(); len(got) != 1e6 || n > 1e5 {
			return fmt.Errorf("a value of %d bytes came as %d bytes", len(got), n)
		}
		return echoRandom(ctx, s)
	}, func(c *mysql.Config) {
		_ = c.Apply(mysql.EnableCompression(true))
		c.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
			return countedConn{conn, &bytesRead}, err
		}
	})(ctx, t)
}

// echoRandom sends bytes that cannot be compressed and has them sent back.
func echoRandom(ctx context.Context, s *session) error {
	sent := make([]byte, 300_000)
	_, _ = rand.Read(sent)
	var got []byte
	if err := s.QueryRowContext(ctx, "SELECT ?", sent).Scan(&got); err != nil {
		return err
	}
	return equal("random bytes are equal", bytes.Equal(got, sent), true)
}

func connectParallel(ctx context.Context, t target) error {
	const sessions = 50
	var all sync.WaitGroup
	var loggedIn sync.WaitGroup
	loggedIn.Add(sessions)
	errs := make([]error, sessions)
	ids := make([]string, sessions)
	for i := range sessions {
		all.Go(func() { ids[i], errs[i] = ownState(ctx, t, i, &loggedIn) })
	}
	all.Wait()
	seen := map[string]bool{}
	for _, id := range ids {
		seen[id] = true
	}
	return errors.Join(errors.Join(errs...), equal("distinct connection ids", len(seen), sessions))
}

// ownState sets session state, waits until all sessions have set theirs, and
// reads it back again and again.
func ownState(ctx context.Context, t target, n int, loggedIn *sync.WaitGroup) (id string, err error) {
	s, err := t.login(ctx)
	if err == nil {
		defer s.close()
		err = s.exec(ctx, fmt.Sprintf("SET @mine = %d, SESSION group_concat_max_len = %d", n, 5000+n))
	}
	loggedIn.Done()
	if err != nil {
		return "", err
	}
	loggedIn.Wait()
	for range 10 {
		want := fmt.Sprintf("%d %d", n, 5000+n)
		if err := s.expect(ctx, want, "SELECT CONCAT(@mine, ' ', @@group_concat_max_len)"); err != nil {
			return "", err
		}
	}
	err = s.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id)
	return id, err
}
