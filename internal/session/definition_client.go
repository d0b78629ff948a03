package session

import (
	"bytes"
	"context"
	"errors"

	"tunic/internal/dialogue"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// definitionClient is the session's own connection to the server for who makes a
// definition.
type definitionClient struct {
	session *Session
	// info and affected are of the last statement that was run; generated is of one that
	// has inserted rows.
	info      []byte
	affected  uint64
	generated uint64
	broken    error // what ended the connection
	current   bool  // what is known of the session was so before the last statement
	// lost is the server's error if it has ended the client's transaction in an answer that the
	// client did not get.
	lost *sqlerr.Error
}

// Exec runs a statement without rows.
func (c *definitionClient) Exec(_ context.Context, statement string) error {
	_, err := c.run(statement)
	return err
}

// Query runs a statement and returns its rows.
func (c *definitionClient) Query(_ context.Context, statement string) ([][]*string, error) {
	return c.run(statement)
}

var errBroken = errors.New("the connection to the server is broken")

// run runs a statement. After the connection has failed nothing runs any more.
func (c *definitionClient) run(statement string) (rows [][]*string, err error) {
	if c.broken != nil {
		return nil, errBroken
	}
	if err := c.settle(); err != nil {
		return nil, err
	}
	s := c.session
	s.server.SetSequence(0)
	query := wire.Query{Text: []byte(statement)}.AppendQuery(nil, s.server.Capabilities)
	if c.broken = s.server.Send(wire.Bytes(query)); c.broken != nil {
		return nil, errBroken
	}
	c.current = s.response.Current
	s.response.Begin(wire.ComQuery, s.server.Capabilities, s.server.Sequence())
	columns := 0
	for !s.response.Done() {
		inColumns, inRows := s.response.InColumns(), s.response.InRows()
		payload, err := c.packet()
		switch {
		case err != nil:
			c.broken = err
			return nil, errBroken
		case inColumns:
			columns++
		case inRows && s.response.InRows():
			row, err := wire.DecodeTexts(payload, columns)
			if err != nil {
				c.broken = err
				return nil, errBroken
			}
			rows = append(rows, row)
		case s.response.Failed:
			return nil, c.refusal(payload)
		case s.response.Done() && !inRows:
			c.note(payload)
		}
	}
	return rows, nil
}

// settle finds out before a statement whether the server has ended the client's transaction in the
// answer to one before: this one may end the transaction as if it were still there, as definitions do.
func (c *definitionClient) settle() error {
	s := c.session
	if !s.server.HasUntold() {
		return nil
	}
	lost, err := s.server.Settle(s.response.Status, s.response.Current)
	switch {
	case err != nil:
		c.broken = err
		return errBroken
	case lost == nil:
		return nil
	}
	s.response.Status &^= wire.StatusInTransaction
	c.lost = dialogue.ErrorOf(lost)
	return c.lost
}

// packet reads the next packet of the answer, whole.
func (c *definitionClient) packet() ([]byte, error) {
	s := c.session
	var joined []byte
	for {
		buffered := s.server.Buffered()
		n, err := s.response.Step(buffered)
		switch {
		case err != nil:
			return nil, err
		case s.response.WantsFile():
			return nil, wire.ErrMalformed
		case n == 0:
			if err := s.server.Fill(); err != nil {
				return nil, err
			}
			continue
		}
		joined = append(joined, buffered[wire.HeaderBytes:n]...)
		s.server.Advance(n)
		if s.response.AtBoundary() {
			return joined, nil
		}
	}
}

// note keeps what an OK says.
func (c *definitionClient) note(payload []byte) {
	if ok, err := wire.DecodeOK(payload, c.session.server.Capabilities); err == nil {
		c.info, c.affected = bytes.Clone(ok.Info), ok.AffectedRows
	}
}

// refusal is what the server has said.
func (c *definitionClient) refusal(payload []byte) error {
	m, err := wire.DecodeErr(payload)
	if err != nil {
		c.broken = err
		return errBroken
	}
	c.session.server.KeepUntold(m, c.current)
	return dialogue.ErrorOf(&m)
}
