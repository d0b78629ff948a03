package dialogue

import (
	"errors"

	"tunic/internal/arena"
	"tunic/internal/backend"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Dialogue is the talk of one session with its server: what is sent and how the answers are read. It is for one
// goroutine; its buffers stay.
type Dialogue struct {
	Client *wire.Conn
	Server *backend.Conn
	// Response follows the answers that are read: the session's own, or one of those that the client does not get.
	Response *wire.Response
	Waiter   Waiter
	// Attributes are the query attributes of the statement, as a COM_QUERY has them: what it calls may read
	// them in each text that it comes to.
	Attributes []byte
	// Apart says that the server is a node of Galera: it is not to be sent several statements
	// in one text, and may end a transaction while it prepares a statement.
	Apart  bool
	Types  *[]wire.Type // take those of the columns of a result that the client does not get
	joined []byte       // the payload of a packet of several frames
	Wide   bool         // nothing of an answer is passed on: it is read in large pieces
	Stood  bool         // see Stood
	sent   []sent
	unsent int // of sent, those behind which nothing was flushed
	first  int // of the statements of a text, that was sent; 0 where all are in one command
}

// Waiter is whose session it is, as far as it matters while a server is waited for.
type Waiter interface {
	// Write writes what is pending for the client.
	Write() error
	// Killed reports whether a KILL QUERY has come for the command under way, which the server may
	// have forgotten.
	Killed() bool
}

// BrokenError is a failure of the connection to the server, or of what it says.
type BrokenError struct{ Err error }

// Error implements error.
func (e *BrokenError) Error() string { return "the server's answer: " + e.Err.Error() }

// Unwrap returns what went wrong.
func (e *BrokenError) Unwrap() error { return e.Err }

// ErrorOf is an error of the server's own, in its words.
func ErrorOf(m *wire.Err) *sqlerr.Error {
	return &sqlerr.Error{Number: m.Number, State: m.State, Message: string(m.Message)}
}

// End lets go of a buffer that one large packet has left.
func (x *Dialogue) End() {
	x.Attributes = nil
	if cap(x.joined) > arena.KeepMax {
		x.joined = nil
	}
}

// PassAll has each packet of the server's answer passed on, and writes what is left
// for the client.
func (x *Dialogue) PassAll(pass func(before Stage, payload []byte) error) error {
	r := x.Response
	for !r.Done() {
		before := StageOf(r)
		payload, err := x.Next()
		if err != nil {
			return err
		}
		if err := pass(before, payload); err != nil {
			return err
		}
	}
	if len(x.Server.Buffered()) > 0 {
		return &BrokenError{ErrMore}
	}
	return x.Waiter.Write()
}

// Told is before something is sent for the client: the server's error, if it has ended the
// client's transaction in an answer that the client did not get.
func (x *Dialogue) Told() error {
	server, r := x.Server, x.Response
	if !server.HasUntold() {
		return nil
	}
	lost, err := server.Settle(r.Status, r.Current)
	switch {
	case err != nil:
		return &BrokenError{err}
	case lost != nil:
		r.Current = false
		return ErrorOf(lost)
	}
	return nil
}

// Request sends a command to the server and prepares for its answer.
func (x *Dialogue) Request(payload []byte) error {
	if err := x.Told(); err != nil {
		return err
	}
	x.Server.SetSequence(0)
	if err := x.Server.Send(wire.Bytes(payload)); err != nil {
		return &BrokenError{err}
	}
	x.Expect(wire.Command(payload[0]))
	return nil
}

// Expect prepares for the answer to a command that was sent. It is numbered from the
// frames of what was sent, which may be more than the client's.
func (x *Dialogue) Expect(command wire.Command) {
	x.Response.Begin(command, x.Server.Capabilities, x.Server.Sequence())
}

// ErrMore says that an answer goes on where it should end.
var ErrMore = errors.New("bytes after the end of an answer")

// Stage is where in an answer a packet is.
type Stage uint8

// StageOf is where an answer is before its next packet.
func StageOf(r *wire.Response) Stage {
	switch {
	case r.InColumns():
		return StageColumns
	case r.InRows():
		return StageRows
	}
	return StageOther
}

// Next reads the next packet of the answer. What the client has to get meanwhile is
// written before the server is waited for.
func (x *Dialogue) Next() ([]byte, error) {
	x.joined = x.joined[:0]
	r, server := x.Response, x.Server
	for {
		buffered := server.Buffered()
		n, err := r.Step(buffered)
		switch {
		case err != nil:
			return nil, &BrokenError{err}
		case n > 0:
			server.Advance(n)
			payload := buffered[wire.HeaderBytes:n]
			if r.AtBoundary() && len(x.joined) == 0 {
				return payload, nil
			}
			if x.joined = append(x.joined, payload...); r.AtBoundary() {
				return x.joined, nil
			}
			continue
		case r.WantsFile():
			return nil, &BrokenError{wire.ErrMalformed}
		}
		if err := x.fillMore(); err != nil {
			return nil, err
		}
	}
}

// fillMore reads more of the answer. While a packet is there in part, the rest of it
// is on its way: the client gets what there is together with it. A result of a few
// buffers, as servers send it, is then one write.
func (x *Dialogue) fillMore() error {
	pending, server := x.Client.Pending(), x.Server
	if pending >= wire.BufferBytes || pending > 0 && len(server.Buffered()) == 0 {
		if err := x.Waiter.Write(); err != nil {
			return err
		}
	}
	fill := server.Fill
	if x.Wide {
		fill = server.FillWide
	}
	if err := fill(); err != nil {
		return &BrokenError{err}
	}
	return nil
}

// SendPacket sends the packet that has been begun with Server.OpenPacket, unless it could
// not be made or has as many bytes as the server would not take.
func (x *Dialogue) SendPacket(out []byte, most int, err error) error {
	server := x.Server
	if err == nil && server.PacketBytes(out) >= most {
		err = ErrPacket
	}
	if err != nil {
		server.DropPacket(out)
		return err
	}
	server.ClosePacket(out)
	if err := server.Flush(); err != nil {
		return &BrokenError{err}
	}
	return nil
}

// ErrPacket is what the server says to a statement that it does not take: the stored one is
// longer than the client's.
var ErrPacket error = &sqlerr.Error{Number: 1153, State: "08S01", Message: "Got a packet bigger than 'max_allowed_packet' bytes"}

// The stages.
const (
	StageOther Stage = iota // the first packet, or an EOF behind definitions
	StageColumns
	StageRows
)
