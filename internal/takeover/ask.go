package takeover

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"slices"
	"syscall"
)

// Given are the sockets of another tunic, which serves until Ready.
type Given struct {
	Sockets
	PID  int // of the other
	conn *net.UnixConn
}

// Ask asks the tunic that listens at the takeover socket for its listening sockets. The error is
// ErrNobody if there is none. A socket of operators that is elsewhere than ours is left to it.
func Ask(ctx context.Context, path string, ours Addresses) (*Given, error) {
	conn, err := dial(ctx, path)
	if err != nil {
		return nil, err
	}
	g, err := ask(conn, ours)
	if err != nil {
		_ = conn.Close()
	}
	return g, err
}

func dial(ctx context.Context, path string) (*net.UnixConn, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, network, path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, ErrNobody
	case err != nil:
		return nil, err
	}
	c, ok := conn.(*net.UnixConn)
	if !ok {
		return nil, errors.Join(errors.New("it is no Unix socket"), conn.Close())
	}
	return c, nil
}

func ask(conn *net.UnixConn, ours Addresses) (*Given, error) {
	if err := sameUser(conn); err != nil {
		return nil, err
	}
	if err := say(conn, asks); err != nil {
		return nil, err
	}
	message, files, err := receive(conn)
	defer closeAll(files)
	if err != nil {
		return nil, err
	}
	o, err := readOffer(message)
	switch {
	case err != nil:
		return nil, err
	case o.Listen != ours.Listen:
		return nil, &OtherAddressError{o.Listen}
	case len(files) != len(o.Sockets):
		return nil, errors.New("not all sockets came")
	}
	g := &Given{PID: o.PID, conn: conn}
	if err := g.take(o, files, ours); err != nil {
		g.Sockets.Close()
		return nil, err
	}
	return g, nil
}

// take makes listeners of the sockets.
func (g *Given) take(o offer, files []*os.File, ours Addresses) error {
	for i, name := range o.Sockets {
		if name == nameAdmin && o.Admin != ours.Admin {
			continue
		}
		l, err := net.FileListener(files[i])
		if err != nil {
			return err
		}
		if u, ok := l.(*net.UnixListener); ok {
			u.SetUnlinkOnClose(false) // until it is ours
		}
		switch asked, isUnix := l.(*net.UnixListener); {
		case name == nameClients:
			g.Clients = l
		case name == nameAdmin:
			g.Admin = l
		case name == nameAsked && isUnix:
			g.Asked = asked
		default:
			_ = l.Close()
		}
	}
	if g.Clients == nil {
		return errors.New("it has no socket for clients")
	}
	return nil
}

// Ready tells the other tunic that this one accepts from now on, and waits until that accepts no
// more. An error says that it did not answer: it has ended, or will hear it later.
func (g *Given) Ready() error {
	defer g.conn.Close() //nolint:errcheck // nothing is said any more
	for _, l := range []net.Listener{g.Clients, g.Asked} {
		if u, ok := l.(*net.UnixListener); ok && u != nil {
			u.SetUnlinkOnClose(true)
		}
	}
	if err := say(g.conn, ready); err != nil {
		return err
	}
	return hear(g.conn, done, answerTime)
}

// Close gives the sockets back, before Ready: the other tunic goes on.
func (g *Given) Close() {
	g.Sockets.Close()
	_ = g.conn.Close()
}

func closeAll(files []*os.File) {
	for _, f := range slices.Backward(files) {
		_ = f.Close()
	}
}
