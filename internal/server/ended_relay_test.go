package server

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"sync"
	"testing"

	"tunic/internal/wire"
)

// ender is between tunic and a server. It answers one command of the application's connection
// with an error, in place of the server, which does not get the command. If it ends, it has
// the server roll the transaction back first: so a node of Galera answers whatever command
// comes next when another node's transaction has won.
type ender struct {
	Addr   string
	galera bool // the server is told to be a node of a cluster

	mu     sync.Mutex
	after  int // commands that are still passed on
	armed  bool
	ends   bool
	quiet  bool         // the command is a preparation, and is answered by the server
	number uint16       // 0 has the server answer the command
	struck wire.Command // the command that was answered so
	joined int          // texts of the application's connection with several statements in them
}

// startEnder relays to a server until the test ends.
func startEnder(t *testing.T, server string, galera bool) *ender {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := &ender{Addr: listener.Addr().String(), galera: galera}
	var relays sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		relays.Wait()
	})
	relays.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", server)
			if err != nil {
				_ = near.Close()
				continue
			}
			relays.Go(func() {
				defer near.Close()
				defer far.Close()
				_ = e.relay(wire.NewConn(near, wire.PacketBytesMax), wire.NewConn(far, wire.PacketBytesMax))
			})
		}
	})
	return e
}

// arm has the command behind the next n answered with an error.
func (e *ender) arm(n int, number uint16, ends bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.after, e.armed, e.ends, e.number, e.struck, e.quiet = n, true, ends, number, 0, false
}

// armQuietly has the transaction ended behind the n-th preparation of a statement with a result,
// from 0, of which nothing is said: so a node of Galera does that ends it meanwhile.
func (e *ender) armQuietly(n int) {
	e.arm(n, 0, true)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.quiet = true
}

// armSilently has the transaction ended before the command behind the next n, which the server gets.
func (e *ender) armSilently(n int) { e.arm(n, 0, true) }

// strikesQuietly reports whether an answer is that of the preparation.
func (e *ender) strikesQuietly(command wire.Command, response *wire.Response) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.armed || !e.quiet || e.struck != 0 || command != wire.ComStmtPrepare || response.Prepared.Columns == 0 {
		return false
	}
	if e.after--; e.after >= 0 {
		return false
	}
	e.struck = command
	return true
}

// disarm lets everything pass, and tells which command was answered with an error.
func (e *ender) disarm() (struck wire.Command, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	ok, e.armed = e.armed && e.struck != 0, false
	return e.struck, ok
}

// strikes reports whether a command is the one, and whether the transaction is ended.
func (e *ender) strikes(command wire.Command) (number uint16, ends, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.armed || e.quiet || e.struck != 0 || !command.Answered() {
		return 0, false, false
	}
	if e.after--; e.after >= 0 {
		return 0, false, false
	}
	e.struck = command
	return e.number, e.ends, true
}

// What tunic asks to find out whether a server is a node of a cluster, and a question that any
// server answers as one that is.
const (
	asksGalera = "SHOW GLOBAL VARIABLES LIKE 'wsrep_on'"
	isGalera   = "SELECT 'wsrep_on', 'ON'"
)

// relay passes a connection on, command by command behind the login.
func (e *ender) relay(near, far *wire.Conn) error {
	login, caps, err := letIn(near, far)
	if err != nil {
		return err
	}
	var response wire.Response
	for {
		near.SetSequence(0)
		payload, err := near.ReadPacket()
		if err != nil {
			return err
		}
		command := wire.Command(payload[0])
		if e.galera && command == wire.ComQuery {
			payload = bytes.Replace(payload, []byte(asksGalera), []byte(isGalera), 1)
			if string(login.User) == "app" && bytes.Contains(payload, []byte(";")) {
				e.mu.Lock()
				e.joined++
				e.mu.Unlock()
			}
		}
		if number, ends, ok := e.strikes(command); ok && string(login.User) == "app" {
			if ends {
				if err := rollBack(far, caps); err != nil {
					return err
				}
			}
			if number == 0 {
				if err := e.answered(near, far, command, payload, caps, &response); err != nil {
					return err
				}
				continue
			}
			m := wire.Err{Number: number, State: "HY000", Message: []byte("the transaction has been ended")}
			if err := near.Send(m); err != nil {
				return err
			}
			continue
		}
		if err := e.answered(near, far, command, payload, caps, &response); err != nil {
			return err
		}
		if string(login.User) == "app" && e.strikesQuietly(command, &response) {
			if err := rollBack(far, caps); err != nil {
				return err
			}
		}
	}
}

// answered has the server answer a command.
func (*ender) answered(near, far *wire.Conn, command wire.Command, payload []byte, caps wire.Capability, response *wire.Response) error {
	far.SetSequence(0)
	far.WritePacket(payload)
	if err := far.Flush(); err != nil {
		return err
	}
	response.Begin(command, caps, far.Sequence())
	return answerThrough(near, far, response)
}

// letIn passes on a login.
func letIn(near, far *wire.Conn) (login wire.Login, caps wire.Capability, err error) {
	greeting, err := pass(far, near)
	if err != nil {
		return login, 0, err
	}
	handshake, err := wire.DecodeHandshake(append([]byte{}, greeting...))
	if err != nil {
		return login, 0, err
	}
	answer, err := pass(near, far)
	if err != nil {
		return login, 0, err
	}
	if login, err = wire.DecodeLogin(append([]byte{}, answer...)); err != nil {
		return login, 0, err
	}
	for {
		said, err := pass(far, near)
		switch {
		case err != nil:
			return login, 0, err
		case said[0] == 0: // OK
			return login, login.Capabilities & handshake.Capabilities, nil
		case said[0] == 0xff:
			return login, 0, fmt.Errorf("%s is not let in", login.User)
		case said[0] == 1 && len(said) == 2 && said[1] == 3: // the server knows the password already
			continue
		}
		if _, err := pass(near, far); err != nil {
			return login, 0, err
		}
	}
}

// pass passes on one packet.
func pass(from, to *wire.Conn) ([]byte, error) {
	payload, err := from.ReadPacket()
	if err != nil {
		return nil, err
	}
	to.SetSequence(from.Sequence() - 1)
	to.WritePacket(payload)
	err = to.Flush()
	from.SetSequence(from.Sequence())
	to.SetSequence(from.Sequence())
	return payload, err
}

// answerThrough passes on an answer.
func answerThrough(near, far *wire.Conn, response *wire.Response) error {
	for !response.Done() {
		buffered := far.Buffered()
		n, err := response.Scan(buffered)
		if err != nil {
			return err
		}
		if n > 0 {
			if err := near.WriteRaw(buffered[:n]); err != nil {
				return err
			}
			far.Advance(n)
			continue
		}
		if err := far.Fill(); err != nil {
			return err
		}
	}
	return nil
}

// rollBack ends the transaction at the server.
func rollBack(far *wire.Conn, caps wire.Capability) error {
	far.SetSequence(0)
	if err := far.Send(wire.Bytes(append(wire.Query{}.AppendQuery(nil, caps), "ROLLBACK"...))); err != nil {
		return err
	}
	_, err := far.ReadPacket()
	return err
}
