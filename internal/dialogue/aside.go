package dialogue

import (
	"bytes"
	"context"
	"errors"

	"tunic/internal/backend"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// Aside runs statements of tunic's own on the client's connection, of whose answers the client sees nothing: for
// who makes a definition, or asks about tables.
type Aside struct {
	Server   *backend.Conn
	Response *wire.Response // follows the answers
	// Info and Affected are of the last statement that was run; Generated is of one that
	// has inserted rows.
	Info      []byte
	Affected  uint64
	Generated uint64
	Broken    error // what ended the connection
	// Lost is the server's error if it has ended the client's transaction in an answer that the
	// client did not get.
	Lost    *sqlerr.Error
	current bool // what is known of the session was so before the last statement
}

// Exec runs a statement without rows.
func (c *Aside) Exec(_ context.Context, statement string) error {
	_, err := c.run(statement)
	return err
}

// Query runs a statement and returns its rows.
func (c *Aside) Query(_ context.Context, statement string) ([][]*string, error) {
	return c.run(statement)
}

var errBroken = errors.New("the connection to the server is broken")

// run runs a statement. After the connection has failed nothing runs any more.
func (c *Aside) run(statement string) (rows [][]*string, err error) {
	if c.Broken != nil {
		return nil, errBroken
	}
	if err := c.Settle(); err != nil {
		return nil, err
	}
	c.Server.SetSequence(0)
	query := wire.Query{Text: []byte(statement)}.AppendQuery(nil, c.Server.Capabilities)
	if c.Broken = c.Server.Send(wire.Bytes(query)); c.Broken != nil {
		return nil, errBroken
	}
	c.current = c.Response.Current
	c.Response.Begin(wire.ComQuery, c.Server.Capabilities, c.Server.Sequence())
	columns := 0
	for !c.Response.Done() {
		inColumns, inRows := c.Response.InColumns(), c.Response.InRows()
		payload, err := c.packet()
		switch {
		case err != nil:
			c.Broken = err
			return nil, errBroken
		case inColumns:
			columns++
		case inRows && c.Response.InRows():
			row, err := wire.DecodeTexts(payload, columns)
			if err != nil {
				c.Broken = err
				return nil, errBroken
			}
			rows = append(rows, row)
		case c.Response.Failed:
			return nil, c.refusal(payload)
		case c.Response.Done() && !inRows:
			c.note(payload)
		}
	}
	return rows, nil
}

// Settle finds out before a statement whether the server has ended the client's transaction in the
// answer to one before: this one may end the transaction as if it were still there, as definitions do.
func (c *Aside) Settle() error {
	if !c.Server.HasUntold() {
		return nil
	}
	lost, err := c.Server.Settle(c.Response.Status, c.Response.Current)
	switch {
	case err != nil:
		c.Broken = err
		return errBroken
	case lost == nil:
		return nil
	}
	c.Response.Status &^= wire.StatusInTransaction
	c.Lost = ErrorOf(lost)
	return c.Lost
}

// packet reads the next packet of the answer, whole.
func (c *Aside) packet() ([]byte, error) {
	var joined []byte
	for {
		buffered := c.Server.Buffered()
		n, err := c.Response.Step(buffered)
		switch {
		case err != nil:
			return nil, err
		case c.Response.WantsFile():
			return nil, wire.ErrMalformed
		case n == 0:
			if err := c.Server.Fill(); err != nil {
				return nil, err
			}
			continue
		}
		joined = append(joined, buffered[wire.HeaderBytes:n]...)
		c.Server.Advance(n)
		if c.Response.AtBoundary() {
			return joined, nil
		}
	}
}

// note keeps what an OK says.
func (c *Aside) note(payload []byte) {
	if ok, err := wire.DecodeOK(payload, c.Server.Capabilities); err == nil {
		c.Info, c.Affected = bytes.Clone(ok.Info), ok.AffectedRows
	}
}

// refusal is what the server has said.
func (c *Aside) refusal(payload []byte) error {
	m, err := wire.DecodeErr(payload)
	if err != nil {
		c.Broken = err
		return errBroken
	}
	c.Server.KeepUntold(m, c.current)
	return ErrorOf(&m)
}
