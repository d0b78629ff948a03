package backend

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/wire"
)

// Connect opens a connection of the service account on which packets are seen as
// they are: the driver shows rows, and not how the server describes them.
//
// The driver still does the login: it knows every plugin, and the password. It
// speaks to tunic through a pipe in this process, and tunic passes challenge and
// answer on, as it does for a client. Afterwards the driver is dismissed.
func (s *Service) Connect(ctx context.Context) (*Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, s.target.timeout)
	defer cancel()
	conn, err := s.target.Dial(ctx)
	if err != nil {
		return nil, err
	}
	deadline, _ := ctx.Deadline()
	if err = conn.SetDeadline(deadline); err == nil {
		err = s.login(ctx, conn, deadline)
	}
	if err == nil {
		conn.Admitted()
		err = conn.SetDeadline(time.Time{})
	}
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("service account: %w", err)
	}
	return conn, nil
}

// login has the driver log in over conn.
func (s *Service) login(ctx context.Context, conn *Conn, deadline time.Time) error {
	theirs, ours := net.Pipe()
	defer func() { _ = ours.Close() }()
	if err := ours.SetDeadline(deadline); err != nil {
		return err
	}
	config := s.config.Clone()
	config.TLS, config.AllowFallbackToPlaintext = nil, false
	config.DialFunc = func(context.Context, string, string) (net.Conn, error) { return theirs, nil }
	// The driver shows the password over a Unix socket and not over TCP. What counts
	// is whether anybody could read along between tunic and the server.
	config.Net = "tcp"
	if conn.WillBeSecured() {
		config.Net = "unix"
	}
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- dismiss(connector.Connect(ctx)) }()
	err = conn.relayLogin(ctx, wire.NewConn(ours, loginBytesMax))
	_ = ours.Close() // the driver has nobody to wait for any more
	if driverErr := <-done; err == nil && driverErr != nil {
		return driverErr
	}
	return err
}

// dismiss closes the driver's side, which is only a pipe.
func dismiss(c driver.Conn, err error) error {
	if c != nil {
		_ = c.Close()
	}
	return err
}

// relayLogin passes the login of a client that is in this process.
func (c *Conn) relayLogin(ctx context.Context, client *wire.Conn) error {
	greeting := c.Handshake
	greeting.Capabilities &^= wire.ClientSSL | wire.ClientCompress | wire.ClientZstdCompression
	if err := client.Send(greeting); err != nil {
		return err
	}
	payload, err := client.ReadPacket()
	if err != nil {
		return err
	}
	login, err := wire.DecodeLogin(bytes.Clone(payload))
	if err != nil {
		return err
	}
	login.Capabilities |= c.Handshake.Capabilities & describingCaps
	if err := c.Greet(ctx, login); err != nil {
		return err
	}
	for {
		done, err := c.relayChallenge(client)
		if done || err != nil {
			return err
		}
	}
}

// describingCaps are what tunic wants of a connection beside what the driver does.
const describingCaps = wire.ClientDeprecateEOF | wire.MariaDBExtendedMetadata

// relayChallenge passes on one packet of the server's, and the answer to it if it
// asks for one.
func (c *Conn) relayChallenge(client *wire.Conn) (done bool, err error) {
	payload, err := c.ReadPacket()
	if err != nil {
		return false, err
	}
	kind, data := wire.ClassifyAuth(payload)
	client.WritePacket(payload)
	if err := client.Flush(); err != nil {
		return false, err
	}
	switch {
	case kind == wire.AuthOK:
		return true, nil
	case kind == wire.AuthErr:
		m, err := wire.DecodeErr(payload)
		return true, errors.Join(err, &AnswerError{m})
	case kind == wire.AuthMore && bytes.Equal(data, []byte{fastLoginDone}):
		return false, nil
	}
	answer, err := client.ReadPacket()
	if err != nil {
		return false, err
	}
	c.WritePacket(answer)
	return false, c.Flush()
}

// fastLoginDone is caching_sha2_password's word that the password is right and an
// OK follows.
const fastLoginDone = 0x03
