package wiretest

import (
	"fmt"
	"io"
	"net"

	"tunic/internal/wire"
)

// Message makes a message once it is known what the peers agreed on, which is
// what the form of some messages depends on.
type Message func(caps wire.Capability) wire.Message

// Plain is a message of one form only.
func Plain(m wire.Message) Message {
	return func(wire.Capability) wire.Message { return m }
}

// OK is an OK.
func OK(m wire.OK) Message {
	return func(caps wire.Capability) wire.Message { return wire.Bytes(m.AppendOK(nil, caps)) }
}

// Err is an error.
func Err(number uint16, state, message string) Message {
	return Plain(wire.Err{Number: number, State: state, Message: []byte(message)})
}

// forms makes the messages for the peer; some are nothing between some peers.
func (p *Peer) forms(messages []Message) []wire.Message {
	made := make([]wire.Message, 0, len(messages))
	for _, m := range messages {
		if form := m(p.Caps); form != nil {
			made = append(made, form)
		}
	}
	return made
}

// Send sends messages, one packet each, in one write. Sequence numbers go on
// from what was read or sent before.
func Send(messages ...Message) Step {
	return func(p *Peer) error {
		for _, m := range p.forms(messages) {
			p.Wire.WriteMessage(m)
		}
		return p.Wire.Flush()
	}
}

// SendRaw sends bytes as they are, good frames or not.
func SendRaw(b []byte) Step {
	return func(p *Peer) error { return p.Wire.WriteRaw(b) }
}

// Truncate sends the first n bytes of the frames of the messages, headers
// included, and withholds the rest; if n is negative, the last -n bytes.
func Truncate(n int, messages ...Message) Step {
	return func(p *Peer) error {
		b := Frames(p.Wire.Sequence(), p.forms(messages)...)
		end := n
		if n < 0 {
			end += len(b)
		}
		if end < 0 || end >= len(b) {
			return fmt.Errorf("cannot withhold %d of %d bytes", len(b)-end, len(b))
		}
		return p.Wire.WriteRaw(b[:end])
	}
}

// Trickle sends messages one byte a write.
func Trickle(messages ...Message) Step {
	return func(p *Peer) error {
		b := Frames(p.Wire.Sequence(), p.forms(messages)...)
		for i := range b {
			if err := p.Wire.WriteRaw(b[i : i+1]); err != nil {
				return err
			}
		}
		return nil
	}
}

// Sequence sets the sequence number of what is sent next.
func Sequence(n uint8) Step {
	return func(p *Peer) error {
		p.Wire.SetSequence(n)
		return nil
	}
}

// Skip moves the sequence number of what is sent next by n.
func Skip(n uint8) Step {
	return func(p *Peer) error {
		p.Wire.SetSequence(p.Wire.Sequence() + n)
		return nil
	}
}

// Receive reads one packet, whatever it is.
func Receive(p *Peer) error { return p.Read() }

// Expect reads a packet that starts a command, and wants this one.
func Expect(command wire.Command) Step {
	return func(p *Peer) error {
		p.Wire.SetSequence(0)
		if err := p.Read(); err != nil {
			return fmt.Errorf("waiting for %s: %w", command, err)
		}
		if len(p.Last) == 0 || wire.Command(p.Last[0]) != command {
			return fmt.Errorf("got % x, want %s", p.Last[:min(len(p.Last), 1)], command)
		}
		return nil
	}
}

// ExpectErr reads a packet that is an error with this number.
func ExpectErr(number uint16) Step {
	return func(p *Peer) error {
		if err := p.Read(); err != nil {
			return fmt.Errorf("waiting for error %d: %w", number, err)
		}
		m, err := wire.DecodeErr(p.Last)
		if err != nil {
			return fmt.Errorf("waiting for error %d: %w", number, err)
		}
		if m.Number != number {
			return fmt.Errorf("got error %d (%s), want %d", m.Number, m.Message, number)
		}
		return nil
	}
}

// ExpectGone reads until the other end is gone, which it must be without a
// further byte.
func ExpectGone(p *Peer) error {
	n, err := io.Copy(io.Discard, p.Net)
	if err != nil && !Gone(err) {
		return err
	}
	if n > 0 {
		return fmt.Errorf("got %d more bytes, want the end", n)
	}
	return nil
}

// Drain reads until the other end is gone, whatever comes before that.
func Drain(p *Peer) error {
	if _, err := io.Copy(io.Discard, p.Net); err != nil && !Gone(err) {
		return err
	}
	return nil
}

// Close closes the connection in order.
func Close(p *Peer) error { return p.Net.Close() }

// HalfClose tells the other end that nothing more will come, and can still read.
func HalfClose(p *Peer) error {
	c, ok := p.Net.(interface{ CloseWrite() error })
	if !ok {
		return fmt.Errorf("%T cannot be closed by half", p.Net)
	}
	return c.CloseWrite()
}

// Reset closes the connection with a TCP reset, as a crashed machine's does.
func Reset(p *Peer) error {
	if c, ok := p.Net.(*net.TCPConn); ok {
		if err := c.SetLinger(0); err != nil {
			return err
		}
	}
	return p.Net.Close()
}

// Hold does nothing until release is closed.
func Hold(release <-chan struct{}) Step {
	return func(*Peer) error {
		<-release
		return nil
	}
}

// Tell closes a channel, for a test to know that the script is here.
func Tell(here chan<- struct{}) Step {
	return func(*Peer) error {
		close(here)
		return nil
	}
}

// UntilGone plays steps over and over until the other end is gone, which is
// then no error.
func UntilGone(steps ...Step) Step {
	return func(p *Peer) error {
		for {
			if err := p.Play(steps...); Gone(err) {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
}

// Try plays steps as far as the other end lets it: that it goes away meanwhile
// is no error. It is for what a good proxy may refuse to hear out.
func Try(steps ...Step) Step {
	return func(p *Peer) error {
		if err := p.Play(steps...); err != nil && !Gone(err) {
			return err
		}
		return nil
	}
}
