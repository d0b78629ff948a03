package takeover

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"sync"
	"syscall"
)

// Giver hands the sockets over to whoever asks for them.
type Giver struct {
	listener *net.UnixListener
	sockets  Sockets
	at       Addresses
	log      *slog.Logger
	done     chan struct{}

	mu      sync.Mutex
	stopped bool
	waiting *net.UnixConn // to a peer that is to say something; nil without one
}

// socketMode lets processes of the same user in, and root's, who are refused by their number.
const socketMode = 0o600

// Listen listens at the takeover socket. What a killed tunic has left there is replaced; what somebody
// listens at is not.
func Listen(path string) (*net.UnixListener, error) {
	at := &net.UnixAddr{Net: network, Name: path}
	if err := removeLeft(at); err != nil {
		return nil, err
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

// removeLeft removes the socket that a killed tunic has left. A path that is set by mistake may be the socket
// of another program, such as the database server: it stays, if anybody can still connect to it.
func removeLeft(at *net.UnixAddr) error {
	info, err := os.Lstat(at.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != os.ModeSocket:
		return errors.New("a file that is no socket has this path")
	}
	conn, err := net.DialUnix(network, nil, at)
	switch {
	case err == nil:
		_ = conn.Close()
		return errors.New("another tunic listens there; take over from it with --takeover")
	case errors.Is(err, syscall.ECONNREFUSED):
		return os.Remove(at.Name)
	case errors.Is(err, syscall.EPROTOTYPE):
		return errors.New("the socket of another program has this path")
	}
	return err
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

// Stop lets nobody take over any more. It does not wait for a peer that says nothing.
func (g *Giver) Stop() {
	if g == nil {
		return
	}
	_ = g.listener.Close()
	g.mu.Lock()
	g.stopped = true
	if g.waiting != nil {
		_ = g.waiting.Close()
	}
	g.mu.Unlock()
	<-g.done
}

// wait notes the peer that is waited for, for Stop; nil is none.
func (g *Giver) wait(conn *net.UnixConn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.waiting = conn; conn != nil && g.stopped {
		_ = conn.Close()
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
		g.wait(conn)
		given, err := g.give(conn, handOver)
		g.wait(nil)
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
	g.wait(nil) // from here on Stop waits: the other one is to hear that this one is done
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
