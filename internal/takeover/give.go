package takeover

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
)

// Giver hands the sockets over to whoever asks for them.
type Giver struct {
	listener *net.UnixListener
	sockets  Sockets
	at       Addresses
	log      *slog.Logger
	done     chan struct{}
}

// socketMode lets processes of the same user in, and root's, who are refused by their number.
const socketMode = 0o600

// Listen listens at the takeover socket. What a killed tunic has left there is replaced; a tunic that
// listens there is not.
func Listen(path string) (*net.UnixListener, error) {
	at := &net.UnixAddr{Net: network, Name: path}
	if info, err := os.Lstat(path); err == nil {
		switch conn, err := net.DialUnix(network, nil, at); {
		case info.Mode().Type() != os.ModeSocket:
			return nil, errors.New("a file that is no socket has this path")
		case err == nil:
			_ = conn.Close()
			return nil, errors.New("another tunic listens there; take over from it with --takeover")
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	l, err := net.ListenUnix(network, at)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, socketMode); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// Give hands the sockets over once somebody asks for them at the takeover socket. handOver is called
// when the other one is ready: it has this tunic accept no more. Stop, or having handed over, ends it.
func Give(l *net.UnixListener, sockets Sockets, at Addresses, log *slog.Logger, handOver func()) *Giver {
	sockets.Asked = l
	g := &Giver{listener: l, sockets: sockets, at: at, log: log, done: make(chan struct{})}
	go func() {
		defer close(g.done)
		g.serve(handOver)
	}()
	return g
}

// Stop lets nobody take over any more.
func (g *Giver) Stop() {
	if g != nil {
		_ = g.listener.Close()
		<-g.done
	}
}

func (g *Giver) serve(handOver func()) {
	for {
		conn, err := g.listener.AcceptUnix()
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				g.log.Error("nobody can take over any more", "error", err)
			}
			return
		}
		given, err := g.give(conn, handOver)
		_ = conn.Close()
		if given {
			return
		}
		g.log.Warn("no take-over: this tunic goes on", "reason", err)
	}
}

// give hands the sockets to who has connected.
func (g *Giver) give(conn *net.UnixConn, handOver func()) (given bool, err error) {
	if err := sameUser(conn); err != nil {
		return false, err
	}
	if err := hear(conn, asks, answerTime); err != nil {
		return false, err
	}
	if err := g.offer(conn); err != nil {
		return false, err
	}
	if err := hear(conn, ready, readyTime); err != nil {
		return false, fmt.Errorf("the other one has ended before it was ready: %w", err)
	}
	g.listener.SetUnlinkOnClose(false)
	if u, ok := g.sockets.Clients.(*net.UnixListener); ok {
		u.SetUnlinkOnClose(false)
	}
	handOver()
	_ = g.listener.Close()
	_ = say(conn, done) // who does not hear it goes on all the same
	return true, nil
}

// offer sends the sockets.
func (g *Giver) offer(conn *net.UnixConn) error {
	o := offer{Addresses: g.at, PID: os.Getpid()}
	var list []net.Listener
	for _, s := range []struct {
		name string
		l    net.Listener
	}{{nameClients, g.sockets.Clients}, {nameAdmin, g.sockets.Admin}, {nameAsked, g.sockets.Asked}} {
		if s.l != nil {
			o.Sockets, list = append(o.Sockets, s.name), append(list, s.l)
		}
	}
	message, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return send(conn, message, list)
}
