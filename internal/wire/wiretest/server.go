package wiretest

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"

	"tunic/internal/wire"
)

// ServerCaps is what a Server offers unless its greeting says otherwise: all
// that MySQL and MariaDB have in common, but neither TLS nor compression.
const ServerCaps = wire.ClientMySQL | wire.ClientFoundRows | wire.ClientLongFlag | wire.ClientConnectWithDB |
	wire.ClientLocalFiles | wire.ClientProtocol41 | wire.ClientInteractive | wire.ClientTransactions |
	wire.ClientSecureConnection | wire.ClientMultiStatements | wire.ClientMultiResults | wire.ClientPSMultiResults |
	wire.ClientPluginAuth | wire.ClientConnectAttrs | wire.ClientPluginAuthLenenc | wire.ClientSessionTrack |
	wire.ClientDeprecateEOF

// Charset is utf8mb4_general_ci, what scripted peers say they speak.
const Charset = 45

// Greeting is a server's greeting with these capabilities.
func Greeting(caps wire.Capability) wire.Handshake {
	return wire.Handshake{
		Version: []byte("8.0.0-scripted"), ConnectionID: 1, Challenge: []byte("0123456789abcdefghij"),
		Capabilities: caps, Charset: Charset, Status: wire.StatusAutocommit, Plugin: []byte(NativePassword),
	}
}

// Script is what a server does on its n-th connection, counted from 0.
type Script func(n int) []Step

// EveryConnection is a script that is the same on every connection.
func EveryConnection(steps ...Step) Script {
	return func(int) []Step { return steps }
}

// Server is a database server that follows a script on every connection. The
// connection is closed when the script is at its end.
type Server struct {
	Handshake wire.Handshake // sent by Greet and Accept; zero is Greeting(ServerCaps)
	Script    Script
	Addr      string // "127.0.0.1:port", once started

	listener net.Listener
	peers    sync.WaitGroup
	mu       sync.Mutex
	open     map[net.Conn]bool
	failures []error
}

// Start listens on loopback until the test ends. Then scripts that met something
// else than they expect fail the test.
func (s *Server) Start(tb testing.TB) {
	tb.Helper()
	if s.Handshake.Challenge == nil {
		s.Handshake = Greeting(ServerCaps)
	}
	var err error
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		tb.Fatal(err)
	}
	s.Addr = s.listener.Addr().String()
	s.open = map[net.Conn]bool{}
	s.peers.Add(1)
	go s.accept()
	tb.Cleanup(func() {
		if err := s.Stop(); err != nil {
			tb.Errorf("scripted server: %v", err)
		}
	})
}

// Stop closes the listener and every connection, waits for the scripts, and
// returns what went wrong in them before.
func (s *Server) Stop() error {
	s.mu.Lock()
	failed := errors.Join(s.failures...)
	s.failures = nil
	s.mu.Unlock()
	s.listener.Close() //nolint:errcheck // it may be closed already
	s.Cut()
	s.peers.Wait()
	return failed
}

// Cut closes every connection that is open, as a server does that dies.
func (s *Server) Cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.open {
		conn.Close() //nolint:errcheck // the script may have closed it
	}
}

// Failures returns what went wrong in scripts so far.
func (s *Server) Failures() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.failures...)
}

func (s *Server) accept() {
	defer s.peers.Done()
	for n := 0; ; n++ {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.open[conn] = true
		s.mu.Unlock()
		s.peers.Add(1)
		go s.serve(n, conn)
	}
}

func (s *Server) serve(n int, conn net.Conn) {
	defer s.peers.Done()
	p := NewPeer(conn)
	p.Handshake = s.Handshake
	err := p.Play(s.Script(n)...)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, conn)
	if err != nil {
		s.failures = append(s.failures, fmt.Errorf("connection %d: %w", n, err))
	}
	conn.Close() //nolint:errcheck // the script may have closed it
}

// Greet sends the server's greeting.
func Greet(p *Peer) error { return p.Wire.Send(p.Handshake) }

// ExpectLogin reads the client's answer to the greeting, which settles what the
// peers have agreed on.
func ExpectLogin(p *Peer) error {
	if err := p.Read(); err != nil {
		return fmt.Errorf("waiting for the login: %w", err)
	}
	m, err := wire.DecodeLogin(p.Last)
	if err != nil {
		return err
	}
	p.Caps = m.Capabilities & p.Handshake.Capabilities
	return nil
}

// Accept greets and lets everybody in.
func Accept(p *Peer) error {
	return p.Play(Greet, ExpectLogin, Send(OK(wire.OK{Status: wire.StatusAutocommit})))
}
